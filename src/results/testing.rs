//! Results made up for the tests of this room.

use crate::json::{Json, parse};

use super::{Addition, BenchmarkResult, ResultSet, Store, Value};

/// The commit of all results that do not say otherwise.
pub(super) const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

/// A store in a temporary folder.
pub(super) fn temporary_store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path().join("results"));
    (folder, store)
}

/// A set of the machine `vm` without results.
pub(super) fn set(commit: &str, env_name: &str) -> ResultSet {
    let Json::Object(params) = parse(r#"{"arch": "x86_64", "machine": "vm"}"#).unwrap() else {
        unreachable!("an object");
    };
    ResultSet {
        commit_hash: commit.to_owned(),
        env_name: env_name.to_owned(),
        date: Some(1_000),
        params,
        python: "3.12".to_owned(),
        ..ResultSet::default()
    }
}

/// Values of version `v`, over one axis if there are several.
pub(super) fn result(values: &[f64]) -> BenchmarkResult {
    let axis: Vec<String> = (0..values.len()).map(|index| index.to_string()).collect();
    BenchmarkResult {
        values: values
            .iter()
            .map(|value| {
                if value.is_nan() {
                    Value::Skipped
                } else {
                    Value::Number(Json::Float(*value))
                }
            })
            .collect(),
        params: if axis.len() == 1 {
            Vec::new()
        } else {
            vec![axis]
        },
        version: Some("v".to_owned()),
        started_at: Some(5),
        duration: Some(0.5),
        ..BenchmarkResult::default()
    }
}

/// An addition of one benchmark, measured whole.
pub(super) fn addition(name: &str, values: &[f64]) -> Addition {
    let mut set = set(COMMIT, "existing-py3");
    set.results.insert(name.to_owned(), result(values));
    Addition {
        set,
        ..Addition::default()
    }
}
