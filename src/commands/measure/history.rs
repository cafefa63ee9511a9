//! How long benchmarks took before, from the newest result files of this machine.

use std::time::SystemTime;

use fs_err as fs;

use crate::config::Settings;
use crate::machine::Detected;
use crate::results::{Detail, MachineFolder, Store};
use crate::run::Durations;
use crate::suite::Selected;

/// At most so many result files are read.
const MOST_FILES: usize = 5;

/// Durations of the selected benchmarks on this machine, as far as its newest result files tell.
pub(in crate::commands) fn durations(settings: &Settings, selected: &[Selected]) -> Durations {
    let store = Store::new(&settings.asv.results_dir);
    let mut durations = Durations::default();
    let Some(folder) = this_machine(settings, &store) else {
        return durations;
    };
    let mut files: Vec<_> = store
        .files(&folder)
        .items
        .into_iter()
        .map(|file| {
            let modified = fs::metadata(&file.path).and_then(|data| data.modified());
            (modified.unwrap_or(SystemTime::UNIX_EPOCH), file)
        })
        .collect();
    files.sort_by_key(|(modified, _)| std::cmp::Reverse(*modified));
    for (_, file) in files.into_iter().take(MOST_FILES) {
        if durations.cover(selected.iter().map(|one| one.benchmark.name())) {
            break;
        }
        // A file that cannot be read tells nothing about time; commands that need it name it.
        if let Ok((loaded, _)) = store.load(&file, Detail::Values) {
            durations.take(&loaded.set);
        }
    }
    durations
}

/// The folder of this machine: of the name that is set, else of the host name, else the only one.
fn this_machine(settings: &Settings, store: &Store) -> Option<MachineFolder> {
    let mut folders = store.machines().items;
    let name = match &settings.machine {
        Some(name) => name.clone(),
        None => Detected::of_host().host,
    };
    if let Some(at) = folders
        .iter()
        .position(|folder| folder.machine.name == name)
    {
        return Some(folders.swap_remove(at));
    }
    if settings.machine.is_none() && folders.len() == 1 {
        return folders.pop();
    }
    None
}
