use super::*;
use crate::json::parse;
use crate::results::{BenchmarkRecord, BenchmarkResult, ResultSet};
use crate::suite::Benchmark;
use crate::worker::{ModuleError, PythonError};

fn selected(name: &str, params: &[&[&str]], combinations: Vec<usize>) -> Selected {
    let names = ["n", "k"].iter().take(params.len());
    Selected {
        benchmark: Benchmark {
            record: BenchmarkRecord {
                name: name.to_owned(),
                params: params
                    .iter()
                    .map(|axis| axis.iter().map(|value| (*value).to_owned()).collect())
                    .collect(),
                param_names: names.map(|name| (*name).to_owned()).collect(),
                ..BenchmarkRecord::default()
            },
            rounds: 2,
            skipped: [1].into(),
            ..Benchmark::default()
        },
        combinations,
    }
}

fn suite() -> Vec<Selected> {
    let axes: &[&[&str]] = &[&["1", "2"], &["'a'", "None"]];
    let mut simple = selected("a.time_x", &[], vec![0]);
    simple.benchmark.skipped.clear();
    vec![
        simple,
        selected("b.track_all", axes, vec![0, 1, 2, 3]),
        selected("b.track_some", axes, vec![2, 3]),
    ]
}

fn discovery() -> Discovery {
    Discovery {
        jax_imports: vec![("bench_j".to_owned(), "/s/bench_j.py".into(), 3)],
        module_errors: vec![ModuleError {
            module: "bench_bad".to_owned(),
            object: None,
            error: PythonError {
                class: "ImportError".to_owned(),
                message: "no".to_owned(),
                traceback: "Traceback".to_owned(),
            },
        }],
        launch_reason: "safe".to_owned(),
        ..Discovery::default()
    }
}

fn durations(known: &[(&str, f64)]) -> Durations {
    let mut durations = Durations::default();
    durations.take(&ResultSet {
        results: known
            .iter()
            .map(|(name, seconds)| {
                let result = BenchmarkResult {
                    duration: Some(*seconds),
                    ..BenchmarkResult::default()
                };
                ((*name).to_owned(), result)
            })
            .collect(),
        ..ResultSet::default()
    });
    durations
}

#[test]
fn names_parameters_and_time_are_listed() {
    let (discovery, selected) = (discovery(), suite());
    let known = durations(&[("a.time_x", 0.65), ("b.track_some", 300.0)]);
    let listing = Listing {
        discovery: &discovery,
        selected: &selected,
        durations: &known,
    };
    assert_eq!(
        listing.text(),
        [
            "a.time_x  (0.7 s)",
            "b.track_all [4 combinations, 1 skipped by the suite]",
            "    n: 1, 2",
            "    k: 'a', None",
            "b.track_some [2 of 4 combinations]  (2 min 30 s)",
            "    (2, 'a')",
            "    (2, None)",
            "3 benchmarks, 7 combinations; expected to take 2 min 31 s and what 1 benchmark of \
             unknown duration take",
        ]
    );
    assert_eq!(
        listing.jax_imports(),
        ["module bench_j imports JAX at module level: /s/bench_j.py:3"]
    );
}

#[test]
fn without_history_nothing_is_promised() {
    let (discovery, selected) = (discovery(), suite());
    let listing = Listing {
        discovery: &discovery,
        selected: &selected[..1],
        durations: &Durations::default(),
    };
    assert_eq!(
        listing.text()[1],
        "1 benchmark; how long it takes is not known yet"
    );
}

#[test]
fn the_json_form_holds_the_same() {
    let (discovery, selected) = (discovery(), suite());
    let known = durations(&[
        ("a.time_x", 0.5),
        ("b.track_all", 4.0),
        ("b.track_some", 2.0),
    ]);
    let listing = Listing {
        discovery: &discovery,
        selected: &selected,
        durations: &known,
    };
    let json = parse(&listing.json()).unwrap();
    assert_eq!(json.get("format"), Some(&Json::Int(1)));
    assert_eq!(json.get("expected_seconds"), Some(&Json::Float(5.5)));
    let benchmarks = json.get("benchmarks").unwrap().as_array().unwrap();
    assert_eq!(benchmarks.len(), 3);
    let some = &benchmarks[2];
    let combinations = some.get("combinations").unwrap().as_array().unwrap();
    assert_eq!(
        combinations[0].get("name"),
        Some(&"b.track_some(2, 'a')".into())
    );
    assert_eq!(combinations[0].get("index"), Some(&Json::Int(2)));
    assert_eq!(some.get("expected_seconds"), Some(&Json::Float(1.0)));
    let errors = json.get("module_errors").unwrap().as_array().unwrap();
    assert_eq!(errors[0].get("module"), Some(&"bench_bad".into()));
    let jax = json.get("jax_imports").unwrap().as_array().unwrap();
    assert_eq!(jax[0].get("line"), Some(&Json::Int(3)));
}

#[test]
fn times_are_told_roughly() {
    assert_eq!(roughly(0.25), "0.2 s");
    assert_eq!(roughly(45.4), "45 s");
    assert_eq!(roughly(59.9), "1 min 0 s");
    assert_eq!(roughly(7500.0), "2 h 5 min");
}
