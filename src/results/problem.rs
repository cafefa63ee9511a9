//! What is wrong with a file that is named and passed over.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

/// One file, and what is wrong with it. Never fatal: everything else is read all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub path: PathBuf,
    pub kind: ProblemKind,
    /// A phrase that goes on after the file's name: `is no JSON (line 3, column 1: ...)`.
    pub message: String,
}

/// The kinds of problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProblemKind {
    /// JSON that is no result file (no version), such as `<hash8>-compare.json`.
    Foreign,
    /// Cannot be read, is no JSON, or lacks what every result has.
    Unreadable,
    /// Written by a later version of asv.
    Newer,
    /// Its machine is not the one of its folder.
    OtherMachine,
    /// Its `lcmbench` key or a row is malformed; the rest of the file counts.
    Provenance,
    /// A `machine.json` that says nothing: the folder goes by its name.
    Machine,
    /// It could not be merged into and was moved aside.
    MovedAside,
}

impl Problem {
    pub(super) fn new(path: &Path, kind: ProblemKind, message: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            kind,
            message: message.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{} {}", self.path.display(), self.message)
    }
}

/// One line for each problem, none twice; all foreign files of a folder share one line.
pub fn problem_lines(problems: &[Problem]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut foreign: Vec<(&Path, BTreeSet<String>)> = Vec::new();
    for problem in problems {
        if problem.kind == ProblemKind::Foreign {
            let folder = problem.path.parent().unwrap_or(Path::new(""));
            let name = problem.path.file_name().unwrap_or_default();
            let name = name.to_string_lossy().into_owned();
            match foreign.iter_mut().find(|(known, _)| *known == folder) {
                Some((_, names)) => {
                    names.insert(name);
                }
                None => foreign.push((folder, BTreeSet::from([name]))),
            }
        } else {
            let line = problem.to_string();
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines.extend(
        foreign
            .iter()
            .map(|(folder, names)| foreign_line(folder, names)),
    );
    lines
}

fn foreign_line(folder: &Path, names: &BTreeSet<String>) -> String {
    const SHOWN: usize = 3;
    let shown: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
    let more = names.len().saturating_sub(SHOWN);
    let list = match more {
        0 => shown.join(", "),
        _ => format!("{} and {more} more", shown.join(", ")),
    };
    let what = if names.len() == 1 {
        "a file that is no result was passed over"
    } else {
        "files that are no results were passed over"
    };
    format!("{}: {what}: {list}", folder.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_files_share_a_line_and_nothing_is_said_twice() {
        let foreign =
            |name: &str| Problem::new(Path::new(name), ProblemKind::Foreign, "is no result");
        let broken = Problem::new(Path::new("r/m/x.json"), ProblemKind::Unreadable, "is empty");
        let problems = [
            foreign("r/m/b-compare.json"),
            broken.clone(),
            foreign("r/m/a-compare.json"),
            foreign("r/m/a-compare.json"),
            broken,
            foreign("r/n/c.json"),
        ];
        assert_eq!(
            problem_lines(&problems),
            [
                "r/m/x.json is empty",
                "r/m: files that are no results were passed over: a-compare.json, b-compare.json",
                "r/n: a file that is no result was passed over: c.json",
            ]
        );
    }
}
