//! Every file of some real projects.

use std::path::{Path, PathBuf};

use fs_err as fs;
use lcmbench::json::{Json, Object, parse, to_compact};
use lcmbench::results::{Detail, ProblemKind, Store};

use crate::common::python::skip;

/// The folder with histories of real projects, if it is there.
pub(super) fn data_folder() -> Option<PathBuf> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the harness itself reads the outer environment"
    )]
    let named = std::env::var_os("LCMBENCH_TEST_DATA").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let folder = named.unwrap_or(beside);
    folder.join("results").is_dir().then_some(folder)
}

/// The same folder, or `None` after saying that the test is skipped.
fn data() -> Option<PathBuf> {
    let folder = data_folder();
    if folder.is_none() {
        skip("no histories of real projects (the folder that LCMBENCH_TEST_DATA names)");
    }
    folder
}

#[test]
fn histories_of_real_projects_are_read_and_written_to_the_byte() {
    let Some(data) = data() else { return };
    let mut versions = [0, 0];
    let store = Store::new(data.join("results"));
    let folders = store.machines();
    assert_eq!(folders.problems, []);
    for folder in &folders.items {
        let files = store.files(folder);
        let loaded = store.load_all(&files.items, Detail::Full);
        let unexpected: Vec<_> = loaded
            .problems
            .iter()
            .filter(|problem| problem.kind != ProblemKind::Foreign)
            .collect();
        assert!(unexpected.is_empty(), "{unexpected:?}");
        assert_eq!(files.problems, []);
        for loaded in &loaded.items {
            let path = &loaded.file.path;
            let text = fs::read_to_string(path).unwrap();
            let ours = loaded.set.to_text();
            if text.contains("\"result_columns\"") {
                assert!(ours == text, "{} changed", path.display());
                versions[1] += 1;
            } else {
                assert_header_is_kept(&text, &ours);
                versions[0] += 1;
            }
        }
    }
    assert_eq!(versions, [325, 503], "files of version 1 and 2");
}

/// A file of version 1 keeps its header, its benchmarks and their values when it becomes version 2.
fn assert_header_is_kept(old: &str, new: &str) {
    let (old, new) = (parse(old).unwrap(), parse(new).unwrap());
    for key in [
        "commit_hash",
        "env_name",
        "date",
        "params",
        "python",
        "requirements",
    ] {
        assert_eq!(old.get(key), new.get(key), "{key}");
    }
    let rows = |json: &Json| -> Object {
        json.get("results")
            .and_then(Json::as_object)
            .cloned()
            .unwrap()
    };
    let (old, new) = (rows(&old), rows(&new));
    assert_eq!(old.len(), new.len());
    for (name, value) in old {
        let value = value.get("result").cloned().unwrap_or(value);
        let stored = new[&name].as_array().unwrap().first().cloned();
        let stored = to_compact(&stored.unwrap_or(Json::Null));
        let value = to_compact(&value);
        assert!(
            stored == value || stored == format!("[{value}]"),
            "{name}: {value}, {stored}"
        );
    }
}

#[test]
fn suites_of_real_projects_are_written_to_the_byte() {
    let Some(data) = data() else { return };
    for project in ["geocat", "conda-nan", "brian2-v1"] {
        let path = data.join("results").join(project).join("benchmarks.json");
        let text = fs::read_to_string(&path).unwrap();
        let index = Store::new(path.parent().unwrap())
            .load_benchmarks()
            .unwrap();
        assert!(!index.benchmarks.is_empty());
        let ours = index.to_text();
        if text.trim_end().ends_with("\"version\": 2\n}") && !text.contains(", \n") {
            assert!(ours == text, "{} changed", path.display());
        } else {
            // Written by Python 2 (spaces at line ends) or of version 1: the records are the same.
            let records = |text: &str| {
                let Json::Object(mut members) = parse(text).unwrap() else {
                    panic!("an object");
                };
                members.shift_remove("version");
                members
            };
            assert_eq!(records(&text), records(&ours));
        }
    }
}
