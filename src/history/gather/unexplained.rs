//! Which files of a history hold more than the present local results put into them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::Gathering;
use super::ledger::{Ledger, Taken};

/// Those of `candidates` (files below the folder of the history) that cannot be explained by local
/// results that are there now, as they were when they were added. Without a ledger all of them.
pub fn unexplained(gathering: &Gathering<'_>, candidates: &[PathBuf]) -> Vec<PathBuf> {
    let rules = gathering.rules();
    let ledger = gathering
        .ledger
        .map(|path| Ledger::read(path, &rules))
        .unwrap_or_default();
    let mut sources: HashMap<&str, Vec<(&str, &Taken)>> = HashMap::new();
    for (local, taken) in &ledger.taken {
        sources
            .entry(&taken.target)
            .or_default()
            .push((local, taken));
    }
    let is_still = |(local, taken): &(&str, &Taken)| {
        let known = ledger.is_still(Path::new(local), taken.stamp, &taken.digest);
        known.is_some()
    };
    let is_explained = |path: &Path| {
        let relative = path.strip_prefix(gathering.target.root()).unwrap_or(path);
        let name = relative.to_string_lossy();
        let settled = ledger.settled.get(&*name);
        let sources = sources.get(&*name);
        settled.zip(sources).is_some_and(|(settled, sources)| {
            let is_as_left = ledger.is_still(path, settled.stamp, &settled.digest);
            is_as_left.is_some() && sources.iter().all(is_still)
        })
    };
    let mut unexplained = candidates.to_vec();
    unexplained.retain(|path| !is_explained(path));
    unexplained
}
