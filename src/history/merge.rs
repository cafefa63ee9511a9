//! Two results folders as one.

use crate::config::{EnvironmentSettings, HistorySettings, NormaliseRules};
use crate::results::{Problem, ResultSet, Store};

use super::HistoryError;
use super::gather::{Gathering, gather};

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
/// Names of the environment that are aliases are the same environment.
pub fn merge(
    target: &Store,
    local: &Store,
    environment: &EnvironmentSettings,
) -> Result<Merged, HistoryError> {
    let settings = HistorySettings {
        rules: NormaliseRules::NONE,
        ..HistorySettings::default()
    };
    let gathered = gather(&Gathering {
        target,
        local: Some(local),
        settings: &settings,
        environment,
        ledger: None,
        values: false,
    })?;
    Ok(gathered.merged)
}

/// The other names of the configured environment, if this is one of its names.
pub(super) fn other_names(env_name: &str, environment: &EnvironmentSettings) -> Vec<String> {
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

/// Adds the benchmarks that the target does not have.
pub(super) fn add_missing(target: &mut ResultSet, other: ResultSet) {
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

#[cfg(test)]
mod tests;
