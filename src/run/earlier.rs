//! What the result file already holds of a benchmark, lined up with its present parameters.

use std::collections::BTreeMap;

use crate::results::{
    BenchmarkProvenance, BenchmarkResult, Failure, ResultSet, SampleStats, Value,
};
use crate::suite::Benchmark;

/// Earlier values of one benchmark of the same version, one entry per present combination.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Earlier {
    pub(super) cells: Vec<Option<EarlierCell>>,
    pub(super) profile: Option<String>,
}

/// What is known of one combination.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct EarlierCell {
    pub(super) value: Value,
    pub(super) stats: Option<SampleStats>,
    pub(super) samples: Option<Vec<f64>>,
    pub(super) failure: Option<Failure>,
    /// How many samples came from each process; empty when unknown.
    pub(super) sizes: Vec<usize>,
}

impl Earlier {
    /// What `set` holds of `benchmark`; `None` if nothing, or only results of another version.
    pub(super) fn of(set: &ResultSet, benchmark: &Benchmark) -> Option<Self> {
        let result = set.results.get(benchmark.name())?;
        if !same_version(result, benchmark) {
            return None;
        }
        let provenance = set
            .provenance
            .as_ref()
            .and_then(|provenance| provenance.benchmarks.get(benchmark.name()));
        let positions = positions(result, benchmark);
        let cells = positions
            .into_iter()
            .map(|position| position.and_then(|at| cell(result, provenance, at)))
            .collect();
        Some(Self {
            cells,
            profile: result.profile.clone(),
        })
    }
}

/// Whether a stored result is about the benchmark as it is now; an unknown version is.
pub(super) fn same_version(result: &BenchmarkResult, benchmark: &Benchmark) -> bool {
    result.version.is_none() || result.version == benchmark.record.version
}

/// For each present combination its position in the stored result, found by the parameter strings.
pub(super) fn positions(result: &BenchmarkResult, benchmark: &Benchmark) -> Vec<Option<usize>> {
    let present = &benchmark.record;
    if result.params == present.params {
        return (0..present.combinations()).map(Some).collect();
    }
    if result.params.len() != present.params.len() {
        return vec![None; present.combinations()];
    }
    let stored = crate::results::BenchmarkRecord {
        params: result.params.clone(),
        ..crate::results::BenchmarkRecord::default()
    };
    let by_params: BTreeMap<Vec<&str>, usize> = (0..stored.combinations())
        .map(|at| (stored.combination(at), at))
        .collect();
    (0..present.combinations())
        .map(|index| by_params.get(&present.combination(index)).copied())
        .collect()
}

fn cell(
    result: &BenchmarkResult,
    provenance: Option<&BenchmarkProvenance>,
    at: usize,
) -> Option<EarlierCell> {
    let samples = result.samples.get(at).cloned().flatten();
    let sizes = provenance
        .and_then(|provenance| provenance.process_sizes.get(at).cloned())
        .filter(|sizes| Some(sizes.iter().sum()) == samples.as_ref().map(Vec::len))
        .unwrap_or_default();
    Some(EarlierCell {
        value: result.values.get(at)?.clone(),
        stats: result.stats.get(at).cloned().flatten(),
        samples,
        failure: provenance.and_then(|provenance| provenance.failures.get(at).cloned().flatten()),
        sizes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Json;
    use crate::results::BenchmarkRecord;

    fn axis(values: &[&str]) -> Vec<String> {
        values.iter().map(|value| (*value).to_owned()).collect()
    }

    fn stored(version: Option<&str>) -> ResultSet {
        let number = |value: i64| Value::Number(Json::Int(value));
        let result = BenchmarkResult {
            values: vec![number(1), number(2), number(3), number(4)],
            params: vec![axis(&["a", "b"]), axis(&["x", "y"])],
            version: version.map(str::to_owned),
            ..BenchmarkResult::default()
        };
        ResultSet {
            results: [("n".to_owned(), result)].into_iter().collect(),
            ..ResultSet::default()
        }
    }

    fn benchmark(params: Vec<Vec<String>>) -> Benchmark {
        Benchmark {
            record: BenchmarkRecord {
                name: "n".to_owned(),
                version: Some("v".to_owned()),
                params,
                ..BenchmarkRecord::default()
            },
            ..Benchmark::default()
        }
    }

    #[test]
    fn lines_up_by_the_parameter_strings() {
        let benchmark = benchmark(vec![axis(&["b", "c"]), axis(&["y", "x"])]);
        let earlier = Earlier::of(&stored(Some("v")), &benchmark).unwrap();
        let values: Vec<Option<f64>> = earlier
            .cells
            .iter()
            .map(|cell| cell.as_ref().and_then(|cell| cell.value.as_f64()))
            .collect();
        assert_eq!(values, [Some(4.0), Some(3.0), None, None]);
    }

    #[test]
    fn another_number_of_axes_has_nothing_in_common() {
        let earlier = Earlier::of(&stored(Some("v")), &benchmark(vec![axis(&["a"])])).unwrap();
        assert_eq!(earlier.cells, [None]);
    }

    #[test]
    fn another_version_is_passed_over_and_an_unknown_one_is_not() {
        let benchmark = benchmark(vec![axis(&["a", "b"]), axis(&["x", "y"])]);
        assert!(Earlier::of(&stored(Some("w")), &benchmark).is_none());
        assert!(Earlier::of(&stored(None), &benchmark).is_some());
    }
}
