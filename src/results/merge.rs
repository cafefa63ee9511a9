//! What a run adds to a result file that is there already.
//!
//! The file's own document is edited, not rewritten from the typed view: rows of other benchmarks,
//! unknown keys, columns and the order of everything stay to the byte.

mod kept;

use indexmap::IndexMap;

use crate::json::{Json, Object};

use super::earlier_runs;
use super::read::{VERSION, column_names};
use super::{BenchmarkProvenance, BenchmarkResult, ResultSet, row, write};

use kept::{merged, merged_provenance};

/// What a run adds to the results of a commit.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Addition {
    /// The header, the measured benchmarks alone, durations and provenance.
    pub set: ResultSet,
    /// Other names of the environment: a file under one of them is added to.
    pub aliases: Vec<String>,
    /// The combinations that were measured, by benchmark. A benchmark that is not in here was
    /// measured whole. Other combinations keep what the file has for the same version and
    /// parameters, and are what `set` says where it has nothing.
    pub selected: IndexMap<String, Vec<usize>>,
}

/// The document of a result file of the present version, open for changes.
#[derive(Debug, Clone)]
pub(super) struct Document {
    members: Object,
    columns: Vec<String>,
}

impl Document {
    /// The document of a set.
    pub(super) fn of(set: &ResultSet) -> Self {
        Self {
            members: write::to_object(set),
            columns: write::columns_of(set),
        }
    }

    /// A document as it was read; `None` if it has not the shape of one.
    pub(super) fn open(json: Json) -> Option<Self> {
        let Json::Object(mut members) = json else {
            return None;
        };
        let results = members.get("results")?.as_object()?;
        let columns = match members.get("result_columns") {
            Some(list) => column_names(list.clone())?,
            None if results.is_empty() => Vec::new(),
            None => return None,
        };
        members
            .entry("result_columns".to_owned())
            .or_insert_with(|| columns.clone().into());
        Some(Self { members, columns })
    }

    pub(super) fn into_json(self) -> Json {
        self.members.into()
    }

    /// Adds what a run measured: as asv does it, benchmark by benchmark, with the header of the run
    /// but the file's name of the environment and its variables.
    pub(super) fn add(&mut self, addition: &Addition) {
        self.refresh_header(&addition.set);
        self.complete_columns(&addition.set);
        let old_rows = self.rows_of(addition);
        self.edit("durations", |durations| {
            for (key, seconds) in &addition.set.durations {
                durations.insert(key.clone(), (*seconds).into());
            }
        });
        self.add_provenance(addition, &old_rows);
        let columns = self.columns.clone();
        self.edit("results", |results| {
            for (name, new) in &addition.set.results {
                let selected = addition.selected.get(name).map(Vec::as_slice);
                let row = merged(old_rows.get(name.as_str()), new, selected);
                results.insert(name.clone(), row::to_json(&row, &columns));
            }
        });
    }

    fn refresh_header(&mut self, set: &ResultSet) {
        const OF_THE_FILE: [&str; 3] = ["commit_hash", "env_name", "env_vars"];
        for (key, value) in write::header(set) {
            let is_known = self.members.get(&key).is_some_and(|json| !json.is_null());
            if !(is_known && OF_THE_FILE.contains(&key.as_str())) {
                self.insert(&key, value);
            }
        }
        for (key, value) in &set.extra {
            self.insert(key, value.clone());
        }
    }

    /// Rows of ours need all columns of asv, which the file's own list may lack.
    fn complete_columns(&mut self, set: &ResultSet) {
        for name in write::columns_of(set) {
            if !self.columns.contains(&name) {
                self.columns.push(name);
            }
        }
        self.insert("result_columns", self.columns.clone().into());
    }

    /// The present rows of the benchmarks that are added.
    fn rows_of<'a>(&self, addition: &'a Addition) -> IndexMap<&'a str, BenchmarkResult> {
        let results = self.members.get("results").and_then(Json::as_object);
        let names = addition.set.results.keys();
        names
            .filter_map(|name| {
                let row = row::from_json(&self.columns, results?.get(name)?)?;
                Some((name.as_str(), row))
            })
            .collect()
    }

    fn add_provenance(&mut self, addition: &Addition, old_rows: &IndexMap<&str, BenchmarkResult>) {
        let Some(provenance) = &addition.set.provenance else {
            return;
        };
        let old = self.members.get("lcmbench").cloned();
        let old_benchmarks = old
            .as_ref()
            .and_then(|old| old.get("benchmarks")?.as_object().cloned())
            .unwrap_or_default();
        let Json::Object(mut members) = provenance.to_json() else {
            return;
        };
        let old_members = old.and_then(|old| match old {
            Json::Object(members) => Some(members),
            _ => None,
        });
        if let Some(old) = old_members.clone() {
            for (key, value) in old {
                let is_later_version_s = !KNOWN_PARTS.contains(&key.as_str());
                if is_later_version_s && !members.contains_key(&key) {
                    members.insert(key, value);
                }
            }
        }
        let rows = self.members.get("results").and_then(Json::as_object);
        let kept = rows
            .into_iter()
            .flat_map(Object::keys)
            .map(String::as_str)
            .filter(|name| !addition.set.results.contains_key(*name))
            .collect();
        match earlier_runs::after(old_members.as_ref(), &members, &kept) {
            Some(list) => members.insert(earlier_runs::KEY.to_owned(), list),
            None => members.shift_remove(earlier_runs::KEY),
        };
        let benchmarks = benchmarks_with(old_benchmarks, addition, old_rows);
        if benchmarks.is_empty() {
            members.shift_remove("benchmarks");
        } else {
            members.insert("benchmarks".to_owned(), benchmarks.into());
        }
        self.insert("lcmbench", members.into());
    }

    /// Sets a top-level key; a new one comes before the version, which asv writes last.
    fn insert(&mut self, key: &str, value: Json) {
        if !self.members.contains_key(key) && key != "version" {
            let version = self.members.shift_remove("version");
            self.members.insert(key.to_owned(), value);
            self.members
                .insert("version".to_owned(), version.unwrap_or(VERSION.into()));
        } else {
            self.members.insert(key.to_owned(), value);
        }
    }

    /// Changes a top-level object, which is made if it is missing.
    fn edit(&mut self, key: &str, change: impl FnOnce(&mut Object)) {
        let slot = self.members.get_mut(key);
        let mut object = match slot.map(|slot| std::mem::replace(slot, Json::Null)) {
            Some(Json::Object(members)) => members,
            _ => Object::new(),
        };
        change(&mut object);
        self.insert(key, object.into());
    }
}

/// The parts of the `lcmbench` key that this version writes anew or leaves out as empty.
const KNOWN_PARTS: [&str; 10] = [
    "format",
    "lcmbench",
    "head",
    "dirty",
    "worker",
    "environment",
    "host",
    "gpu",
    "benchmarks",
    earlier_runs::KEY,
];

/// The facts of all benchmarks: those of the file, replaced where the run measured.
fn benchmarks_with(
    mut all: Object,
    addition: &Addition,
    old_rows: &IndexMap<&str, BenchmarkResult>,
) -> Object {
    let added = addition.set.provenance.iter();
    let added: IndexMap<&String, &BenchmarkProvenance> = added
        .flat_map(|provenance| &provenance.benchmarks)
        .collect();
    for (name, new_row) in &addition.set.results {
        let old = all.get(name).cloned().and_then(|json| {
            let old = BenchmarkProvenance::from_json(name, json, &mut Vec::new())?;
            Some((old_rows.get(name.as_str())?, old))
        });
        let selected = addition.selected.get(name).map(Vec::as_slice);
        let known = added.get(name).copied().cloned().unwrap_or_default();
        let known = merged_provenance(old, new_row, known, selected);
        match known.to_json() {
            Some(json) => all.insert(name.clone(), json),
            None => all.shift_remove(name),
        };
    }
    all
}

#[cfg(test)]
mod tests;
