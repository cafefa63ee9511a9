use super::*;
use crate::json::{Json, parse};
use crate::machine::Machine;
use crate::results::BenchmarkRecord;
use crate::results::testing::{addition, temporary_store};

fn index(names: &[&str]) -> BenchmarkIndex {
    names
        .iter()
        .map(|name| {
            let Json::Object(raw) = parse(r#"{"type": "time", "version": "v"}"#).unwrap() else {
                unreachable!("an object");
            };
            BenchmarkRecord::from_raw(name, raw)
        })
        .collect()
}

fn names(store: &Store) -> Vec<String> {
    let index = store.load_benchmarks().unwrap();
    index.benchmarks.keys().cloned().collect()
}

fn store_with_results(of: &[&str]) -> (tempfile::TempDir, Store) {
    let (folder, store) = temporary_store();
    let machine = Machine {
        name: "vm".to_owned(),
        ..Machine::default()
    };
    store.save_machine(&machine).unwrap();
    for name in of {
        store.save(&addition(name, &[1.0])).unwrap();
    }
    (folder, store)
}

#[test]
fn a_new_file_has_what_was_discovered() {
    let (_folder, store) = temporary_store();
    assert_eq!(store.load_benchmarks().unwrap(), BenchmarkIndex::default());
    assert_eq!(store.save_benchmarks(&index(&["b.y", "b.x"])).unwrap(), []);
    assert_eq!(names(&store), ["b.x", "b.y"]);
    let path = store.root().join("benchmarks.json");
    assert_eq!(
        fs::read_to_string(path).unwrap(),
        index(&["b.x", "b.y"]).to_text()
    );
}

#[test]
fn benchmarks_that_left_stay_as_long_as_they_have_results() {
    let (_folder, store) = store_with_results(&["b.gone", "b.\u{e9}"]);
    store
        .save_benchmarks(&index(&["b.gone", "b.\u{e9}", "b.never_ran", "b.x"]))
        .unwrap();
    store.save_benchmarks(&index(&["b.x"])).unwrap();
    assert_eq!(names(&store), ["b.gone", "b.x", "b.\u{e9}"]);
    fs::remove_file(store.root().join("vm/01234567-existing-py3.json")).unwrap();
    store.save_benchmarks(&index(&["b.x"])).unwrap();
    assert_eq!(names(&store), ["b.x"]);
}

#[test]
fn what_was_not_searched_is_not_forgotten() {
    let (_folder, store) = store_with_results(&["b.x"]);
    let searched = |budget| store.with_results(&["b.x", "b.gone"], budget);
    assert_eq!(searched(1_000_000), ["b.x"]);
    assert_eq!(searched(10), ["b.x", "b.gone"]);
    assert!(store.with_results(&[], 0).is_empty());
}

#[test]
fn a_broken_file_is_moved_aside() {
    let (_folder, store) = temporary_store();
    fs::create_dir_all(store.root()).unwrap();
    fs::write(store.root().join("benchmarks.json"), "{").unwrap();
    assert!(
        store
            .load_benchmarks()
            .unwrap_err()
            .message
            .starts_with("is no JSON (line 1")
    );
    let problems = store.save_benchmarks(&index(&["b.x"])).unwrap();
    assert_eq!(problems[0].kind, ProblemKind::MovedAside);
    assert_eq!(names(&store), ["b.x"]);
    assert!(store.root().join("benchmarks.json.unreadable").exists());
}
