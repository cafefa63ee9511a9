//! Where results go: the folder, the machine's description, the room on the disk.

use std::path::{Path, PathBuf};

use super::finding::Finding;
use super::subject::{Subject, sentence};
use crate::machine::{Detected, Machine, look_up};
use crate::results::Store;
use crate::sys::files::free_bytes;
use crate::vcs::Git;

/// Less than this is no room for a run.
const TOO_LITTLE: u64 = 64 << 20;

/// Less than this is soon used up.
const LITTLE: u64 = 1 << 30;

pub(super) fn results(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(settings) = subject.settings() else {
        return Vec::new();
    };
    let folder = &settings.asv.results_dir;
    let shown = folder.display();
    let mut findings = Vec::new();
    if folder.is_dir() {
        match Store::new(folder).check_root_writable() {
            Ok(()) => findings.push(Finding::fine(format!("{shown} can be written"))),
            Err(error) => findings.push(Finding::error(
                sentence(error),
                "change its owner or mode, or name another with `results_dir`",
            )),
        }
    } else {
        findings.push(Finding::fine(format!(
            "{shown} will be made by the first run"
        )));
    }
    if let Ok(repository) = &subject.repository
        && let Ok(root) = repository.root()
        && is_neither_kept_nor_ignored(root, folder)
    {
        findings.push(Finding::warning(
            format!("{shown} is neither ignored by git nor kept in it"),
            "add it to .gitignore (`lcmbench init` does), or commit it",
        ));
    }
    findings
}

/// Whether git lists the folder among the untracked.
fn is_neither_kept_nor_ignored(root: &Path, folder: &Path) -> bool {
    let Ok(below) = folder.strip_prefix(root) else {
        return false;
    };
    let below = below.to_string_lossy();
    let git = Git::at(root);
    let is_kept = git
        .run(&["ls-files", "--", &below])
        .is_ok_and(|files| !files.is_empty());
    // A file in it, since a pattern with a slash at the end ignores a folder that is there alone.
    let probe = format!("{below}/machine/x.json");
    !is_kept && git.run(&["check-ignore", "--quiet", &probe]).is_err()
}

pub(super) fn machine(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(settings) = subject.settings() else {
        return Vec::new();
    };
    let found = look_up(
        settings.machine.as_deref(),
        &subject.context.environment,
        &Detected::of_host(),
    );
    let identified = match found {
        Ok(identified) => identified,
        Err(error) => {
            return vec![Finding::error(
                sentence(error),
                "`lcmbench machine --yes` describes this machine",
            )];
        }
    };
    let mut findings = vec![Finding::fine(described(&identified.machine))];
    findings.extend(identified.notes.into_iter().map(|note| {
        Finding::warning(
            note,
            "`lcmbench machine --yes` describes this machine; results of different machines are \
             never compared",
        )
    }));
    findings
}

fn described(machine: &Machine) -> String {
    let fact = |key: &str| machine.facts.get(key).map_or("?", String::as_str);
    format!(
        "{}: {}, {} processors, {}",
        machine.name,
        fact("cpu"),
        fact("num_cpu"),
        fact("ram")
    )
}

pub(super) fn disk(subject: &Subject<'_>) -> Vec<Finding> {
    let environment = &subject.context.environment;
    let temporary = environment
        .path("TMPDIR")
        .unwrap_or_else(|| PathBuf::from("/tmp"));
    let mut folders = vec![(temporary, "set TMPDIR to a folder with room")];
    if let Some(settings) = subject.settings() {
        folders.push((
            settings.asv.results_dir.clone(),
            "make room there, or name another with `results_dir`",
        ));
    }
    folders
        .into_iter()
        .map(|(folder, way_out)| room(&folder, way_out))
        .collect()
}

fn room(folder: &Path, way_out: &str) -> Finding {
    // A folder that is not there yet lies on the disk of the one above.
    let existing = folder.ancestors().find(|above| above.is_dir());
    let shown = folder.display();
    match existing.map(free_bytes) {
        Some(Ok(free)) => judged(
            free,
            &format!("{} MiB are free at {shown}", free >> 20),
            way_out,
        ),
        Some(Err(error)) => Finding::warning(sentence(error), way_out),
        None => Finding::error(format!("{shown} is not there"), way_out),
    }
}

fn judged(free: u64, sentence: &str, way_out: &str) -> Finding {
    match free {
        0..TOO_LITTLE => Finding::error(sentence, way_out),
        TOO_LITTLE..LITTLE => Finding::warning(sentence, way_out),
        LITTLE.. => Finding::fine(sentence),
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::Level;
    use super::*;

    #[test]
    fn little_room_is_a_warning_and_none_an_error() {
        let level = |free| judged(free, "", "").level;
        assert_eq!(level(0), Level::Error);
        assert_eq!(level(TOO_LITTLE), Level::Warning);
        assert_eq!(level(LITTLE - 1), Level::Warning);
        assert_eq!(level(LITTLE), Level::Fine);
    }
}
