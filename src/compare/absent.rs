//! Benchmarks that only the base has, and why.

use crate::report::{Absence, AbsentBenchmark};
use crate::results::{BenchmarkIndex, ResultSet};

use super::rows::Options;

/// The benchmarks of the base that HEAD did not run, sorted by name.
pub(super) fn absent(
    base: &ResultSet,
    head: &ResultSet,
    index: &BenchmarkIndex,
    options: &Options,
) -> Vec<AbsentBenchmark> {
    let mut absent: Vec<AbsentBenchmark> = base
        .results
        .keys()
        .filter(|name| !head.results.contains_key(*name))
        .map(|name| AbsentBenchmark {
            benchmark: name.clone(),
            absence: absence_of(name, index, options),
        })
        .collect();
    absent.sort_by(|one, other| one.benchmark.cmp(&other.benchmark));
    absent
}

fn absence_of(name: &str, index: &BenchmarkIndex, options: &Options) -> Absence {
    let in_suite = match options.in_suite {
        Some(in_suite) => in_suite(name),
        None => index.benchmarks.contains_key(name),
    };
    if !in_suite {
        return Absence::Gone;
    }
    let Some(selected) = options.selected else {
        return Absence::NotRun;
    };
    let any_selected = match index.benchmarks.get(name) {
        Some(record) => (0..record.combinations())
            .any(|combination| selected(&record.display_name(combination))),
        None => selected(name),
    };
    if any_selected {
        Absence::NotRun
    } else {
        Absence::NotSelected
    }
}
