//! The rules, applied to the results of one commit. Applied again they change nothing.

use crate::config::{EnvironmentSettings, HistorySettings};
use crate::json::{Json, Object};
use crate::machine::{FIELDS, Machine, whole_gigabytes};
use crate::report::matches_benchmark;
use crate::results::{BenchmarkResult, Provenance, ResultSet, VERSION_STAMPS};

use super::renames::Renames;
use super::report::NormaliseReport;

/// The rules, and what they need to know.
#[derive(Debug, Clone, Copy)]
pub(super) struct Normaliser<'a> {
    pub(super) settings: &'a HistorySettings,
    pub(super) environment: &'a EnvironmentSettings,
    pub(super) renames: &'a Renames,
}

/// What a file's place says.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    /// Nothing if the folder's `machine.json` cannot be read.
    pub(super) machine: Option<&'a Machine>,
    /// The interpreter that the configured environment has now, as its newest result names it.
    pub(super) python: Option<&'a str>,
}

impl Normaliser<'_> {
    /// Applies the rules that are on; says whether anything changed.
    pub(super) fn apply(
        &self,
        set: &mut ResultSet,
        place: Place<'_>,
        report: &mut NormaliseReport,
    ) -> bool {
        let rules = self.settings.rules;
        let mut changed = false;
        if rules.retired {
            changed |= self.drop_retired(set, report);
        }
        if rules.renames {
            changed |= self.rename(set, report);
        }
        if rules.versions {
            changed |= take_stamps_off(set, report);
        }
        if rules.environments {
            changed |= self.rename_environment(set, place.python, report);
        }
        if let Some(machine) = place.machine.filter(|_| rules.machine) {
            changed |= describe_machine(set, machine, report);
        }
        changed
    }

    fn drop_retired(&self, set: &mut ResultSet, report: &mut NormaliseReport) -> bool {
        let retired: Vec<String> = set
            .results
            .keys()
            .filter(|name| is_retired(name, &self.settings.retired))
            .cloned()
            .collect();
        for name in &retired {
            set.results.shift_remove(name);
            take_facts(set, name);
            *report.retired.entry(name.clone()).or_default() += 1;
        }
        !retired.is_empty()
    }

    /// Gives results their new names, at the place of the old ones.
    fn rename(&self, set: &mut ResultSet, report: &mut NormaliseReport) -> bool {
        let old_names: Vec<(String, String)> = set
            .results
            .keys()
            .filter_map(|old| Some((old.clone(), self.renames.new_name(old)?.to_owned())))
            .collect();
        let mut changed = false;
        for (old, new) in old_names {
            let Some((index, _, mut row)) = set.results.shift_remove_full(&old) else {
                continue;
            };
            let pair = (old.clone(), new.clone());
            match set.results.get(&new) {
                Some(known) if !same_measurement(known, &row) => {
                    set.results.shift_insert(index, old, row);
                    *report.kept_apart.entry(pair).or_default() += 1;
                    continue;
                }
                Some(_) => {
                    take_facts(set, &old);
                }
                None => {
                    let stamp = row.version.take();
                    set.results.shift_insert(index, new.clone(), row);
                    rename_facts(set, &old, &new, stamp);
                }
            }
            changed = true;
            *report.renamed.entry(pair).or_default() += 1;
        }
        changed
    }

    fn rename_environment(
        &self,
        set: &mut ResultSet,
        python: Option<&str>,
        report: &mut NormaliseReport,
    ) -> bool {
        let Some(name) = &self.environment.name else {
            return false;
        };
        let mut changed = false;
        if self.environment.aliases.contains(&set.env_name) && set.env_name != *name {
            let old = std::mem::replace(&mut set.env_name, name.clone());
            let pair = (old, name.clone());
            *report.environments.entry(pair).or_default() += 1;
            changed = true;
        }
        if set.env_name == *name
            && let Some(python) = python.filter(|python| *python != set.python)
        {
            python.clone_into(&mut set.python);
            set.params.insert("python".to_owned(), python.into());
            report.interpreters += 1;
            changed = true;
        }
        changed
    }
}

/// Whether one of the patterns means this benchmark.
pub(super) fn is_retired(name: &str, patterns: &[String]) -> bool {
    patterns
        .iter()
        .any(|pattern| matches_benchmark(pattern, name))
}

/// The stamps that were taken off, by benchmark.
pub(super) fn stamps(set: &ResultSet) -> Option<&Object> {
    set.provenance.as_ref()?.version_stamps()
}

fn same_measurement(one: &BenchmarkResult, other: &BenchmarkResult) -> bool {
    one.params == other.params
        && one.started_at == other.started_at
        && one.values.len() == other.values.len()
        && one
            .values
            .iter()
            .zip(&other.values)
            .all(|(one, other)| one == other || same_number(one.as_f64(), other.as_f64()))
}

/// Equal, or both not a number.
fn same_number(one: Option<f64>, other: Option<f64>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.total_cmp(&other).is_eq(),
        _ => false,
    }
}

fn take_stamps_off(set: &mut ResultSet, report: &mut NormaliseReport) -> bool {
    let stamps: Vec<(String, String)> = set
        .results
        .iter_mut()
        .filter_map(|(name, row)| Some((name.clone(), row.version.take()?)))
        .collect();
    report.stamps += stamps.len();
    let changed = !stamps.is_empty();
    for (name, stamp) in stamps {
        keep_stamp(set, &name, stamp);
    }
    changed
}

fn keep_stamp(set: &mut ResultSet, name: &str, stamp: String) {
    let provenance = set.provenance.get_or_insert_with(Provenance::default);
    let stamps = provenance
        .extra
        .entry(VERSION_STAMPS.to_owned())
        .or_insert_with(|| Object::new().into());
    if stamps.as_object().is_none() {
        *stamps = Object::new().into();
    }
    if let Json::Object(stamps) = stamps {
        stamps.insert(name.to_owned(), stamp.into());
    }
}

/// Takes out what the `lcmbench` key knows of a benchmark; returns its stamp.
fn take_facts(set: &mut ResultSet, name: &str) -> Option<String> {
    let provenance = set.provenance.as_mut()?;
    provenance.benchmarks.shift_remove(name);
    match provenance.extra.get_mut(VERSION_STAMPS) {
        Some(Json::Object(stamps)) => match stamps.shift_remove(name)? {
            Json::String(stamp) => Some(stamp),
            _ => None,
        },
        _ => None,
    }
}

/// Moves what the `lcmbench` key knows of a benchmark to its new name. A stamp would not fit the new
/// benchmark's version, so it is kept apart whatever the rule for versions says.
fn rename_facts(set: &mut ResultSet, old: &str, new: &str, stamp: Option<String>) {
    let facts = set
        .provenance
        .as_mut()
        .and_then(|provenance| provenance.benchmarks.shift_remove(old));
    let kept = take_facts(set, old);
    if let (Some(facts), Some(provenance)) = (facts, set.provenance.as_mut()) {
        provenance.benchmarks.insert(new.to_owned(), facts);
    }
    if let Some(stamp) = stamp.or(kept) {
        keep_stamp(set, new, stamp);
    }
}

/// Puts the machine's present facts in place of those of the day of the measurement.
fn describe_machine(set: &mut ResultSet, machine: &Machine, report: &mut NormaliseReport) -> bool {
    let mut params = present_params(machine);
    for (key, value) in &set.params {
        let is_machine_s = key == "machine" || FIELDS.contains(&key.as_str());
        if !is_machine_s && !params.contains_key(key) {
            params.insert(key.clone(), value.clone());
        }
    }
    if params == set.params {
        return false;
    }
    let changed = params
        .iter()
        .filter(|(key, value)| set.params.get(*key) != Some(*value))
        .map(|(key, _)| key)
        .chain(set.params.keys().filter(|key| !params.contains_key(*key)));
    let (files, facts) = report.machines.entry(machine.name.clone()).or_default();
    *files += 1;
    facts.extend(changed.cloned());
    set.params = params;
    true
}

/// The machine's part of `params`, memory in whole gigabytes.
pub(super) fn present_params(machine: &Machine) -> Object {
    let mut params = machine.params();
    let ram = params.get("ram").and_then(Json::as_str);
    if let Some(ram) = ram.and_then(whole_gigabytes) {
        params.insert("ram".to_owned(), ram.into());
    }
    params
}

#[cfg(test)]
mod tests;
