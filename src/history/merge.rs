//! Two results folders as one.

use std::collections::HashSet;
use std::path::Path;

use fs_err as fs;

use crate::config::EnvironmentSettings;
use crate::results::{
    Addition, BenchmarkIndex, Detail, Loaded, MachineFolder, Problem, ResultFile, Store,
};

use super::HistoryError;

/// What merging did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Merged {
    /// Result files of the local folder that added something.
    pub added: usize,
    /// Result files that were there already, to the byte.
    pub same: usize,
    /// Files that were passed over, and other oddities.
    pub problems: Vec<Problem>,
}

/// Adds everything in `local` to `target`. Where both have results of a machine, commit, environment
/// and benchmark, the local ones count; everything else of the target stays.
///
/// Names of the environment that are aliases are the same environment. One file is held at a time.
pub fn merge(
    target: &Store,
    local: &Store,
    environment: &EnvironmentSettings,
) -> Result<Merged, HistoryError> {
    let described: HashSet<String> = target
        .machines()
        .items
        .into_iter()
        .filter(|folder| folder.is_described)
        .map(|folder| folder.machine.name)
        .collect();
    let machines = local.machines();
    let mut merged = Merged {
        problems: machines.problems,
        ..Merged::default()
    };
    for folder in &machines.items {
        let files = local.files(folder);
        merged.problems.extend(files.problems);
        for file in &files.items {
            if is_there(target, folder, file) {
                merged.same += 1;
                continue;
            }
            add(target, local, file, environment, &mut merged)?;
        }
        // What could not be read here does not replace what can be read there.
        if folder.is_described || !described.contains(&folder.machine.name) {
            target.save_machine(&folder.machine)?;
        }
    }
    match local.load_benchmarks() {
        Ok(index) => add_suite(target, index, &mut merged)?,
        Err(problem) => merged.problems.push(problem),
    }
    Ok(merged)
}

fn add(
    target: &Store,
    local: &Store,
    file: &ResultFile,
    environment: &EnvironmentSettings,
    merged: &mut Merged,
) -> Result<(), HistoryError> {
    let set = match local.load(file, Detail::Full) {
        Ok((Loaded { set, .. }, problems)) => {
            merged.problems.extend(problems);
            set
        }
        Err(problem) => {
            merged.problems.push(problem);
            return Ok(());
        }
    };
    let addition = Addition {
        aliases: other_names(&set.env_name, environment),
        set,
        ..Addition::default()
    };
    let saved = target.save(&addition)?;
    merged.problems.extend(saved.problems);
    merged.added += 1;
    Ok(())
}

/// The other names of the configured environment, if this is one of its names.
fn other_names(env_name: &str, environment: &EnvironmentSettings) -> Vec<String> {
    let Some(name) = &environment.name else {
        return Vec::new();
    };
    let all: Vec<&String> = std::iter::once(name).chain(&environment.aliases).collect();
    if !all.iter().any(|name| *name == env_name) {
        return Vec::new();
    }
    all.into_iter()
        .filter(|name| *name != env_name)
        .cloned()
        .collect()
}

/// Whether the target has this very file.
fn is_there(target: &Store, folder: &MachineFolder, file: &ResultFile) -> bool {
    let Ok(machine) = target.machine_path(&folder.machine.name) else {
        return false;
    };
    let Some(name) = file.path.file_name() else {
        return false;
    };
    same_content(&machine.join(name), &file.path)
}

fn same_content(one: &Path, other: &Path) -> bool {
    let length = |path: &Path| fs::metadata(path).map(|metadata| metadata.len()).ok();
    length(one).is_some()
        && length(one) == length(other)
        && fs::read(one).ok() == fs::read(other).ok()
}

/// The benchmarks of both suites; the local records count.
fn add_suite(
    target: &Store,
    local: BenchmarkIndex,
    merged: &mut Merged,
) -> Result<(), HistoryError> {
    if local.benchmarks.is_empty() {
        return Ok(());
    }
    let mut all = match target.load_benchmarks() {
        Ok(index) => index,
        Err(problem) => {
            merged.problems.push(problem);
            return Ok(());
        }
    };
    all.benchmarks.extend(local.benchmarks);
    target.replace_benchmarks(&all)?;
    Ok(())
}

#[cfg(test)]
mod tests;
