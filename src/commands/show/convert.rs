//! Stored results as `show` shows them.

use crate::compare::metric_of;
use crate::report::listing::{CommitResults, Details, MeasuredCommit, ShownBenchmark, ShownResult};
use crate::report::{Cell, Side};
use crate::results::{
    BenchmarkIndex, BenchmarkProvenance, BenchmarkRecord, BenchmarkResult, ResultSet, Value,
};

/// One line of the list of commits.
pub(super) fn measured_commit(set: &ResultSet) -> MeasuredCommit {
    let failed = |result: &&BenchmarkResult| result.values.contains(&Value::Failed);
    MeasuredCommit {
        commit: set.commit_hash.clone(),
        date: set.date,
        benchmarks: set.results.len(),
        failed: set.results.values().filter(failed).count(),
    }
}

/// All results of a file, by name.
pub(super) fn commit_results(
    set: &ResultSet,
    machine: &str,
    index: &BenchmarkIndex,
) -> CommitResults {
    let mut benchmarks: Vec<ShownBenchmark> = set
        .results
        .iter()
        .map(|(name, result)| {
            let provenance = set
                .provenance
                .as_ref()
                .and_then(|provenance| provenance.benchmarks.get(name));
            benchmark(name, result, provenance, index.benchmarks.get(name))
        })
        .collect();
    benchmarks.sort_by(|a, b| a.benchmark.cmp(&b.benchmark));
    CommitResults {
        side: Side {
            commit: set.commit_hash.clone(),
            name: None,
            machine: machine.to_owned(),
            environment: set.env_name.clone(),
        },
        date: set.date,
        benchmarks,
        durations: set
            .durations
            .iter()
            .map(|(name, seconds)| (name.clone(), *seconds))
            .collect(),
    }
}

fn benchmark(
    name: &str,
    result: &BenchmarkResult,
    provenance: Option<&BenchmarkProvenance>,
    record: Option<&BenchmarkRecord>,
) -> ShownBenchmark {
    // A null version matches any, as in asv.
    let current = record.is_some_and(|record| {
        record.version.is_none() || result.version.is_none() || record.version == result.version
    });
    ShownBenchmark {
        benchmark: name.to_owned(),
        unit: metric_of(name, record).unit,
        current,
        started_at: result.started_at,
        duration: result.duration,
        results: (0..result.values.len())
            .map(|at| shown(result, at, provenance, record))
            .collect(),
        flags: provenance.map_or_else(Vec::new, |provenance| provenance.flags.clone()),
    }
}

fn shown(
    result: &BenchmarkResult,
    at: usize,
    provenance: Option<&BenchmarkProvenance>,
    record: Option<&BenchmarkRecord>,
) -> ShownResult {
    let params = result
        .combination(at)
        .into_iter()
        .enumerate()
        .map(|(axis, value)| (param_name(record, axis), value.to_owned()))
        .collect();
    let stats = result.stats.get(at).and_then(Option::as_ref);
    let spread = stats
        .map(|stats| (stats.q_75 - stats.q_25) / 2.0)
        .filter(|spread| spread.is_finite());
    let reason = || {
        let failure = provenance?.failures.get(at)?.as_ref()?;
        Some(failure.message.clone())
    };
    let cell = match &result.values[at] {
        Value::Number(value) => Cell::Number {
            value: value.clone(),
            spread,
        },
        Value::Other(value) => Cell::Other(value.clone()),
        Value::Failed => Cell::Failed { reason: reason() },
        Value::Skipped => Cell::Skipped { reason: reason() },
    };
    let details = stats.map(|stats| Details {
        repeat: stats.repeat,
        number: stats.number,
        ci_99: stats.ci_99,
        samples: result.samples.get(at).cloned().flatten(),
    });
    ShownResult {
        params,
        cell,
        details,
    }
}

/// As asv names parameters that have no name.
fn param_name(record: Option<&BenchmarkRecord>, axis: usize) -> String {
    record
        .and_then(|record| record.param_names.get(axis))
        .cloned()
        .unwrap_or_else(|| format!("param{}", axis + 1))
}

/// `name`, or `name(p1, p2)` for each combination.
pub(super) fn display_names(benchmark: &ShownBenchmark) -> Vec<String> {
    benchmark
        .results
        .iter()
        .map(|result| {
            if result.params.is_empty() {
                return benchmark.benchmark.clone();
            }
            let values: Vec<&str> = result.params.iter().map(|(_, v)| v.as_str()).collect();
            format!("{}({})", benchmark.benchmark, values.join(", "))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Json;
    use crate::results::{Failure, FailureKind, Provenance, SampleStats};

    fn example() -> (ResultSet, BenchmarkIndex) {
        let result = BenchmarkResult {
            values: vec![
                Value::Number(Json::Float(0.5)),
                Value::Failed,
                Value::Skipped,
            ],
            params: vec![vec!["1".into(), "2".into(), "3".into()]],
            version: Some("v1".into()),
            stats: vec![
                Some(SampleStats {
                    ci_99: (0.4, f64::INFINITY),
                    q_25: 0.45,
                    q_75: 0.55,
                    number: 3,
                    repeat: 2,
                }),
                None,
                None,
            ],
            samples: vec![Some(vec![0.45, 0.55]), None, None],
            ..BenchmarkResult::default()
        };
        let failure = Failure {
            kind: FailureKind::Exception,
            message: "ValueError: boom".into(),
            details: String::new(),
        };
        let mut set = ResultSet {
            commit_hash: "a".repeat(40),
            ..ResultSet::default()
        };
        set.results.insert("z.time_x".into(), result);
        set.results.insert(
            "a.peakmem_x".into(),
            BenchmarkResult {
                values: vec![Value::Number(Json::Int(5))],
                ..BenchmarkResult::default()
            },
        );
        let mut provenance = Provenance::default();
        provenance.benchmarks.insert(
            "z.time_x".into(),
            BenchmarkProvenance {
                failures: vec![None, Some(failure), None],
                ..BenchmarkProvenance::default()
            },
        );
        set.provenance = Some(provenance);
        let mut index = BenchmarkIndex::default();
        index.benchmarks.insert(
            "z.time_x".into(),
            BenchmarkRecord {
                name: "z.time_x".into(),
                kind: "time".into(),
                unit: "seconds".into(),
                param_names: vec!["n".into()],
                version: Some("v2".into()),
                ..BenchmarkRecord::default()
            },
        );
        (set, index)
    }

    #[test]
    fn results_are_sorted_and_complete() {
        let (set, index) = example();
        let shown = commit_results(&set, "box", &index);
        let names: Vec<&str> = shown
            .benchmarks
            .iter()
            .map(|b| b.benchmark.as_str())
            .collect();
        assert_eq!(names, ["a.peakmem_x", "z.time_x"]);
        let [bytes, time] = shown.benchmarks.as_slice() else {
            panic!("two benchmarks");
        };
        assert_eq!(bytes.unit, "bytes");
        assert!(!bytes.current);
        assert_eq!(time.unit, "seconds");
        assert!(!time.current, "another version");
        assert_eq!(
            display_names(time),
            ["z.time_x(1)", "z.time_x(2)", "z.time_x(3)"]
        );
        assert_eq!(time.results[0].params, [("n".to_owned(), "1".to_owned())]);
        let Cell::Number {
            spread: Some(spread),
            ..
        } = time.results[0].cell
        else {
            panic!("a number with a spread");
        };
        assert!((spread - 0.05).abs() < 1e-12);
        let details = time.results[0].details.as_ref().unwrap();
        assert_eq!((details.repeat, details.number), (2, 3));
        assert_eq!(details.samples.as_deref(), Some(&[0.45, 0.55][..]));
        assert_eq!(
            time.results[1].cell,
            Cell::Failed {
                reason: Some("ValueError: boom".into())
            }
        );
        assert_eq!(time.results[2].cell, Cell::Skipped { reason: None });
    }

    #[test]
    fn a_commit_counts_what_failed() {
        let (set, _) = example();
        let commit = measured_commit(&set);
        assert_eq!((commit.benchmarks, commit.failed), (2, 1));
    }
}
