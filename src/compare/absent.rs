//! Benchmarks that only the base has, and why.

use crate::report::{Absence, AbsentBenchmark};
use crate::results::{BenchmarkIndex, ResultSet};

use super::rows::Options;

/// So many combinations of a benchmark are looked at: a file that claims more of them than any
/// benchmark has must not keep anybody busy.
const MOST_COMBINATIONS: usize = 10_000;

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
        Some(record) => (0..record.combinations().min(MOST_COMBINATIONS))
            .any(|combination| selected(&record.display_name(combination))),
        None => selected(name),
    };
    if any_selected {
        Absence::NotRun
    } else {
        Absence::NotSelected
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::results::{BenchmarkRecord, BenchmarkResult};

    #[test]
    fn a_file_that_claims_too_much_keeps_nobody_busy() {
        let name = "b.time_lost".to_owned();
        let axis: Vec<String> = (0..1000).map(|value| value.to_string()).collect();
        let record = BenchmarkRecord {
            name: name.clone(),
            params: vec![axis; 9],
            ..BenchmarkRecord::default()
        };
        let index = BenchmarkIndex {
            benchmarks: [(name.clone(), record)].into_iter().collect(),
        };
        let base = ResultSet {
            results: [(name, BenchmarkResult::default())].into_iter().collect(),
            ..ResultSet::default()
        };
        let looked_at = Cell::new(0_usize);
        let none = |_: &str| {
            looked_at.set(looked_at.get() + 1);
            false
        };
        let options = Options {
            selected: Some(&none),
            ..Options::default()
        };
        let found = absent(&base, &ResultSet::default(), &index, &options);
        assert_eq!(found[0].absence, Absence::NotSelected);
        assert_eq!(looked_at.get(), MOST_COMBINATIONS);
    }
}
