//! The results folder: `results/<machine>/<hash8>-<env>.json`.

use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::json::Json;
use crate::machine::Machine;

use super::listing::ListedFolder;
use super::read::{self, Detail};
use super::{EnvironmentNames, Problem, ProblemKind, ResultSet};

/// asv's file about the benchmarks of a suite.
pub(super) const BENCHMARKS_FILE: &str = "benchmarks.json";

/// A results folder on disk.
#[derive(Debug, Clone)]
pub struct Store {
    root: PathBuf,
}

/// A folder of results with the machine that made them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineFolder {
    pub machine: Machine,
    pub path: PathBuf,
    /// Whether its `machine.json` could be read; else nothing is known but the folder's name.
    pub is_described: bool,
}

/// A file that its name makes a result; nothing of it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultFile {
    pub path: PathBuf,
    /// Name of the folder's machine.
    pub machine: String,
    /// The name's first part: eight characters of the commit.
    pub commit: String,
    /// The rest of the name, which is only a hint at the environment.
    pub environment: String,
}

/// A result file with its content.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    pub file: ResultFile,
    pub set: ResultSet,
}

/// What could be read, and what is wrong with the rest.
#[derive(Debug, Clone, PartialEq)]
pub struct Found<T> {
    pub items: Vec<T>,
    pub problems: Vec<Problem>,
}

impl<T> Default for Found<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            problems: Vec::new(),
        }
    }
}

impl Store {
    /// The store at `root`, which need not exist yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The result files of a machine by their names alone, sorted by name; none is read. A folder
    /// that cannot be listed is a problem.
    pub fn files(&self, folder: &MachineFolder) -> Found<ResultFile> {
        Self::files_named(folder, |_| true)
    }

    fn files_named(folder: &MachineFolder, wanted: impl Fn(&str) -> bool) -> Found<ResultFile> {
        ListedFolder::read(folder.path.clone(), &mut Vec::new()).result_files(folder, wanted)
    }

    /// Reads one result file. Problems besides the returned error are about its `lcmbench` key.
    pub fn load(
        &self,
        file: &ResultFile,
        detail: Detail,
    ) -> Result<(Loaded, Vec<Problem>), Problem> {
        let text = file.text()?;
        file.read(&text, detail)
    }

    /// Reads many result files, naming those that cannot be.
    pub fn load_all<'f>(
        &self,
        files: impl IntoIterator<Item = &'f ResultFile>,
        detail: Detail,
    ) -> Found<Loaded> {
        let mut found = Found::default();
        for file in files {
            found.add(self.load(file, detail));
        }
        found
    }

    /// The results of a commit on a machine, of one environment or of all.
    ///
    /// `commit` is a hash or its beginning (for legacy files a tag's name). Only files whose name
    /// begins like it are read, and with `environment` only those that turn out to be of it: the
    /// names in files and of files may disagree.
    pub fn find(
        &self,
        folder: &MachineFolder,
        commit: &str,
        environment: Option<&EnvironmentNames>,
        detail: Detail,
    ) -> Found<Loaded> {
        let listed = Self::files_named(folder, |name| may_be_of(commit_in(name), commit));
        let mut found = Found {
            items: Vec::new(),
            problems: listed.problems,
        };
        let (sure, unsure): (Vec<_>, Vec<_>) = listed
            .items
            .into_iter()
            .partition(|file| environment.is_none_or(|names| names.suggests(&file.environment)));
        let wanted = |set: &ResultSet| {
            set.commit_hash.starts_with(commit)
                && environment.is_none_or(|names| names.contains(&set.env_name))
        };
        for file in &sure {
            found.add_if(self.load(file, detail), wanted);
        }
        // No commit has two files of one environment: one that was found is not searched again.
        let known: Vec<String> = match environment {
            Some(_) => found
                .items
                .iter()
                .map(|loaded| loaded.file.commit.clone())
                .collect(),
            None => Vec::new(),
        };
        for file in unsure.iter().filter(|file| !known.contains(&file.commit)) {
            let is_wanted = match self.load(file, Detail::Header) {
                Ok((loaded, _)) => wanted(&loaded.set),
                Err(problem) => {
                    found.problems.push(problem);
                    false
                }
            };
            if is_wanted {
                found.add(self.load(file, detail));
            }
        }
        found
    }
}

impl ResultFile {
    /// Reads the text of this file. Problems besides the returned error are about its `lcmbench` key.
    pub fn read(&self, text: &str, detail: Detail) -> Result<(Loaded, Vec<Problem>), Problem> {
        let reading = read::read_results(text, detail)
            .map_err(|refusal| Problem::new(&self.path, refusal.kind, refusal.message))?;
        if let Some(problem) = self.wrong_machine(&reading.set) {
            return Err(problem);
        }
        let problems = self.remarks(reading.remarks);
        let loaded = Loaded {
            file: self.clone(),
            set: reading.set,
        };
        Ok((loaded, problems))
    }

    /// What identifies the results in a text of this file, if it is one of results.
    pub fn header(&self, text: &str) -> Option<ResultSet> {
        let reading = read::read_results(text, Detail::Header);
        reading.ok().map(|reading| reading.set)
    }

    /// What is to be said where a set is of another machine than the file's folder.
    pub fn wrong_machine(&self, set: &ResultSet) -> Option<Problem> {
        let machine = set.params.get("machine").and_then(Json::as_str)?;
        if machine == self.machine {
            return None;
        }
        let message = format!(
            "is of the machine `{machine}`, but lies in the folder of `{}`",
            self.machine
        );
        Some(Problem::new(&self.path, ProblemKind::OtherMachine, message))
    }

    /// What is wrong with the file's `lcmbench` key, as problems.
    pub fn remarks(&self, remarks: Vec<String>) -> Vec<Problem> {
        remarks
            .into_iter()
            .map(|remark| Problem::new(&self.path, ProblemKind::Provenance, remark))
            .collect()
    }

    /// The file's text.
    pub fn text(&self) -> Result<String, Problem> {
        read_text(&self.path)
            .map_err(|message| Problem::new(&self.path, ProblemKind::Unreadable, message))
    }
}

impl Found<Loaded> {
    fn add(&mut self, outcome: Result<(Loaded, Vec<Problem>), Problem>) {
        self.add_if(outcome, |_| true);
    }

    fn add_if(
        &mut self,
        outcome: Result<(Loaded, Vec<Problem>), Problem>,
        wanted: impl Fn(&ResultSet) -> bool,
    ) {
        match outcome {
            Ok((loaded, problems)) => {
                if wanted(&loaded.set) {
                    self.items.push(loaded);
                    self.problems.extend(problems);
                }
            }
            Err(problem) => self.problems.push(problem),
        }
    }
}

/// Whether the commit in a file's name leaves it open that the file is of `commit`.
fn may_be_of(named: &str, commit: &str) -> bool {
    named.starts_with(commit) || commit.starts_with(named)
}

/// The part of a file's name that stands for the commit.
pub(super) fn commit_in(name: &str) -> &str {
    let stem = name.strip_suffix(".json").unwrap_or(name);
    stem.split_once('-').map_or(stem, |(commit, _)| commit)
}

/// The text of a file; an error is a phrase that goes on after the file's name.
pub(super) fn read_text(path: &Path) -> Result<String, String> {
    // Opening a pipe that nobody writes to would wait for ever, and a device may have no end.
    if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return Err("is no file, but a pipe, a socket or a device".to_owned());
    }
    let bytes = fs::read(path).map_err(|error| format!("cannot be read ({error})"))?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        format!("is no UTF-8 text (byte {at})")
    })
}

#[cfg(test)]
mod tests;
