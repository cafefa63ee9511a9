//! The rules, applied to a results folder.

use std::path::Path;

use fs_err as fs;

use crate::config::{EnvironmentSettings, HistorySettings};
use crate::json::{Json, to_pretty};
use crate::results::{
    BenchmarkIndex, Detail, Loaded, MachineFolder, Problem, ResultFile, ResultSet, Store,
    result_file_name,
};
use crate::sys::files::{Lock, write_atomic};

use super::HistoryError;
use super::lifetimes::Lifetimes;
use super::normaliser::{Normaliser, Place, is_retired, present_params};
use super::renames::Renames;
use super::report::NormaliseReport;

/// Version of asv's `machine.json`.
const MACHINE_VERSION: i64 = 1;

/// Makes the results of a folder one history: every rule that is on, file by file, each written whole
/// or not at all. A file that nothing applies to is not touched, so a repetition writes nothing.
///
/// Returns what was done, and the files that could not be read; those stay as they are.
pub fn normalise(
    store: &Store,
    settings: &HistorySettings,
    environment: &EnvironmentSettings,
) -> Result<(NormaliseReport, Vec<Problem>), HistoryError> {
    let machines = store.machines();
    let mut pass = Pass {
        store,
        settings,
        environment,
        report: NormaliseReport::default(),
        problems: machines.problems,
    };
    let mut lifetimes = Lifetimes::default();
    let mut places: Vec<(MachineFolder, Option<String>)> = Vec::new();
    for folder in machines.items {
        let python = pass.survey(&folder, &mut lifetimes);
        places.push((folder, python));
    }
    let renames = Renames::find(&lifetimes, &settings.renamed);
    if settings.rules.renames {
        pass.report.suspects.clone_from(&renames.suspects);
    }
    for (folder, python) in &places {
        pass.folder(folder, python.as_deref(), &renames)?;
    }
    pass.suite(&renames)?;
    pass.problems
        .sort_by(|one, other| one.path.cmp(&other.path));
    pass.problems.dedup();
    Ok((pass.report, pass.problems))
}

struct Pass<'a> {
    store: &'a Store,
    settings: &'a HistorySettings,
    environment: &'a EnvironmentSettings,
    report: NormaliseReport,
    problems: Vec<Problem>,
}

impl Pass<'_> {
    /// Notes when which benchmark was measured; returns the newest interpreter of the configured
    /// environment. One file is held at a time.
    fn survey(&mut self, folder: &MachineFolder, lifetimes: &mut Lifetimes) -> Option<String> {
        let detail = if self.settings.rules.renames {
            Detail::Values
        } else {
            Detail::Header
        };
        let mut newest: Option<(bool, i64, String)> = None;
        let files = self.store.files(folder);
        self.problems.extend(files.problems);
        for file in &files.items {
            let Some(set) = self.read(file, detail) else {
                continue;
            };
            let date = set.date.unwrap_or(0);
            for name in set.results.keys() {
                lifetimes.add(name, date);
            }
            let name = self.environment.name.as_deref();
            let is_named = name == Some(&set.env_name);
            if is_named || (name.is_some() && self.environment.aliases.contains(&set.env_name)) {
                let candidate = (is_named, date, set.python);
                if newest.as_ref().is_none_or(|known| *known < candidate) {
                    newest = Some(candidate);
                }
            }
        }
        newest.map(|(_, _, python)| python)
    }

    fn read(&mut self, file: &ResultFile, detail: Detail) -> Option<ResultSet> {
        match self.store.load(file, detail) {
            Ok((Loaded { set, .. }, problems)) => {
                self.problems.extend(problems);
                Some(set)
            }
            Err(problem) => {
                self.problems.push(problem);
                None
            }
        }
    }

    fn folder(
        &mut self,
        folder: &MachineFolder,
        python: Option<&str>,
        renames: &Renames,
    ) -> Result<(), HistoryError> {
        let _lock = Lock::wait(&folder.path)?;
        if self.settings.rules.machine && folder.is_described {
            self.machine_file(folder)?;
        }
        let normaliser = Normaliser {
            settings: self.settings,
            environment: self.environment,
            renames,
        };
        let place = Place {
            machine: folder.is_described.then_some(&folder.machine),
            python,
        };
        for file in &self.store.files(folder).items {
            let Some(mut set) = self.read(file, Detail::Full) else {
                continue;
            };
            self.report.files += 1;
            let environment = set.env_name.clone();
            if normaliser.apply(&mut set, place, &mut self.report) {
                self.report.written += 1;
                if set.env_name == environment {
                    write_atomic(&file.path, set.to_text().as_bytes())?;
                } else {
                    self.move_file(folder, file, set)?;
                }
            }
        }
        Ok(())
    }

    /// Writes a set whose environment has another name now. Where results of that name are there
    /// already they count, and the set adds what they lack.
    fn move_file(
        &mut self,
        folder: &MachineFolder,
        file: &ResultFile,
        set: ResultSet,
    ) -> Result<(), HistoryError> {
        let path = folder
            .path
            .join(result_file_name(&set.commit_hash, &set.env_name));
        let mut target = set;
        if path.exists() && path != file.path {
            let there = ResultFile {
                path: path.clone(),
                ..file.clone()
            };
            match self.read(&there, Detail::Full) {
                Some(there) if there.commit_hash == target.commit_hash => {
                    let moved = std::mem::replace(&mut target, there);
                    add_missing(&mut target, moved);
                }
                // Unreadable, or another commit with the same eight digits: the file keeps its name.
                _ => {
                    write_atomic(&file.path, target.to_text().as_bytes())?;
                    return Ok(());
                }
            }
        }
        write_atomic(&path, target.to_text().as_bytes())?;
        if path != file.path {
            remove(&file.path)?;
        }
        Ok(())
    }

    /// The memory in `machine.json` becomes whole gigabytes, too.
    fn machine_file(&mut self, folder: &MachineFolder) -> Result<(), HistoryError> {
        let mut members = present_params(&folder.machine);
        if members == folder.machine.params() {
            return Ok(());
        }
        members.insert("version".to_owned(), Json::Int(MACHINE_VERSION));
        let path = folder.path.join("machine.json");
        write_atomic(&path, to_pretty(&members.into()).as_bytes())?;
        self.report.written += 1;
        Ok(())
    }

    /// Takes renamed and retired benchmarks out of `benchmarks.json`.
    fn suite(&mut self, renames: &Renames) -> Result<(), HistoryError> {
        let index = match self.store.load_benchmarks() {
            Ok(index) => index,
            Err(problem) => {
                self.problems.push(problem);
                return Ok(());
            }
        };
        let rules = self.settings.rules;
        let apart: Vec<&String> = self.report.kept_apart.keys().map(|(old, _)| old).collect();
        let kept: BenchmarkIndex = index
            .benchmarks
            .values()
            .filter(|record| {
                let retired = rules.retired && is_retired(&record.name, &self.settings.retired);
                let new_name = renames.new_name(&record.name).filter(|_| rules.renames);
                let renamed = new_name.is_some_and(|new| index.benchmarks.contains_key(new))
                    && !apart.contains(&&record.name);
                !retired && !renamed
            })
            .cloned()
            .collect();
        if kept.benchmarks.len() < index.benchmarks.len() {
            self.store.replace_benchmarks(&kept)?;
            self.report.written += 1;
        }
        Ok(())
    }
}

/// Adds the benchmarks that the target does not have.
fn add_missing(target: &mut ResultSet, other: ResultSet) {
    let ResultSet {
        results,
        durations,
        provenance,
        ..
    } = other;
    let facts = provenance.map(|provenance| provenance.benchmarks);
    let mut facts = facts.unwrap_or_default();
    for (name, row) in results {
        if target.results.contains_key(&name) {
            continue;
        }
        if let (Some(facts), Some(provenance)) =
            (facts.shift_remove(&name), target.provenance.as_mut())
        {
            provenance.benchmarks.insert(name.clone(), facts);
        }
        target.results.insert(name, row);
    }
    for (key, seconds) in durations {
        target.durations.entry(key).or_insert(seconds);
    }
}

fn remove(path: &Path) -> Result<(), HistoryError> {
    fs::remove_file(path).map_err(|source| {
        HistoryError::File(crate::sys::files::FileError::new("remove", path, source))
    })
}

#[cfg(test)]
mod tests;
