//! What differs between the machines and environments of both sides, and what of it makes results
//! incomparable.

use std::collections::HashMap;

use indexmap::IndexMap;

use crate::json::{Json, Object, to_compact};
use crate::machine::same_memory;
use crate::report::Difference;
use crate::results::{COMPILERS, DEVICE_FACTS, EarlierRuns, MACHINE_FACTS, ResultSet};

/// Choices of the worker that change what a timed value means.
const TIMING: [&str; 2] = ["setup_scope", "device_sync"];

/// Choices of the worker that are listed and no more.
const WORKER: [&str; 5] = [
    "launch",
    "share_setup",
    "asv_runner",
    "cpu_affinity",
    "compile_cache",
];

/// Settings of the host that change what is measured; loads and pressures are never the same.
const HOST: [&str; 7] = [
    "governors",
    "turbo",
    "smt",
    "cpus_allowed",
    "cgroup_quota",
    "on_mains",
    "address_layout",
];

/// The same of a GPU.
const SETTINGS: [&str; 4] = ["power_limit_mw", "persistence", "compute_mode", "ecc"];

/// Members of the recorded environment whose own members are facts.
const GROUPS: [&str; 2] = ["packages", "variables"];

/// Where a fact is missing on one side.
const NONE: &str = "none";

/// Differences, and what they mean for the rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Fingerprint {
    pub(super) differences: Vec<Difference>,
    /// Why no row is comparable.
    pub(super) all: Option<String>,
    /// Why no timed row is comparable.
    pub(super) timed: Option<String>,
}

/// What differs for each benchmark: rows of one file may be of several runs.
#[derive(Debug, Default)]
pub(super) struct Fingerprints {
    /// Of the last run of either side.
    pub(super) last: Fingerprint,
    base: EarlierRuns,
    head: EarlierRuns,
    /// Of the other pairs of runs.
    earlier: HashMap<(Option<usize>, Option<usize>), Fingerprint>,
}

impl Fingerprints {
    /// Compares the runs of all benchmarks that HEAD has.
    pub(super) fn of(base: &ResultSet, head: &ResultSet) -> Self {
        let mut all = Self {
            last: Fingerprint::of(base, head),
            base: EarlierRuns::of(base),
            head: EarlierRuns::of(head),
            earlier: HashMap::new(),
        };
        for name in head.results.keys() {
            let (before, after) = all.runs_of(name);
            if (before, after) != (None, None) && !all.earlier.contains_key(&(before, after)) {
                let base = all.base.header(base, before);
                let head = all.head.header(head, after);
                let fingerprint = Fingerprint::of(&base, &head);
                all.earlier.insert((before, after), fingerprint);
            }
        }
        all
    }

    /// What differs between both results of a benchmark.
    pub(super) fn of_benchmark(&self, name: &str) -> &Fingerprint {
        self.earlier.get(&self.runs_of(name)).unwrap_or(&self.last)
    }

    fn runs_of(&self, name: &str) -> (Option<usize>, Option<usize>) {
        (self.base.run_of(name), self.head.run_of(name))
    }
}

impl Fingerprint {
    /// Compares the facts of both sides.
    pub(super) fn of(base: &ResultSet, head: &ResultSet) -> Self {
        let mut fingerprint = Self::default();
        let (mut before, mut after) = (dimensions(base), dimensions(head));
        if let (Some(base), Some(head)) = (&base.provenance, &head.provenance)
            && [base, head]
                .iter()
                .all(|known| known.environment.contains_key("python"))
        {
            // For an existing environment asv has a path here; the record has the version.
            before.shift_remove("python");
            after.shift_remove("python");
        }
        fingerprint.add(&before, &after, true);
        fingerprint.add(&env_vars(base), &env_vars(head), true);
        if let (Some(base), Some(head)) = (&base.provenance, &head.provenance) {
            // A file that asv wrote has no environment, even where its stamps of versions are kept.
            let known = !base.environment.is_empty() && !head.environment.is_empty();
            if known {
                fingerprint.add(
                    &flattened(&base.environment, &GROUPS),
                    &flattened(&head.environment, &GROUPS),
                    true,
                );
                for group in GROUPS {
                    fingerprint.add(
                        &members(&base.environment, group),
                        &members(&head.environment, group),
                        true,
                    );
                }
            }
            fingerprint.add(&choices(&base.worker), &choices(&head.worker), false);
            fingerprint.add(&host(&base.host), &host(&head.host), false);
            fingerprint.add(
                &device_settings(&base.gpu),
                &device_settings(&head.gpu),
                false,
            );
        }
        fingerprint.find_obstacles();
        fingerprint
    }

    /// Adds what differs. A fact that one side lacks counts if `missing_counts`.
    fn add(
        &mut self,
        base: &IndexMap<String, String>,
        head: &IndexMap<String, String>,
        missing_counts: bool,
    ) {
        let names = base
            .keys()
            .chain(head.keys().filter(|name| !base.contains_key(*name)));
        for name in names {
            let (before, after) = (base.get(name), head.get(name));
            let differ = match (before, after) {
                (Some(before), Some(after)) => !same_fact(name, before, after),
                _ => missing_counts,
            };
            let known = self.differences.iter().any(|known| known.what == *name);
            if differ && !known {
                let text =
                    |value: Option<&String>| value.map_or_else(|| NONE.to_owned(), Clone::clone);
                self.differences.push(Difference {
                    what: name.clone(),
                    base: text(before),
                    head: text(after),
                });
            }
        }
    }

    fn find_obstacles(&mut self) {
        let describe = |names: &[&str]| {
            let found: Vec<String> = self
                .differences
                .iter()
                .filter(|difference| names.contains(&difference.what.as_str()))
                // What one side does not know is no difference between machines.
                .filter(|difference| difference.base != NONE && difference.head != NONE)
                .map(|difference| {
                    let Difference { what, base, head } = difference;
                    format!("{what} is {base} on the base and {head} on HEAD")
                })
                .collect();
            (!found.is_empty()).then(|| found.join(", "))
        };
        // Where one of these differs, nothing is comparable.
        let borders: Vec<&str> = std::iter::once("machine")
            .chain(MACHINE_FACTS)
            .chain(DEVICE_FACTS)
            .chain(COMPILERS)
            .collect();
        self.all = describe(&borders);
        self.timed = describe(&TIMING);
    }
}

/// The dimensions that split asv's series, and the environment's name.
fn dimensions(set: &ResultSet) -> IndexMap<String, String> {
    let mut facts = flattened(&set.params, &[]);
    facts.insert("environment".to_owned(), set.env_name.clone());
    facts
}

fn env_vars(set: &ResultSet) -> IndexMap<String, String> {
    flattened(&set.env_vars, &[])
}

fn members(environment: &Object, group: &str) -> IndexMap<String, String> {
    environment
        .get(group)
        .and_then(Json::as_object)
        .map_or_else(IndexMap::new, |members| flattened(members, &[]))
}

/// The choices of the worker that matter here.
fn choices(worker: &Object) -> IndexMap<String, String> {
    let mut choices = flattened(worker, &[]);
    choices.retain(|what, _| TIMING.contains(&what.as_str()) || WORKER.contains(&what.as_str()));
    choices
}

/// The settings of the host when the run began, as `host.governors`.
fn host(host: &Object) -> IndexMap<String, String> {
    let before = host.get("before").and_then(Json::as_object);
    named("host", before, &HOST)
}

/// The settings of the first GPU when the run began, as `gpu.power_limit_mw`.
fn device_settings(gpu: &Object) -> IndexMap<String, String> {
    let devices = gpu.get("devices").and_then(Json::as_array);
    let first = devices.and_then(|devices| devices.first());
    let before = first.and_then(|first| first.get("before"));
    named("gpu", before.and_then(Json::as_object), &SETTINGS)
}

fn named(group: &str, members: Option<&Object>, wanted: &[&str]) -> IndexMap<String, String> {
    let Some(members) = members else {
        return IndexMap::new();
    };
    flattened(members, &[])
        .into_iter()
        .filter(|(name, _)| wanted.contains(&name.as_str()))
        .map(|(name, text)| (format!("{group}.{name}"), text))
        .collect()
}

/// Each member as a name and a text; members of members as `name.member`. Unknown (null, empty)
/// values are left out.
fn flattened(object: &Object, without: &[&str]) -> IndexMap<String, String> {
    let mut facts = IndexMap::new();
    for (name, value) in object {
        if without.contains(&name.as_str()) {
            continue;
        }
        match value {
            Json::Null => {}
            Json::String(text) if text.is_empty() => {}
            Json::String(text) => {
                facts.insert(name.clone(), text.clone());
            }
            Json::Object(members) => {
                for (member, text) in flattened(members, &[]) {
                    facts.insert(format!("{name}.{member}"), text);
                }
            }
            other => {
                facts.insert(name.clone(), to_compact(other));
            }
        }
    }
    facts
}

/// Equal texts, and descriptions of memory that are the same to a gigabyte: the kernel takes some,
/// and asv writes bytes where others write `25GB`.
fn same_fact(name: &str, base: &str, head: &str) -> bool {
    if base == head {
        return true;
    }
    // A choice that was left to the installed asv_runner is not known.
    if TIMING.contains(&name) && (base == "auto" || head == "auto") {
        return true;
    }
    name == "ram" && same_memory(base, head)
}

#[cfg(test)]
mod tests;
