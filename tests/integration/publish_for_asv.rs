//! `publish --asv-compatible` beside `asv publish` on the same results: values, revisions, regressions.

use std::path::Path;

use fs_err as fs;
use serde_json::Value;

use crate::common::python::skip;
use crate::common::{VENV, oracle};
use crate::stored::{StoredProject, plain, timed, timed_by_n};

/// The values of two documents, floats to nine digits.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            let (one, other) = (one.as_f64().unwrap(), other.as_f64().unwrap());
            (one - other).abs() <= 1e-9 * one.abs().max(other.abs())
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let members = one.iter();
            one.len() == other.len()
                && members
                    .into_iter()
                    .all(|(key, value)| other.get(key).is_some_and(|other| same(value, other)))
        }
        _ => one == other,
    }
}

/// All files below a folder, relative.
fn files_below(folder: &Path, below: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder.join(below)).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{below}/{}", entry.file_name().to_string_lossy());
        if entry.file_type().unwrap().is_dir() {
            files_below(folder, &name, found);
        } else {
            found.push(name);
        }
    }
    found.sort();
}

/// Lists whose order means nothing, in one order.
fn in_order(mut document: Value, key: &str) -> Value {
    if let Some(list) = document.get_mut(key).and_then(Value::as_array_mut) {
        list.sort_by_key(|item| match item {
            Value::Object(members) => {
                let mut texts: Vec<String> = members.iter().map(|of| format!("{of:?}")).collect();
                texts.sort();
                texts.join(" ")
            }
            other => other.to_string(),
        });
    }
    document
}

#[test]
fn the_files_for_readers_of_asvs_sites_are_those_of_asv() {
    let Some(venv) = oracle(VENV) else {
        return;
    };
    let mut stored = StoredProject::with_commits(30);
    stored.project.git(["tag", "v1", "HEAD~4"]);
    stored
        .project
        .git(["checkout", "--quiet", "-b", "side", "HEAD~9"]);
    stored.project.write("code.py", "side\n");
    let side = stored.project.commit("Aside");
    stored.project.git(["tag", "aside"]);
    stored.project.git(["checkout", "--quiet", "main"]);
    stored.project.write(
        "asv.conf.json",
        r#"{"version": 1, "project": "p", "repo": ".", "branches": ["main"], "environment_type": "existing",
           "show_commit_url": "https://example.org/commit/"}"#,
    );
    for (at, commit) in stored.commits.clone().into_iter().enumerate() {
        if at % 7 == 3 {
            continue;
        }
        let noise = f64::from(u32::try_from(at * 7 % 5).unwrap());
        let level = if at < 12 { 1.0 } else { 1.25 } * (1.0 + 0.003 * noise);
        let outlier = if at == 20 { 0.5 } else { 1.0 };
        let rows = [
            timed("m.time_plain", level),
            timed_by_n("m.Suite.time_run", &[2.0 * level * outlier, 3.0 / level]),
            plain(
                "m.Suite.peakmem_run",
                if at % 11 == 5 { "null" } else { "1000" },
            ),
            plain("m.gone", "1"),
        ];
        stored.save(&commit, &rows);
        if at % 3 == 0 {
            stored.save_in(&commit, "other", "another-env", &rows[..2]);
        }
    }
    stored.save(&side, &[timed("m.time_plain", 4.0)]);
    stored.commits.push(side);
    let ours = stored.project.path("ours");
    let publish = |arguments: &[&str]| {
        let command = stored.project.lcmbench().args(["publish"]);
        command.args(arguments).run().expect(0)
    };
    let _ours = publish(&["--output", "ours", "--asv-compatible"]);
    if !ours.join("index.html").exists() {
        skip("this lcmbench was built without the dashboard's page");
        return;
    }
    // asv reads the normalised results, as the site has them.
    let theirs = stored.project.path("theirs");
    let text = fs::read_to_string(stored.project.path("asv.conf.json")).unwrap();
    let text = text.replacen(
        '{',
        r#"{"results_dir": "ours/results", "html_dir": "theirs", "#,
        1,
    );
    stored.project.write("asv.conf.json", &text);
    let asv = stored.project.program(venv.join("bin/asv"));
    let _theirs = asv.args(["publish", "--no-pull"]).run().expect(0);

    let graphs = |folder: &Path| {
        let mut found = Vec::new();
        files_below(folder, "graphs", &mut found);
        found
    };
    assert_eq!(graphs(&ours), graphs(&theirs));
    let read = |folder: &Path, name: &str| -> Value {
        serde_json::from_str(&fs::read_to_string(folder.join(name)).unwrap()).unwrap()
    };
    let mut names = graphs(&ours);
    assert!(names.len() > 6, "{names:?}");
    names.extend(["regressions.json", "index.json"].map(str::to_owned));
    for name in names {
        let list = if name == "index.json" {
            "graph_param_list"
        } else {
            "regressions"
        };
        let [found, expected] = [&ours, &theirs].map(|folder| in_order(read(folder, &name), list));
        let (Value::Object(found), Value::Object(expected)) = (&found, &expected) else {
            assert!(
                same(&found, &expected),
                "{name}: {found} instead of {expected}"
            );
            continue;
        };
        for (key, expected) in expected {
            let found = &found[key];
            assert!(
                same(found, expected),
                "{name}, {key}: {found} instead of {expected}"
            );
        }
    }
    let regressions = read(&ours, "regressions.json");
    assert!(!regressions["regressions"].as_array().unwrap().is_empty());
    assert!(read(&ours, "info.json")["timestamp"].is_i64());
    // Without being asked nothing of it is written.
    let _plain = publish(&["--output", "plainly"]);
    assert!(!stored.project.path("plainly/index.json").exists());
}
