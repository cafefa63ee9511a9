//! One folder of a remote repository, without its history and without its other files. By the `git`
//! executable, which knows the user's credentials.

use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::sys::env::Environment;
use crate::sys::process::{ExitStatus, Program, run};

use super::VcsError;

/// A site's results are small; what takes longer hangs.
const PATIENCE: Duration = Duration::from_mins(5);

/// Clones `url` into `target` (which must not exist) with nothing but the newest commit of `branch`
/// (of its HEAD for `None`) and in it only `folder`, a path with `/` between its parts.
pub fn fetch_folder(
    url: &str,
    branch: Option<&str>,
    folder: &str,
    target: &Path,
    environment: &Environment,
) -> Result<(), VcsError> {
    let environment = quiet(environment);
    let mut clone: Vec<OsString> = [
        "clone",
        "--quiet",
        "--depth=1",
        "--filter=blob:none",
        "--no-checkout",
        "--no-tags",
    ]
    .map(OsString::from)
    .to_vec();
    if let Some(branch) = branch {
        clone.push(format!("--branch={branch}").into());
    }
    clone.extend([OsString::from("--"), url.into(), target.into()]);
    git(&clone, None, &environment)?;
    let pattern = format!("/{}/", escaped(folder.trim_matches('/')));
    let sparse = ["sparse-checkout", "set", "--no-cone", &pattern].map(OsString::from);
    git(&sparse, Some(target), &environment)?;
    git(
        &["checkout", "--quiet"].map(OsString::from),
        Some(target),
        &environment,
    )
}

/// The pattern that matches a folder of this very name.
fn escaped(folder: &str) -> String {
    let mut pattern = String::with_capacity(folder.len());
    for character in folder.chars() {
        if matches!(character, '*' | '?' | '[' | ']' | '\\' | '!' | '#') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
}

/// The variables without those that git sets for its hooks, which would point it elsewhere; and no
/// question is asked.
fn quiet(environment: &Environment) -> Environment {
    let for_hooks = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"];
    environment
        .iter()
        .filter(|(name, _)| !for_hooks.iter().any(|hook| name == hook))
        .map(|(name, value)| (name.clone(), value.clone()))
        .chain([
            (OsString::from("GIT_TERMINAL_PROMPT"), OsString::from("0")),
            (OsString::from("LC_ALL"), OsString::from("C")),
        ])
        .collect()
}

fn git(
    arguments: &[OsString],
    directory: Option<&Path>,
    environment: &Environment,
) -> Result<(), VcsError> {
    let program = Program {
        name: &OsString::from("git"),
        arguments,
        environment,
        directory,
        inherited: &[],
        death_signal: None,
        kept_bytes: 4096,
    };
    let finished = run(&program, Some(Instant::now() + PATIENCE), None).map_err(VcsError::NoGit)?;
    let status = match (finished.cut, finished.exit) {
        (None, Some(exit)) if exit.status == ExitStatus::from_raw(0) => return Ok(()),
        (None, Some(exit)) => format!("{:?}", exit.status),
        _ => format!("no end within {} seconds", PATIENCE.as_secs()),
    };
    let words: Vec<String> = arguments
        .iter()
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    Err(VcsError::GitFailed {
        arguments: words.join(" "),
        status,
        stderr: finished.stderr.trim().to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::Playground;
    use super::*;

    /// What finds git, and nothing of the user's.
    fn environment() -> Environment {
        Environment::of_process()
            .iter()
            .filter(|(name, _)| *name == "PATH")
            .map(|(name, value)| (name.clone(), value.clone()))
            .chain([("GIT_CONFIG_GLOBAL".into(), "/dev/null".into())])
            .collect()
    }

    #[test]
    fn only_the_folder_comes_and_only_its_newest_state() {
        let play = Playground::new();
        play.commit("one", &[("site/results/b[o]x/old.json", "1")]);
        play.commit(
            "two",
            &[
                ("site/results/b[o]x/new.json", "2"),
                ("site/results/box/other.json", "3"),
                ("index.html", "big"),
            ],
        );
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("clone");
        let url = format!("file://{}", play.root().display());
        let wanted = "site/results/b[o]x";
        fetch_folder(&url, Some("main"), wanted, &target, &environment()).unwrap();
        assert!(target.join("site/results/b[o]x/new.json").is_file());
        assert!(target.join("site/results/b[o]x/old.json").is_file());
        assert!(!target.join("site/results/box").exists());
        assert!(!target.join("index.html").exists());
        let repository = super::super::Repository::discover(&target).unwrap();
        assert!(repository.is_shallow());
    }

    #[test]
    fn what_git_says_is_in_the_error() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("file://{}/nothing", folder.path().display());
        let target = folder.path().join("clone");
        let error = fetch_folder(&url, None, "x", &target, &environment()).unwrap_err();
        assert!(error.to_string().contains("clone"), "{error}");
    }
}
