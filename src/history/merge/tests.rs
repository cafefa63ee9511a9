//! Two folders as one.

use fs_err as fs;

use super::*;
use crate::history::testing::{MACHINE, files, hash, set, store, value};
use crate::results::{BenchmarkIndex, Detail};

fn measured(number: u32, env_name: &str, results: &[(&str, f64)]) -> ResultSet {
    let mut set = set(number, env_name);
    for (name, number) in results {
        set.results
            .insert((*name).to_owned(), value(*number, Some("v")));
    }
    set
}

fn values(store: &Store, number: u32) -> Vec<(String, f64)> {
    let folder = store.machines().items.remove(0);
    let found = store.find(&folder, &hash(number), None, Detail::Values);
    let results = found.items.iter().flat_map(|loaded| &loaded.set.results);
    let mut all: Vec<(String, f64)> = results
        .map(|(name, row)| (name.clone(), row.values[0].as_f64().unwrap()))
        .collect();
    all.sort_by(|one, other| one.0.cmp(&other.0));
    all
}

#[test]
fn local_results_count_and_nothing_is_forgotten() {
    let (_one, site) = store(&[
        measured(1, "env", &[("b.a", 1.0), ("b.b", 2.0)]),
        measured(2, "env", &[("b.a", 3.0)]),
    ]);
    let (_two, local) = store(&[
        measured(1, "env", &[("b.b", 20.0), ("b.c", 30.0)]),
        measured(3, "env", &[("b.a", 40.0)]),
    ]);
    let merged = merge(&site, &local, &EnvironmentSettings::default()).unwrap();
    assert_eq!((merged.added, merged.same, merged.problems), (2, 0, vec![]));
    let pair = |name: &str, value: f64| (name.to_owned(), value);
    assert_eq!(
        values(&site, 1),
        [pair("b.a", 1.0), pair("b.b", 20.0), pair("b.c", 30.0)]
    );
    assert_eq!(values(&site, 2), [pair("b.a", 3.0)]);
    assert_eq!(values(&site, 3), [pair("b.a", 40.0)]);
}

#[test]
fn merging_again_changes_nothing() {
    let (_one, site) = store(&[]);
    let (_two, local) = store(&[
        measured(1, "env", &[("b.a", 1.0)]),
        measured(2, "other", &[]),
    ]);
    merge(&site, &local, &EnvironmentSettings::default()).unwrap();
    let first = files(site.root());
    let merged = merge(&site, &local, &EnvironmentSettings::default()).unwrap();
    assert_eq!((merged.added, merged.same), (0, 2));
    assert_eq!(files(site.root()), first);
}

#[test]
fn an_alias_is_the_same_environment() {
    let (_one, site) = store(&[measured(1, "cuda", &[("b.a", 1.0)])]);
    let (_two, local) = store(&[measured(1, "old-env", &[("b.b", 2.0)])]);
    let environment = EnvironmentSettings {
        name: Some("cuda".to_owned()),
        aliases: vec!["old-env".to_owned()],
    };
    merge(&site, &local, &environment).unwrap();
    let names: Vec<String> = files(&site.root().join(MACHINE)).into_keys().collect();
    assert_eq!(names, ["00000001-cuda.json", "machine.json"]);
    assert_eq!(values(&site, 1).len(), 2);
}

#[test]
fn both_suites_are_kept_and_what_is_broken_is_passed_over() {
    let index = |names: &[&str]| -> BenchmarkIndex {
        let records = names
            .iter()
            .map(|name| format!("\"{name}\": {{\"name\": \"{name}\"}}"));
        let text = format!("{{{}}}", records.collect::<Vec<_>>().join(", "));
        BenchmarkIndex::from_text(&text).unwrap()
    };
    let (_one, site) = store(&[measured(1, "env", &[("b.a", 1.0)])]);
    site.replace_benchmarks(&index(&["b.a"])).unwrap();
    let (_two, local) = store(&[]);
    local.replace_benchmarks(&index(&["b.b"])).unwrap();
    fs::write(local.root().join(MACHINE).join("12345678-env.json"), "{").unwrap();
    let merged = merge(&site, &local, &EnvironmentSettings::default()).unwrap();
    assert_eq!(merged.problems.len(), 1);
    let all = site.load_benchmarks().unwrap();
    assert_eq!(all.benchmarks.keys().collect::<Vec<_>>(), ["b.a", "b.b"]);
}
