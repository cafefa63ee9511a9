//! `results/benchmarks.json`: what the suite has, and what it had as long as results remain.

use std::path::PathBuf;
use std::time::SystemTime;

use fs_err as fs;

use crate::json::to_compact;
use crate::sys::files::{Lock, write_atomic};

use super::save::move_aside;
use super::store::{BENCHMARKS_FILE, read_text};
use super::{BenchmarkIndex, Problem, ProblemKind, SaveError, Store};

/// Bytes of result files that are searched for benchmarks that left the suite, newest files first.
/// A benchmark that left is usually in one of the newest; the bound keeps a long history cheap.
const SEARCHED_BYTES: usize = 32_000_000;

impl Store {
    /// The benchmarks of `benchmarks.json`; none if there is no such file.
    pub fn load_benchmarks(&self) -> Result<BenchmarkIndex, Problem> {
        let path = self.root().join(BENCHMARKS_FILE);
        if !path.exists() {
            return Ok(BenchmarkIndex::default());
        }
        let text = read_text(&path);
        text.and_then(|text| {
            BenchmarkIndex::from_text(&text).map_err(|error| format!("is no JSON ({error})"))
        })
        .map_err(|message| Problem::new(&path, ProblemKind::Unreadable, message))
    }

    /// Writes `benchmarks.json` as asv does, with the benchmarks that were discovered and those that
    /// left the suite while results of them remain.
    ///
    /// Whether results remain is found out by looking for the names in the newest result files. If
    /// that was not all of them, a benchmark that was not found is kept: none is ever forgotten
    /// that still has results.
    pub fn save_benchmarks(&self, discovered: &BenchmarkIndex) -> Result<Vec<Problem>, SaveError> {
        Self::make_folder(self.root())?;
        let _lock = Lock::wait(self.root())?;
        let path = self.root().join(BENCHMARKS_FILE);
        let mut problems = Vec::new();
        let old = match self.load_benchmarks() {
            Ok(old) => old,
            Err(problem) => {
                problems.push(move_aside(&path, &problem.message)?);
                BenchmarkIndex::default()
            }
        };
        let mut index = discovered.clone();
        let departed: Vec<&str> = old
            .benchmarks
            .keys()
            .map(String::as_str)
            .filter(|name| !discovered.benchmarks.contains_key(*name))
            .collect();
        for name in self.with_results(&departed, SEARCHED_BYTES) {
            index
                .benchmarks
                .insert(name.to_owned(), old.benchmarks[name].clone());
        }
        let text = index.to_text();
        let is_same = read_text(&path).is_ok_and(|old| old == text);
        if !is_same {
            write_atomic(&path, text.as_bytes())?;
        }
        Ok(problems)
    }

    /// Writes `benchmarks.json` with exactly these benchmarks, unless it says the same already.
    pub fn replace_benchmarks(&self, index: &BenchmarkIndex) -> Result<(), SaveError> {
        Self::make_folder(self.root())?;
        let _lock = Lock::wait(self.root())?;
        let path = self.root().join(BENCHMARKS_FILE);
        let text = index.to_text();
        if read_text(&path).is_ok_and(|old| old == text) {
            return Ok(());
        }
        write_atomic(&path, text.as_bytes())?;
        Ok(())
    }

    /// Those of `names` that results may exist of.
    pub(super) fn with_results<'n>(&self, names: &[&'n str], mut budget: usize) -> Vec<&'n str> {
        let mut unseen: Vec<(&str, String)> = names
            .iter()
            .map(|name| (*name, to_compact(&(*name).into())))
            .collect();
        let mut found = Vec::new();
        if unseen.is_empty() {
            return found;
        }
        for path in self.newest_first() {
            let text = match read_text(&path) {
                Ok(text) if text.len() <= budget => text,
                // Not searched: whatever was not found yet may be in there.
                _ => {
                    found.extend(unseen.iter().map(|(name, _)| *name));
                    return found;
                }
            };
            budget -= text.len();
            unseen.retain(|(name, quoted)| {
                // A name may be written with or without escapes; that it stands for something else
                // does no harm.
                let is_there = text.contains(quoted) || (!name.is_ascii() && text.contains(*name));
                if is_there {
                    found.push(*name);
                }
                !is_there
            });
            if unseen.is_empty() {
                break;
            }
        }
        found
    }

    /// All result files of all machines, the last written first.
    fn newest_first(&self) -> Vec<PathBuf> {
        let folders = self.machines().items;
        let files = folders.iter().flat_map(|folder| self.files(folder).items);
        let mut dated: Vec<(SystemTime, PathBuf)> = files
            .map(|file| {
                let metadata = fs::metadata(&file.path).and_then(|metadata| metadata.modified());
                (metadata.unwrap_or(SystemTime::UNIX_EPOCH), file.path)
            })
            .collect();
        dated.sort_by(|a, b| b.cmp(a));
        dated.into_iter().map(|(_, path)| path).collect()
    }
}

#[cfg(test)]
mod tests;
