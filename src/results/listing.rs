//! What lies in a results folder by names alone, read once.

use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::machine::Machine;

use super::machine_file::{MACHINE_FILE, read_machine};
use super::store::{BENCHMARKS_FILE, Found, MachineFolder, ResultFile, commit_in};
use super::{Problem, ProblemKind, Recovery, Store};

/// Digits of a commit in the name of a result file.
const DIGITS: usize = 8;

/// All folders of a results folder with the names in them.
#[derive(Debug)]
pub(super) struct Listing {
    root: PathBuf,
    /// Sorted by path.
    pub(super) folders: Vec<ListedFolder>,
}

/// One folder.
#[derive(Debug)]
pub(super) struct ListedFolder {
    pub(super) path: PathBuf,
    /// The names of everything in it but folders, sorted. Such as are no UTF-8 are left out: asv
    /// writes none.
    pub(super) names: Vec<String>,
    /// Why it cannot be listed.
    error: Option<String>,
}

impl Store {
    /// Lists the folder and all below it; links are not followed, as in asv.
    pub(super) fn list(&self) -> Listing {
        let mut folders: Vec<ListedFolder> = Vec::new();
        let mut waiting = vec![self.root().to_owned()];
        while let Some(path) = waiting.pop() {
            let folder = ListedFolder::read(path, &mut waiting);
            folders.push(folder);
        }
        folders.sort_by(|one, other| one.path.cmp(&other.path));
        Listing {
            root: self.root().to_owned(),
            folders,
        }
    }

    /// The machines with their result files, the folder being listed once for all. What runs left
    /// that were killed is folded in first, see [`Store::recover`].
    pub fn open(&self) -> (Vec<Recovery>, Found<(MachineFolder, Vec<ResultFile>)>) {
        let listing = self.list();
        let recoveries = self.recover_in(&listing);
        let contents = if recoveries.is_empty() {
            listing.contents()
        } else {
            self.list().contents()
        };
        (recoveries, contents)
    }

    /// As [`Store::open`], of a folder that is only read.
    pub fn contents(&self) -> Found<(MachineFolder, Vec<ResultFile>)> {
        self.list().contents()
    }

    /// The folders of machines, sorted by path, at any depth.
    ///
    /// As in asv a folder counts if its `machine.json` loads. Where that is damaged, or missing
    /// beside files that are named like results, the folder's name stands for the machine's, and
    /// the problem is said: years of results are not gone with one small file.
    pub fn machines(&self) -> Found<MachineFolder> {
        let found = self.list().contents();
        Found {
            items: found.items.into_iter().map(|(folder, _)| folder).collect(),
            problems: found.problems,
        }
    }
}

impl Listing {
    fn contents(&self) -> Found<(MachineFolder, Vec<ResultFile>)> {
        let mut found = Found::default();
        for listed in &self.folders {
            let Some(folder) = listed.machine(&self.root, &mut found.problems) else {
                continue;
            };
            let files = listed.result_files(&folder, |_| true);
            found.problems.extend(files.problems);
            found.items.push((folder, files.items));
        }
        found
    }
}

impl ListedFolder {
    /// Reads the names in a folder; folders in it go to `below`.
    pub(super) fn read(path: PathBuf, below: &mut Vec<PathBuf>) -> Self {
        let mut names = Vec::new();
        let mut error = None;
        match fs::read_dir(&path) {
            Ok(entries) => {
                for entry in entries.flatten() {
                    if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                        below.push(entry.path());
                    } else if let Ok(name) = entry.file_name().into_string() {
                        names.push(name);
                    }
                }
            }
            Err(cause) => error = Some(format!("cannot be listed ({cause})")),
        }
        names.sort_unstable();
        Self { path, names, error }
    }

    /// The result files, given whose folder this is, and what is wrong with it.
    pub(super) fn result_files(
        &self,
        folder: &MachineFolder,
        wanted: impl Fn(&str) -> bool,
    ) -> Found<ResultFile> {
        let problem = |error: &String| Problem::new(&self.path, ProblemKind::Unreadable, error);
        Found {
            items: self
                .names
                .iter()
                .filter(|name| wanted(name))
                .filter_map(|name| result_file(folder, name))
                .collect(),
            problems: self.error.iter().map(problem).collect(),
        }
    }

    /// Whose results lie here; `None` if the folder is none of a machine.
    fn machine(&self, root: &Path, problems: &mut Vec<Problem>) -> Option<MachineFolder> {
        let path = self.path.join(MACHINE_FILE);
        // A link counts, too, and a folder that cannot be listed may still be read from.
        let is_there = self.error.is_some() || self.names.iter().any(|name| name == MACHINE_FILE);
        let read = if is_there {
            read_machine(&path)
        } else {
            Ok(None)
        };
        let wrong = match read {
            Ok(Some(machine)) => {
                return Some(MachineFolder {
                    machine,
                    path: self.path.clone(),
                    is_described: true,
                });
            }
            Ok(None) if self.is_like_a_machine_s(root) => "is missing".to_owned(),
            Ok(None) => return None,
            Err(wrong) => wrong,
        };
        let name = self
            .path
            .file_name()
            .filter(|_| self.path != root)
            .map(|name| name.to_string_lossy().into_owned());
        let message = match &name {
            Some(name) => format!(
                "{wrong}; the folder's name `{name}` counts as the machine's. To mend it, bring the \
                 file back from git, or measure there: `lcmbench run` writes it anew"
            ),
            None => format!(
                "{wrong}; results directly in {} are passed over. Move them into a folder that is \
                 named after their machine",
                root.display()
            ),
        };
        problems.push(Problem::new(&path, ProblemKind::Machine, message));
        name.map(|name| MachineFolder {
            machine: Machine {
                name,
                ..Machine::default()
            },
            path: self.path.clone(),
            is_described: false,
        })
    }

    /// Whether it lies where asv has the folders of machines, and has a file that is named as asv
    /// names results.
    fn is_like_a_machine_s(&self, root: &Path) -> bool {
        let is_result = |name: &String| {
            name.strip_suffix(".json")
                .and_then(|stem| stem.split_once('-'))
                .is_some_and(|(commit, environment)| {
                    commit.len() == DIGITS
                        && commit.bytes().all(|digit| digit.is_ascii_hexdigit())
                        && environment != "compare"
                })
        };
        self.path.parent() == Some(root) && self.names.iter().any(is_result)
    }
}

fn result_file(folder: &MachineFolder, name: &str) -> Option<ResultFile> {
    if name == MACHINE_FILE || name == BENCHMARKS_FILE {
        return None;
    }
    let stem = name.strip_suffix(".json")?;
    let commit = commit_in(name);
    Some(ResultFile {
        path: folder.path.join(name),
        machine: folder.machine.name.clone(),
        commit: commit.to_owned(),
        environment: stem.get(commit.len() + 1..).unwrap_or_default().to_owned(),
    })
}

#[cfg(test)]
mod tests;
