//! The rules on folders: files, names and the suite.

use fs_err as fs;

use super::*;
use crate::history::testing::{MACHINE, files, hash, set, store, value};
use crate::json::{Json, parse};
use crate::results::{BenchmarkIndex, Detail, ResultSet};

fn named() -> EnvironmentSettings {
    EnvironmentSettings {
        name: Some("cuda".to_owned()),
        aliases: vec!["old-env".to_owned()],
    }
}

fn run(store: &Store) -> (NormaliseReport, Vec<Problem>) {
    let settings = HistorySettings {
        retired: vec!["Old".to_owned()],
        ..HistorySettings::default()
    };
    normalise(store, &settings, &named()).unwrap()
}

fn sample() -> Vec<ResultSet> {
    let mut all = Vec::new();
    for number in 0..4 {
        let mut set = set(number, if number < 2 { "old-env" } else { "cuda" });
        let name = if number < 2 {
            "b.A.time_x"
        } else {
            "b.A.track_x"
        };
        set.results.insert(name.to_owned(), value(1.0, Some("v")));
        set.results
            .insert("b.Old.time_z".to_owned(), value(2.0, None));
        set.python = format!("/python/{number}");
        set.params
            .insert("python".to_owned(), set.python.clone().into());
        all.push(set);
    }
    all
}

#[test]
fn a_folder_becomes_one_history_and_stays_so() {
    let (_folder, store) = store(&sample());
    let (report, problems) = run(&store);
    assert_eq!(problems, []);
    assert_eq!((report.files, report.written), (4, 5));
    let first = files(store.root());
    let names: Vec<&String> = first.keys().collect();
    let expected: Vec<String> = (0..4)
        .map(|number| format!("{MACHINE}/{}-cuda.json", &hash(number)[..8]))
        .chain([format!("{MACHINE}/machine.json")])
        .collect();
    assert_eq!(names, expected.iter().collect::<Vec<_>>());
    for (name, text) in &first {
        let file = parse(text).unwrap();
        if name.ends_with("machine.json") {
            assert_eq!(file.get("ram"), Some(&"17GB".into()));
            continue;
        }
        let params = file.get("params").unwrap();
        assert_eq!(params.get("python"), Some(&"/python/3".into()), "{name}");
        assert_eq!(params.get("ram"), Some(&"17GB".into()), "{name}");
        let results = file.get("results").and_then(Json::as_object).unwrap();
        assert_eq!(
            results.keys().collect::<Vec<_>>(),
            ["b.A.track_x"],
            "{name}"
        );
    }
    assert!(!report.lines().is_empty());

    let (report, _) = run(&store);
    assert_eq!(report.written, 0, "{:?}", report.lines());
    assert!(report.is_unchanged());
    assert_eq!(report.lines(), Vec::<String>::new());
    assert_eq!(files(store.root()), first);
}

#[test]
fn two_names_of_one_environment_become_one_file() {
    let mut old = set(1, "old-env");
    old.results.insert("b.one".to_owned(), value(1.0, None));
    old.results.insert("b.two".to_owned(), value(2.0, None));
    let mut new = set(1, "cuda");
    new.results.insert("b.two".to_owned(), value(3.0, None));
    let (_folder, store) = store(&[old, new]);
    run(&store);
    let folder = store.machines().items.remove(0);
    let all = store.files(&folder).items;
    assert_eq!(all.len(), 1);
    let (loaded, _) = store.load(&all[0], Detail::Full).unwrap();
    assert_eq!(loaded.set.results["b.one"].values[0].as_f64(), Some(1.0));
    assert_eq!(loaded.set.results["b.two"].values[0].as_f64(), Some(3.0));
    assert!(run(&store).0.is_unchanged());
}

#[test]
fn the_suite_forgets_what_was_renamed_or_retired() {
    let (_folder, store) = store(&sample());
    let index = BenchmarkIndex::from_text(
        r#"{"b.A.time_x": {"name": "b.A.time_x"}, "b.A.track_x": {"name": "b.A.track_x"},
            "b.Old.time_z": {"name": "b.Old.time_z"}, "version": 2}"#,
    )
    .unwrap();
    store.replace_benchmarks(&index).unwrap();
    run(&store);
    let index = store.load_benchmarks().unwrap();
    assert_eq!(index.benchmarks.keys().collect::<Vec<_>>(), ["b.A.track_x"]);
    assert!(run(&store).0.is_unchanged());
}

#[test]
fn what_cannot_be_read_stays_and_is_named() {
    let (_folder, store) = store(&sample());
    let folder = store.root().join(MACHINE);
    let odd = [
        ("deadbeef-cuda.json", "{\"version\": 2, \"results\""),
        ("0000aaaa-cuda.json", "\u{feff}"),
        ("00000001-compare.json", "{\"machine\": \"vm\"}"),
        ("clean.py", "print()"),
    ];
    for (name, text) in odd {
        fs::write(folder.join(name), text).unwrap();
    }
    let (_, problems) = run(&store);
    assert_eq!(problems.len(), 3, "{problems:?}");
    for (name, text) in odd {
        assert_eq!(fs::read_to_string(folder.join(name)).unwrap(), text);
    }
}

#[test]
fn windows_line_ends_and_old_versions_are_read() {
    let (_folder, store) = store(&[]);
    let folder = store.root().join(MACHINE);
    let text = sample()[0].to_text().replace(", ", ",\r\n ");
    fs::write(folder.join("00000000-old-env.json"), text).unwrap();
    let old = r#"{"commit_hash": "00000009", "date": 9000, "params": {"machine": "vm", "ram": 8589934592},
        "python": "3.6", "requirements": {}, "results": {"b.t": 0.1}, "version": 1}"#;
    fs::write(folder.join("00000009-py3.6.json"), old).unwrap();
    let (report, problems) = run(&store);
    assert_eq!((report.files, problems), (2, vec![]));
    assert!(run(&store).0.is_unchanged());
    let text = fs::read_to_string(folder.join("00000009-py3.6.json")).unwrap();
    assert!(text.ends_with("\"version\": 2}"), "{text}");
}

#[test]
fn another_commit_with_the_same_digits_is_left_alone() {
    let mut old = set(1, "old-env");
    old.results.insert("b.one".to_owned(), value(1.0, None));
    let mut new = set(1, "cuda");
    new.commit_hash.replace_range(39.., "f");
    let (_folder, store) = store(&[old, new]);
    run(&store);
    let names: Vec<String> = files(&store.root().join(MACHINE)).into_keys().collect();
    assert_eq!(
        names,
        [
            "00000001-cuda.json",
            "00000001-old-env.json",
            "machine.json"
        ]
    );
    assert!(run(&store).0.is_unchanged());
}
