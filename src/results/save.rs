//! Writing into the store: merged, atomic and one process at a time.

use std::path::{Component, Path, PathBuf};

use fs_err as fs;

use crate::json::{Json, parse, to_compact};
use crate::machine::Machine;
use crate::sys::files::{FileError, Lock, write_atomic};

use super::merge::{Addition, Document};
use super::read::{self, Detail};
use super::store::{MachineFolder, Store, read_text};
use super::{EnvironmentNames, Problem, ProblemKind, ResultSet, result_file_name};

/// Why results could not be saved. What was on disk is as it was.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// A folder or file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A folder cannot be made.
    #[error("cannot make the results folder {}", path.display())]
    Folder {
        path: PathBuf,
        source: std::io::Error,
    },
    /// The name of the machine is no name of a folder.
    #[error("`{0}` cannot be the name of a folder of results; choose another machine name")]
    MachineName(String),
    /// The file is of a later version of asv's format.
    #[error("{} {message}; move it away to save there", path.display())]
    Newer { path: PathBuf, message: String },
    /// The file is of another commit with the same first eight digits.
    #[error(
        "{} holds results of {theirs}, whose first eight digits are those of {ours}",
        path.display()
    )]
    OtherCommit {
        path: PathBuf,
        ours: String,
        theirs: String,
    },
}

/// Where results were saved, and what was odd about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    pub path: PathBuf,
    pub problems: Vec<Problem>,
}

impl Store {
    /// The folder of a machine, which need not exist.
    pub fn machine_path(&self, machine: &str) -> Result<PathBuf, SaveError> {
        let mut components = Path::new(machine).components();
        let is_plain = !machine.is_empty()
            && components.all(|component| matches!(component, Component::Normal(_)));
        if is_plain {
            Ok(self.root().join(machine))
        } else {
            Err(SaveError::MachineName(machine.to_owned()))
        }
    }

    /// Whether results of this machine can be saved at all: makes its folder and, in it and in the
    /// folder above, a file that it takes away again. To be asked before measuring.
    pub fn check_writable(&self, machine: &str) -> Result<(), SaveError> {
        let folder = self.make_machine_folder(machine)?;
        self.check_root_writable()?;
        Self::probe(&folder)
    }

    /// Whether the folder itself, which must be there, can be written.
    pub fn check_root_writable(&self) -> Result<(), SaveError> {
        Self::probe(self.root())
    }

    fn probe(folder: &Path) -> Result<(), SaveError> {
        let probe = folder.join(format!(".lcmbench-{}.tmp", std::process::id()));
        write_atomic(&probe, b"")?;
        fs::remove_file(&probe).ok();
        Ok(())
    }

    pub(super) fn make_machine_folder(&self, machine: &str) -> Result<PathBuf, SaveError> {
        let path = self.machine_path(machine)?;
        Self::make_folder(&path)?;
        Ok(path)
    }

    pub(super) fn make_folder(path: &Path) -> Result<(), SaveError> {
        fs::create_dir_all(path).map_err(|source| SaveError::Folder {
            path: path.to_owned(),
            source,
        })
    }

    /// Adds what a run measured to the file of its commit, machine and environment, or makes it.
    ///
    /// The machine is `params.machine` of the addition. Processes that save at the same time merge:
    /// each locks the machine's folder, reads, merges and replaces. A file that cannot be read is
    /// moved aside, never overwritten. Files of version 1 become version 2.
    pub fn save(&self, addition: &Addition) -> Result<Saved, SaveError> {
        let folder = self.make_machine_folder(machine_of(&addition.set))?;
        let _lock = Lock::wait(&folder)?;
        self.save_locked(&folder, addition)
    }

    /// As [`Store::save`], by one who has locked the folder.
    pub(super) fn save_locked(
        &self,
        folder: &Path,
        addition: &Addition,
    ) -> Result<Saved, SaveError> {
        let mut problems = Vec::new();
        let path = self.place_of(folder, addition);
        let (old, mut document) = match existing(&path, &addition.set)? {
            Existing::None => (None, Document::of(&empty(&addition.set))),
            Existing::Usable { text, document } => (Some(text), document),
            Existing::Unusable(message) => {
                problems.push(move_aside(&path, &message)?);
                (None, Document::of(&empty(&addition.set)))
            }
        };
        document.add(addition);
        let text = to_compact(&document.into_json());
        if old.as_ref() != Some(&text) {
            write_atomic(&path, text.as_bytes())?;
        }
        Ok(Saved { path, problems })
    }

    /// The file of the same commit and environment, whatever its name, or where a new one goes.
    fn place_of(&self, folder: &Path, addition: &Addition) -> PathBuf {
        let set = &addition.set;
        let own = folder.join(result_file_name(&set.commit_hash, &set.env_name));
        if own.exists() {
            return own;
        }
        let names = EnvironmentNames {
            name: set.env_name.clone(),
            aliases: addition.aliases.clone(),
        };
        let machine = Machine {
            name: machine_of(set).to_owned(),
            ..Machine::default()
        };
        let folder = MachineFolder {
            machine,
            path: folder.to_owned(),
            is_described: true,
        };
        let found = self.find(&folder, &set.commit_hash, Some(&names), Detail::Header);
        found
            .items
            .into_iter()
            .next()
            .map_or(own, |loaded| loaded.file.path)
    }
}

/// Why nothing is added to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// It is no result file; the phrase goes on after its name.
    Unusable(String),
    /// It is of another commit, or of a later version.
    Kept(Problem),
}

/// The text of the file at `path`, which has this content, with what an addition puts in. The file
/// itself stays as it is.
pub fn added_to(path: &Path, text: String, addition: &Addition) -> Result<String, Refusal> {
    let kept = |kind, message| Err(Refusal::Kept(Problem::new(path, kind, message)));
    match existing_text(path, text, &addition.set) {
        Ok(Existing::None) => Ok(addition.set.to_text()),
        Ok(Existing::Usable { mut document, .. }) => {
            document.add(addition);
            Ok(to_compact(&document.into_json()))
        }
        Ok(Existing::Unusable(message)) => Err(Refusal::Unusable(message)),
        Err(SaveError::Newer { message, .. }) => kept(ProblemKind::Newer, message),
        Err(error) => kept(
            ProblemKind::Unreadable,
            format!("cannot be added to: {error}"),
        ),
    }
}

/// The machine that a set is of.
pub(super) fn machine_of(set: &ResultSet) -> &str {
    set.params
        .get("machine")
        .and_then(Json::as_str)
        .unwrap_or_default()
}

/// The set without what an addition puts in.
fn empty(set: &ResultSet) -> ResultSet {
    ResultSet {
        results: indexmap::IndexMap::new(),
        durations: indexmap::IndexMap::new(),
        provenance: None,
        ..set.clone()
    }
}

/// What is there already.
enum Existing {
    None,
    Usable {
        text: String,
        document: Document,
    },
    /// Something that cannot be merged into, and why.
    Unusable(String),
}

fn existing(path: &Path, set: &ResultSet) -> Result<Existing, SaveError> {
    if !path.exists() {
        return Ok(Existing::None);
    }
    match read_text(path) {
        Ok(text) => existing_text(path, text, set),
        Err(message) => Ok(Existing::Unusable(message)),
    }
}

fn existing_text(path: &Path, text: String, set: &ResultSet) -> Result<Existing, SaveError> {
    let old = match read::read_results(&text, Detail::Full) {
        Ok(reading) => reading.set,
        Err(refusal) if refusal.kind == ProblemKind::Newer => {
            return Err(SaveError::Newer {
                path: path.to_owned(),
                message: refusal.message,
            });
        }
        Err(refusal) => return Ok(Existing::Unusable(refusal.message)),
    };
    if old.commit_hash != set.commit_hash {
        return Err(SaveError::OtherCommit {
            path: path.to_owned(),
            ours: set.commit_hash.clone(),
            theirs: old.commit_hash,
        });
    }
    let json = parse(&text).ok();
    let is_current =
        json.as_ref().and_then(|json| json.get("version")) == Some(&read::VERSION.into());
    let document = match json.filter(|_| is_current).and_then(Document::open) {
        Some(document) => document,
        None => Document::of(&old),
    };
    Ok(Existing::Usable { text, document })
}

/// Renames a file that is in the way to `<name>.unreadable`, with a number if that is taken.
pub fn move_aside(path: &Path, message: &str) -> Result<Problem, SaveError> {
    let mut aside = path.with_extension("json.unreadable");
    let mut number = 1;
    while aside.exists() {
        number += 1;
        aside = path.with_extension(format!("json.unreadable{number}"));
    }
    fs::rename(path, &aside).map_err(|source| FileError::new("move", path, source))?;
    let message = format!("{message}; it was moved to {}", aside.display());
    Ok(Problem::new(path, ProblemKind::MovedAside, message))
}

#[cfg(test)]
mod tests;
