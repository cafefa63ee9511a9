//! Folding journals into result files: at the end of a run, or after one that was killed.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fs_err as fs;

use crate::sys::files::{FileError, Lock, LockOutcome, is_temporary};

use super::journal::{EXTENSION, JournalContent, NotAJournal, read_journal};
use super::listing::{ListedFolder, Listing};
use super::merge::Addition;
use super::save::machine_of;
use super::store::read_text;
use super::writer::Writer;
use super::{Journal, Problem, ProblemKind, SaveError, Saved, Store};

/// What became of a journal whose writer is gone.
#[derive(Debug)]
pub enum Recovery {
    /// Its benchmarks are in the result file now.
    Folded {
        journal: PathBuf,
        benchmarks: usize,
        saved: Saved,
    },
    /// Nothing was in it; it is removed.
    Empty { journal: PathBuf },
    /// It stays, for this reason.
    Left { journal: PathBuf, reason: String },
}

impl fmt::Display for Recovery {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Folded {
                benchmarks, saved, ..
            } => {
                let noun = if *benchmarks == 1 {
                    "benchmark"
                } else {
                    "benchmarks"
                };
                write!(
                    formatter,
                    "saved {benchmarks} {noun} of a run that was killed, in {}",
                    saved.path.display()
                )
            }
            Self::Empty { journal } => write!(
                formatter,
                "removed {}, the journal of a run that was killed before its first benchmark was \
                 done",
                journal.display()
            ),
            Self::Left { journal, reason } => {
                write!(
                    formatter,
                    "left {} as it is: it {reason}",
                    journal.display()
                )
            }
        }
    }
}

impl Store {
    /// Begins the journal of a run. `header` has everything but results; its machine is
    /// `params.machine`.
    pub fn begin(&self, header: &Addition) -> Result<Journal, SaveError> {
        let folder = self.make_machine_folder(machine_of(&header.set))?;
        // Whoever recovers has this lock too: a journal is never seen before its own is held.
        let _lock = Lock::wait(&folder)?;
        Ok(Journal::create(&folder, header)?)
    }

    /// Folds a journal into its result file and removes it. `None` if nothing was in it. On an
    /// error the journal stays, and [`Store::recover`] of a later command tries again.
    pub fn fold(&self, journal: Journal) -> Result<Option<Saved>, SaveError> {
        let path = journal.path().to_owned();
        let folder = path.parent().unwrap_or(Path::new("."));
        let _lock = Lock::wait(folder)?;
        let content = read(&path)?;
        let saved = self.fold_content(&path, folder, &content)?;
        drop(journal);
        Ok(saved)
    }

    /// Folds every journal whose writer is gone, in all folders below the root, and sweeps up what
    /// a kill left behind. Without journals this takes no lock and reads no file.
    pub fn recover(&self) -> Vec<Recovery> {
        self.recover_in(&self.list())
    }

    pub(super) fn recover_in(&self, listing: &Listing) -> Vec<Recovery> {
        let mut recoveries = Vec::new();
        for ListedFolder {
            path: folder,
            names,
            ..
        } in &listing.folders
        {
            sweep(folder, names);
            let journals = journals_in(folder, names);
            if journals.is_empty() {
                continue;
            }
            let lock = match Lock::wait(folder) {
                Ok(lock) => lock,
                Err(error) => {
                    let left = |journal| left(journal, &error);
                    recoveries.extend(journals.into_iter().map(left));
                    continue;
                }
            };
            for journal in journals {
                recoveries.extend(self.recover_one(folder, journal));
            }
            drop(lock);
        }
        recoveries
    }

    /// Folds one journal of a locked folder; `None` if its writer lives or it is gone already.
    fn recover_one(&self, folder: &Path, journal: PathBuf) -> Option<Recovery> {
        if !journal.exists() {
            return None;
        }
        let outcome = match Lock::attempt(&journal) {
            Ok(lock) if lock.outcome() == LockOutcome::Busy => return None,
            // Kept until the journal is folded.
            Ok(lock) => lock,
            Err(error) => return Some(left(journal, &error)),
        };
        let content = match read_text(&journal).map_err(NotAJournal::Unreadable) {
            Ok(text) => read_journal(&text),
            Err(refusal) => Err(refusal),
        };
        let content = match content {
            Ok(content) => content,
            Err(NotAJournal::Empty) if outcome.outcome() == LockOutcome::Held => {
                fs::remove_file(&journal).ok();
                return Some(Recovery::Empty { journal });
            }
            Err(NotAJournal::Empty) => return None,
            Err(NotAJournal::Unreadable(reason)) => {
                return Some(Recovery::Left { journal, reason });
            }
        };
        let is_gone = outcome.outcome() == LockOutcome::Held
            || content.writer.is_gone(&Writer::this_process());
        if !is_gone {
            let reason = "may still be written: locks do not work on this file system".to_owned();
            return Some(Recovery::Left { journal, reason });
        }
        let benchmarks = content.addition.set.results.len();
        Some(match self.fold_content(&journal, folder, &content) {
            Ok(Some(saved)) => Recovery::Folded {
                journal,
                benchmarks,
                saved,
            },
            Ok(None) => Recovery::Empty { journal },
            Err(error) => left(journal, &error),
        })
    }

    /// Saves what a journal holds and removes it. The folder is locked.
    fn fold_content(
        &self,
        path: &Path,
        folder: &Path,
        content: &JournalContent,
    ) -> Result<Option<Saved>, SaveError> {
        let saved = if content.is_empty() {
            None
        } else {
            let mut saved = self.save_locked(folder, &content.addition)?;
            if content.damaged > 0 {
                let message = format!("had {} damaged lines, which are lost", content.damaged);
                saved
                    .problems
                    .push(Problem::new(path, ProblemKind::Unreadable, message));
            }
            Some(saved)
        };
        fs::remove_file(path).map_err(|source| FileError::new("remove", path, source))?;
        Ok(saved)
    }
}

fn left(journal: PathBuf, error: &dyn std::error::Error) -> Recovery {
    let chain = std::iter::successors(Some(error), |error| error.source());
    let causes: Vec<String> = chain.map(ToString::to_string).collect();
    let reason = format!("could not be folded in ({})", causes.join(": "));
    Recovery::Left { journal, reason }
}

/// The journals among the sorted names in a folder.
fn journals_in(folder: &Path, names: &[String]) -> Vec<PathBuf> {
    let journals = names.iter().filter(|name| name.ends_with(EXTENSION));
    journals.map(|name| folder.join(name)).collect()
}

/// Removes temporary files that a kill left behind. They live for milliseconds, so an hour is old.
fn sweep(folder: &Path, names: &[String]) {
    const OLD: Duration = Duration::from_hours(1);
    for name in names.iter().filter(|name| is_temporary(name)) {
        let path = folder.join(name);
        let modified = fs::metadata(&path).and_then(|metadata| metadata.modified());
        if modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > OLD)) {
            fs::remove_file(&path).ok();
        }
    }
}

/// A journal of this process.
fn read(path: &Path) -> Result<JournalContent, SaveError> {
    let refused = |reason: String| FileError::new("read", path, std::io::Error::other(reason));
    let text = read_text(path).map_err(refused)?;
    match read_journal(&text) {
        Ok(content) => Ok(content),
        Err(NotAJournal::Empty) => Err(refused("is empty".to_owned()).into()),
        Err(NotAJournal::Unreadable(reason)) => Err(refused(reason).into()),
    }
}

#[cfg(test)]
mod tests;
