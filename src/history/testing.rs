//! Results and folders for the tests of this room.

use std::collections::BTreeMap;
use std::path::Path;

use fs_err as fs;

use crate::json::Json;
use crate::json::testing::object;
use crate::machine::Machine;
use crate::results::{BenchmarkResult, ResultSet, Store, Value, result_file_name};
use crate::vcs::CommitInfo;

pub(super) const MACHINE: &str = "vm";

/// A commit whose hash begins with its number.
pub(super) fn hash(number: u32) -> String {
    format!("{number:08x}{}", "0".repeat(32))
}

pub(super) fn commits(count: u32) -> Vec<CommitInfo> {
    (0..count)
        .map(|number| CommitInfo {
            hash: hash(number),
            date: i64::from(number) * 1000,
            subject: format!("Commit {number}"),
            author: "Ada".to_owned(),
        })
        .collect()
}

pub(super) fn machine() -> Machine {
    Machine {
        name: MACHINE.to_owned(),
        facts: [("arch", "x86_64"), ("os", "Linux 6.9"), ("ram", "16416652")]
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .into(),
    }
}

/// An empty set of a commit, as an older kernel measured it.
pub(super) fn set(number: u32, env_name: &str) -> ResultSet {
    ResultSet {
        commit_hash: hash(number),
        env_name: env_name.to_owned(),
        date: Some(i64::from(number) * 1000),
        params: object(
            r#"{"arch": "x86_64", "machine": "vm", "os": "Linux 6.1", "ram": "16416648", "python": "3.12"}"#,
        ),
        python: "3.12".to_owned(),
        ..ResultSet::default()
    }
}

/// One value of version `version`.
pub(super) fn value(value: f64, version: Option<&str>) -> BenchmarkResult {
    BenchmarkResult {
        values: vec![Value::Number(Json::Float(value))],
        version: version.map(str::to_owned),
        started_at: Some(5),
        ..BenchmarkResult::default()
    }
}

/// Values over one axis.
pub(super) fn values(values: &[(&str, f64)]) -> BenchmarkResult {
    BenchmarkResult {
        values: values
            .iter()
            .map(|(_, value)| Value::Number(Json::Float(*value)))
            .collect(),
        params: vec![
            values
                .iter()
                .map(|(param, _)| (*param).to_owned())
                .collect(),
        ],
        ..BenchmarkResult::default()
    }
}

/// A results folder with these sets.
pub(super) fn store(sets: &[ResultSet]) -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path().join("results"));
    store.save_machine(&machine()).unwrap();
    for set in sets {
        write(&store, set);
    }
    (folder, store)
}

pub(super) fn write(store: &Store, set: &ResultSet) {
    let name = result_file_name(&set.commit_hash, &set.env_name);
    let path = store.root().join(MACHINE).join(name);
    fs::write(path, set.to_text()).unwrap();
}

/// Every file below a folder with its content.
pub(super) fn files(root: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().display().to_string();
                found.insert(name, fs::read_to_string(&path).unwrap());
            }
        }
    }
    found
}
