//! Whose rows are whose, where several runs wrote one result file: part of the `lcmbench` key.
//!
//! `worker`, `environment`, `host` and `gpu` of the file are those of its last run. Rows that it did not
//! measure keep those of their own run in the list `earlier_runs`: objects with `benchmarks`, the
//! names, and those of the four parts that differ from the file's.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

use crate::json::{Json, Object};

use super::{Provenance, ResultSet};

pub(super) const KEY: &str = "earlier_runs";
const BENCHMARKS: &str = "benchmarks";
const PARTS: [&str; 4] = ["worker", "environment", "host", "gpu"];

/// The runs before the last one that rows of a file are of.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EarlierRuns {
    runs: Vec<Object>,
    by_benchmark: HashMap<String, usize>,
}

impl EarlierRuns {
    /// What the record says.
    pub fn of(set: &ResultSet) -> Self {
        let key = set
            .provenance
            .as_ref()
            .and_then(|known| known.extra.get(KEY));
        let runs = runs_in(key);
        let by_benchmark = runs
            .iter()
            .enumerate()
            .flat_map(|(place, run)| names_in(run).map(move |name| (name.to_owned(), place)))
            .collect();
        Self { runs, by_benchmark }
    }

    /// Place of the run that measured a benchmark; `None` for the file's last run.
    pub fn run_of(&self, benchmark: &str) -> Option<usize> {
        self.by_benchmark.get(benchmark).copied()
    }

    /// The header of a file as the run at this place left it, without results.
    pub fn header(&self, set: &ResultSet, place: Option<usize>) -> ResultSet {
        let run = place.and_then(|place| self.runs.get(place));
        let provenance = set.provenance.as_ref().map(|known| {
            let part = |name: &str, own: &Object| match run.and_then(|run| run.get(name)) {
                Some(Json::Object(members)) => members.clone(),
                _ => own.clone(),
            };
            Provenance {
                worker: part("worker", &known.worker),
                environment: part("environment", &known.environment),
                host: part("host", &known.host),
                gpu: part("gpu", &known.gpu),
                benchmarks: IndexMap::new(),
                extra: Object::new(),
                ..Provenance::default()
            }
        });
        ResultSet {
            commit_hash: set.commit_hash.clone(),
            env_name: set.env_name.clone(),
            params: set.params.clone(),
            python: set.python.clone(),
            requirements: set.requirements.clone(),
            env_vars: set.env_vars.clone(),
            provenance,
            ..ResultSet::default()
        }
    }
}

/// The list after a run has been added. `old` and `new` are the `lcmbench` key before and after,
/// `kept` the benchmarks whose rows are not of the new run.
pub(super) fn after(old: Option<&Object>, new: &Object, kept: &HashSet<&str>) -> Option<Json> {
    let part_of = |members: Option<&Object>, part: &str| -> Json {
        let found = members.and_then(|members| members.get(part));
        found.cloned().unwrap_or_else(|| Object::new().into())
    };
    let mut runs = runs_in(old.and_then(|old| old.get(KEY)));
    for run in &mut runs {
        for part in PARTS {
            if !run.contains_key(part) {
                run.insert(part.to_owned(), part_of(old, part));
            }
        }
    }
    let known: HashSet<String> = runs.iter().flat_map(names_in).map(str::to_owned).collect();
    let mut rest: Vec<&str> = kept
        .iter()
        .copied()
        .filter(|name| !known.contains(*name))
        .collect();
    rest.sort_unstable();
    let mut last: Object = PARTS
        .map(|part| (part.to_owned(), part_of(old, part)))
        .into_iter()
        .collect();
    last.insert(BENCHMARKS.to_owned(), rest.into());
    runs.push(last);

    // Those that came with the new rows refer to the new parts already.
    let mut list: Vec<Json> = runs_in(new.get(KEY)).into_iter().map(Json::from).collect();
    for mut run in runs {
        let names: Vec<&str> = names_in(&run).filter(|name| kept.contains(name)).collect();
        let names: Json = names.into();
        for part in PARTS {
            if run.get(part) == Some(&part_of(Some(new), part)) {
                run.shift_remove(part);
            }
        }
        let differs = PARTS.iter().any(|part| run.contains_key(*part));
        let is_empty = names.as_array().is_none_or(<[Json]>::is_empty);
        if differs && !is_empty {
            // Last, whatever was filled in.
            run.shift_remove(BENCHMARKS);
            run.insert(BENCHMARKS.to_owned(), names);
            list.push(run.into());
        }
    }
    (!list.is_empty()).then_some(Json::Array(list))
}

fn runs_in(key: Option<&Json>) -> Vec<Object> {
    let runs = key.and_then(Json::as_array).unwrap_or_default();
    let objects = runs.iter().filter_map(Json::as_object);
    objects.cloned().collect()
}

fn names_in(run: &Object) -> impl Iterator<Item = &str> {
    let names = run.get(BENCHMARKS).and_then(Json::as_array);
    names.unwrap_or_default().iter().filter_map(Json::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::testing::object;
    use crate::json::{parse, to_compact};

    fn shown(old: Option<&str>, new: &str, kept: &[&str]) -> String {
        let old = old.map(object);
        let kept = kept.iter().copied().collect();
        after(old.as_ref(), &object(new), &kept).map_or_else(String::new, |list| to_compact(&list))
    }

    #[test]
    fn rows_that_stay_keep_what_differs() {
        let new =
            r#"{"worker": {"launch": "fork"}, "environment": {"driver": "2"}, "host": {"b": 2}}"#;
        let old =
            r#"{"worker": {"launch": "fork"}, "environment": {"driver": "1"}, "host": {"b": 1}}"#;
        assert_eq!(
            shown(Some(old), new, &["m.b", "m.a"]),
            r#"[{"environment": {"driver": "1"}, "host": {"b": 1}, "benchmarks": ["m.a", "m.b"]}]"#
        );
        // Nothing stays, or nothing differs.
        assert_eq!(shown(Some(old), new, &[]), "");
        assert_eq!(shown(Some(new), new, &["m.a"]), "");
        // A file of asv says nothing, and that is kept.
        assert_eq!(
            shown(None, new, &["m.a"]),
            r#"[{"worker": {}, "environment": {}, "host": {}, "benchmarks": ["m.a"]}]"#
        );
    }

    #[test]
    fn a_third_run_tells_the_first_two_apart() {
        let old = r#"{"worker": {"w": 2}, "environment": {"e": 2}, "host": {},
            "earlier_runs": [{"environment": {"e": 1}, "benchmarks": ["m.a", "m.gone"]}]}"#;
        let new = r#"{"worker": {"w": 3}, "environment": {"e": 1}, "host": {}}"#;
        assert_eq!(
            shown(Some(old), new, &["m.a", "m.b"]),
            r#"[{"worker": {"w": 2}, "benchmarks": ["m.a"]}, {"worker": {"w": 2}, "environment": {"e": 2}, "benchmarks": ["m.b"]}]"#
        );
    }

    #[test]
    fn each_benchmark_has_the_header_of_its_run() {
        let mut provenance = Provenance {
            worker: object(r#"{"setup_scope": "call"}"#),
            environment: object(r#"{"driver": "2"}"#),
            ..Provenance::default()
        };
        let list = r#"[{"environment": {"driver": "1"}, "benchmarks": ["m.a"]}, 1]"#;
        provenance
            .extra
            .insert(KEY.to_owned(), parse(list).unwrap());
        let set = ResultSet {
            provenance: Some(provenance),
            ..ResultSet::default()
        };
        let runs = EarlierRuns::of(&set);
        assert_eq!((runs.run_of("m.a"), runs.run_of("m.b")), (Some(0), None));
        let known = |name: &str| runs.header(&set, runs.run_of(name)).provenance.unwrap();
        assert_eq!(known("m.a").environment, object(r#"{"driver": "1"}"#));
        assert_eq!(known("m.a").worker, object(r#"{"setup_scope": "call"}"#));
        assert_eq!(known("m.b").environment, object(r#"{"driver": "2"}"#));
    }
}
