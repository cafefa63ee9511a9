//! The machines of a history, and their files by commit.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::history::HistoryError;
use crate::history::normaliser::present_params;
use crate::json::{Json, to_compact, to_pretty};
use crate::machine::Machine;
use crate::results::{MACHINE_FILE, MachineFolder, ResultFile, Store};
use crate::sys::files::write_whole;

use super::ledger::digest;
use super::settle::{Folder, Group, Outcome};
use super::{Gathering, make_folder};

/// Version of asv's `machine.json`.
const MACHINE_VERSION: i64 = 1;

/// The files of a folder by the first digits of their commits.
pub(super) type Groups = BTreeMap<String, Group>;

/// All machines of the history and of the local results, their `machine.json` written where it is to
/// be another one. The local description of a machine counts.
pub(super) fn folders(
    gathering: &Gathering<'_>,
    all: &mut Outcome,
) -> Result<Vec<(Folder, Groups)>, HistoryError> {
    let target = gathering.target;
    let machines = target.machines();
    all.merged.problems.extend(machines.problems);
    let mut machine_of: BTreeMap<PathBuf, (Machine, bool)> = BTreeMap::new();
    for folder in machines.items {
        machine_of.insert(folder.path, (folder.machine, folder.is_described));
    }
    let known: Vec<PathBuf> = machine_of.keys().cloned().collect();
    let mut locals: Vec<(PathBuf, ResultFile)> = Vec::new();
    if let Some(local) = gathering.local {
        let machines = local.machines();
        all.merged.problems.extend(machines.problems);
        for folder in machines.items {
            let path = target.machine_path(&folder.machine.name)?;
            let files = local.files(&folder);
            all.merged.problems.extend(files.problems);
            locals.extend(files.items.into_iter().map(|file| (path.clone(), file)));
            let described = |known: &(Machine, bool)| known.1;
            // What could not be read here does not replace what can be read there.
            if folder.is_described || !machine_of.get(&path).is_some_and(described) {
                machine_of.insert(path, (folder.machine, folder.is_described));
            }
        }
    }
    let mut folders = Vec::new();
    for (path, (machine, is_described)) in machine_of {
        make_folder(&path)?;
        let params = if gathering.settings.rules.machine {
            present_params(&machine)
        } else {
            machine.params()
        };
        let was_there = known.contains(&path);
        let is_new = is_described || !was_there;
        if is_new && write_machine(&path, params.clone())? && was_there {
            all.report.written += 1;
        }
        let folder = Folder {
            digest: digest(to_compact(&params.into()).as_bytes()),
            // A description without a fact says nothing of the results.
            is_described: is_described && !machine.facts.is_empty(),
            machine,
            path,
        };
        let mut groups = Groups::new();
        let listed = target.files(&as_listed(&folder));
        all.merged.problems.extend(listed.problems);
        for file in listed.items {
            let group = groups.entry(file.commit.clone()).or_default();
            group.targets.push(file);
        }
        for (_, file) in locals.iter().filter(|(of, _)| *of == folder.path) {
            let group = groups.entry(file.commit.clone()).or_default();
            group.locals.push(file.clone());
        }
        folders.push((folder, groups));
    }
    Ok(folders)
}

/// The files of a folder whose names begin with these digits, as they are now.
pub(super) fn files_of(target: &Store, folder: &Folder, digits: &str) -> Vec<ResultFile> {
    let mut files = target.files(&as_listed(folder)).items;
    files.retain(|file| file.commit == digits);
    files
}

fn as_listed(folder: &Folder) -> MachineFolder {
    MachineFolder {
        machine: folder.machine.clone(),
        path: folder.path.clone(),
        is_described: folder.is_described,
    }
}

/// Writes `machine.json` unless it says the same already; says whether it did.
fn write_machine(folder: &Path, mut members: crate::json::Object) -> Result<bool, HistoryError> {
    members.insert("version".to_owned(), Json::Int(MACHINE_VERSION));
    let text = to_pretty(&members.into());
    let path = folder.join(MACHINE_FILE);
    if fs::read_to_string(&path).is_ok_and(|old| old == text) {
        return Ok(false);
    }
    write_whole(&path, text.as_bytes())?;
    Ok(true)
}
