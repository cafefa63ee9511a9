use super::*;
use crate::json::to_compact;
use crate::paths::counts::{Counts, StageCounts};
use crate::paths::fixture::Entry;
use crate::paths::per_call::{Difference, PathTimes, PerCall};
use crate::paths::report::{Problem, Section};
use crate::results::{FailureKind, Value};

fn path(label: &str, samples: &[f64], difference: Option<f64>) -> PathTimes {
    PathTimes {
        label: label.to_owned(),
        samples: samples.to_vec(),
        differences: difference
            .map(|largest| Difference {
                from: "interpreter".to_owned(),
                largest,
            })
            .into_iter()
            .collect(),
        ..PathTimes::default()
    }
}

fn example(sections: Vec<Section>) -> Report {
    Report {
        examples: vec![ExampleReport {
            entry: Entry {
                number: 2,
                name: "02_dependent-parameters".to_owned(),
                ..Entry::default()
            },
            sections,
            definition: "abc".to_owned(),
            ..ExampleReport::default()
        }],
        interrupted: None,
    }
}

fn measured() -> Section {
    let jax = PathTimes {
        label: "JAX".to_owned(),
        compiles: true,
        problem: Some(Problem::skipped("JAX is not installed")),
        ..PathTimes::default()
    };
    Section::PerCall(PerCall {
        calls: 6,
        rounds: 3,
        reference: "interpreter".to_owned(),
        compiled: "compiled".to_owned(),
        paths: vec![
            path("compiled", &[0.001, 0.002, 0.003], Some(1e-13)),
            path("interpreter", &[0.01, 0.02, 0.03], None),
            jax,
        ],
        ..PerCall::default()
    })
}

#[test]
fn times_and_differences_are_kept_by_path() {
    let records = Records::of(&example(vec![measured()]), 1000);
    let names: Vec<&str> = records.set.results.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "paths.02_dependent_parameters.time_per_call",
            "paths.02_dependent_parameters.track_largest_difference",
            "paths.02_dependent_parameters.track_compile_time",
        ]
    );
    let times = &records.set.results[0];
    assert_eq!(times.params, [["'compiled'", "'interpreter'", "'JAX'"]]);
    assert_eq!(times.values[0], Value::Number(0.002.into()));
    assert_eq!(times.values[2], Value::Skipped);
    let stats = times.stats[1].as_ref().unwrap();
    assert_eq!((stats.number, stats.repeat), (2, 3));
    assert_eq!(times.version.as_deref(), Some("abc-1"));
    let differences = &records.set.results[1];
    assert_eq!(differences.params, [["'compiled'", "'JAX'"]]);
    let failures = &records.provenance[0].1.failures;
    assert_eq!(failures[2].as_ref().unwrap().kind, FailureKind::Skipped);
}

#[test]
fn the_record_is_one_that_asv_reads() {
    let records = Records::of(&example(vec![measured()]), 0);
    assert!(is_of_paths(&records.index.benchmarks[0]));
    let raw = &records.index.benchmarks[0].raw;
    assert_eq!(
        to_compact(&raw.clone().into()),
        r##"{"code": "# measured by `lcmbench paths`", "name": "paths.02_dependent_parameters.time_per_call", "param_names": ["path"], "params": [["'compiled'", "'interpreter'", "'JAX'"]], "timeout": 60.0, "type": "time", "unit": "seconds", "version": "abc-1"}"##
    );
}

#[test]
fn what_was_interrupted_is_not_kept() {
    let mut report = example(vec![measured(), measured()]);
    report.interrupted = Some(2);
    assert!(!Records::of(&report, 0).is_empty());
    report.examples[0].sections.pop();
    assert!(Records::of(&report, 0).is_empty());
}

#[test]
fn counts_are_kept_by_stage() {
    let counts = Counts {
        counters: vec!["residual evaluations".to_owned()],
        stages: [("baseline fit", 54), ("2D fit", 515)]
            .into_iter()
            .map(|(label, calls)| StageCounts {
                label: label.to_owned(),
                calls: vec![calls],
            })
            .collect(),
        ..Counts::default()
    };
    let records = Records::of(&example(vec![Section::Counts(counts)]), 0);
    let (name, result) = records.set.results.get_index(0).unwrap();
    assert_eq!(
        name,
        "paths.02_dependent_parameters.track_residual_evaluations"
    );
    assert_eq!(result.params, [["'baseline fit'", "'2D fit'"]]);
    assert_eq!(result.values[1], Value::Number(515_i64.into()));
}

#[test]
fn labels_are_fit_for_names_and_parameters() {
    assert_eq!(word("02 fit (2D)"), "02_fit__2D_");
    assert_eq!(repr(r"it's \ here"), r"'it\'s \\ here'");
}
