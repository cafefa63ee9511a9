//! Files of version 1, against asv's own conversion.

use std::path::Path;

use fs_err as fs;
use lcmbench::results::{Detail, Store};

use crate::common::{Project, VENV, oracle};

use super::histories::data_folder;

#[test]
fn version_one_is_read_as_asv_converts_it() {
    let Some(venv) = oracle(VENV) else { return };
    let project = Project::new();
    project.write("benchmarks/__init__.py", "");
    project.copy_file("tests/suites/asv.conf.json", "asv.conf.json");
    project.commit("No benchmarks");
    project.write(
        "results/old/machine.json",
        r#"{"machine": "old", "version": 1}"#,
    );
    let old = Path::new("results/old");
    project.write(old.join("aaaaaaaa-py2.7-Cython-numpy1.9.json"), VERSION_ONE);
    if let Some(data) = data_folder() {
        let source = data.join("results/brian2-v1/vuvuzela");
        for entry in fs::read_dir(source).unwrap() {
            let entry = entry.unwrap();
            if entry.file_name() != "machine.json" {
                let text = fs::read_to_string(entry.path()).unwrap();
                project.write(
                    old.join(entry.file_name()),
                    &text.replace("vuvuzela", "old"),
                );
            }
        }
    }
    let store = Store::new(project.path("results"));
    let ours = texts(&store);
    for arguments in [&["machine", "--yes"][..], &["update"]] {
        let asv = project.program(venv.join("bin/asv")).args(arguments);
        let _told = asv.run().expect(0);
    }
    let converted = project.read(old.join("aaaaaaaa-py2.7-Cython-numpy1.9.json"));
    assert!(converted.ends_with(r#""version": 2}"#), "{converted}");
    let theirs = texts(&store);
    assert!(!ours.is_empty() && ours.len() == theirs.len());
    for ((name, ours), (converted, theirs)) in ours.iter().zip(&theirs) {
        assert_eq!((name, ours), (converted, theirs));
    }
}

/// Every shape of a value of version 1.
const VERSION_ONE: &str = r#"{
    "benchmark_version": {"b.time_a": "abc", "b.gone": "v"},
    "commit_hash": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "date": 1000,
    "duration": {"b.s": 1.23456789, "<build>": 3.123456789, "b.gone": 4.0},
    "ended_at": {"b.time_a": 2005},
    "params": {"machine": "old", "numpy": null, "ram": 8589934592},
    "profiles": {"b.time_a": "eJx=", "b.gone": "x"},
    "python": "2.7",
    "requirements": {"numpy": "1.9", "Cython": null},
    "results": {
        "b.time_a": 0.1, "b.x": null, "b.int": 5, "b.nan": NaN, "b.text": "hello", "b.lst": [1, 2],
        "b.p": {"params": [["1", "2"]], "result": [1.0, null], "samples": [[1.0, 1.0], null],
                "stats": [{"ci_99": [0.5, 1.5], "q_25": 0.9123456, "q_75": 1.1, "number": 3, "repeat": 10, "mean": 1.0, "std": 2.0}, null]},
        "b.s": {"result": 2.5, "stats": {"ci_99": [-Infinity, Infinity], "q_25": 1.5, "q_75": 2.5, "number": 1, "repeat": 1}},
        "b.list": {"params": [["1", "2"]], "result": null}
    },
    "started_at": {"b.time_a": 5, "b.p": 6},
    "version": 1
}"#;

/// Every result of a store as we would write it, by name of the file.
fn texts(store: &Store) -> Vec<(String, String)> {
    let folders = store.machines();
    assert_eq!(folders.problems, []);
    let mut texts = Vec::new();
    for folder in &folders.items {
        let files = store.files(folder);
        let loaded = store.load_all(&files.items, Detail::Full);
        assert_eq!(loaded.problems, []);
        texts.extend(loaded.items.iter().map(|loaded| {
            let name = loaded.file.path.file_name().unwrap();
            (name.to_str().unwrap().to_owned(), loaded.set.to_text())
        }));
    }
    texts
}
