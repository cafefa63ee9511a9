//! `show --format json`.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::report::listing::{
    CommitResults, Details, MeasuredCommit, Series, ShownBenchmark, ShownResult,
};

use super::comparison::SideDocument;
use super::value::{CellDocument, Number, Parameter, number, parameters};
use super::{FORMAT, print};

/// The measured commits of each machine and environment.
pub fn series(series: &[Series]) -> String {
    print(&SeriesDocument {
        format: FORMAT,
        kind: "commits",
        series: series
            .iter()
            .map(|series| OneSeries {
                machine: &series.machine,
                environment: &series.environment,
                commits: series.commits.iter().map(CommitDocument::from).collect(),
            })
            .collect(),
    })
}

/// The results of one commit, one entry for each machine and environment.
pub fn results(results: &[CommitResults]) -> String {
    print(&ResultsDocument {
        format: FORMAT,
        kind: "results",
        results: results.iter().map(OneResults::from).collect(),
    })
}

#[derive(Debug, Serialize)]
struct SeriesDocument<'a> {
    format: u32,
    kind: &'static str,
    series: Vec<OneSeries<'a>>,
}

#[derive(Debug, Serialize)]
struct OneSeries<'a> {
    machine: &'a str,
    environment: &'a str,
    commits: Vec<CommitDocument<'a>>,
}

#[derive(Debug, Serialize)]
struct CommitDocument<'a> {
    commit: &'a str,
    date: Option<i64>,
    benchmarks: usize,
    failed: usize,
}

impl<'a> From<&'a MeasuredCommit> for CommitDocument<'a> {
    fn from(commit: &'a MeasuredCommit) -> Self {
        Self {
            commit: &commit.commit,
            date: commit.date,
            benchmarks: commit.benchmarks,
            failed: commit.failed,
        }
    }
}

#[derive(Debug, Serialize)]
struct ResultsDocument<'a> {
    format: u32,
    kind: &'static str,
    results: Vec<OneResults<'a>>,
}

#[derive(Debug, Serialize)]
struct OneResults<'a> {
    #[serde(rename = "commit")]
    side: SideDocument<'a>,
    date: Option<i64>,
    benchmarks: Vec<BenchmarkDocument<'a>>,
    durations: Map<String, Value>,
}

impl<'a> From<&'a CommitResults> for OneResults<'a> {
    fn from(results: &'a CommitResults) -> Self {
        Self {
            side: (&results.side).into(),
            date: results.date,
            benchmarks: results
                .benchmarks
                .iter()
                .map(BenchmarkDocument::from)
                .collect(),
            durations: results
                .durations
                .iter()
                .map(|(name, seconds)| (name.clone(), number(*seconds)))
                .collect(),
        }
    }
}

#[derive(Debug, Serialize)]
struct BenchmarkDocument<'a> {
    benchmark: &'a str,
    unit: &'a str,
    current: bool,
    started_at: Option<i64>,
    duration: Option<Number>,
    results: Vec<ResultDocument<'a>>,
    flags: &'a [String],
}

impl<'a> From<&'a ShownBenchmark> for BenchmarkDocument<'a> {
    fn from(benchmark: &'a ShownBenchmark) -> Self {
        Self {
            benchmark: &benchmark.benchmark,
            unit: &benchmark.unit,
            current: benchmark.current,
            started_at: benchmark.started_at,
            duration: benchmark.duration.map(Number),
            results: benchmark.results.iter().map(ResultDocument::from).collect(),
            flags: &benchmark.flags,
        }
    }
}

#[derive(Debug, Serialize)]
struct ResultDocument<'a> {
    params: Vec<Parameter<'a>>,
    result: CellDocument,
    details: Option<DetailsDocument>,
}

impl<'a> From<&'a ShownResult> for ResultDocument<'a> {
    fn from(result: &'a ShownResult) -> Self {
        Self {
            params: parameters(&result.params),
            result: (&result.cell).into(),
            details: result.details.as_ref().map(DetailsDocument::from),
        }
    }
}

#[derive(Debug, Serialize)]
struct DetailsDocument {
    repeat: i64,
    number: i64,
    ci_99: [Number; 2],
    samples: Option<Vec<Number>>,
}

impl From<&Details> for DetailsDocument {
    fn from(details: &Details) -> Self {
        let (low, high) = details.ci_99;
        Self {
            repeat: details.repeat,
            number: details.number,
            ci_99: [Number(low), Number(high)],
            samples: details
                .samples
                .as_ref()
                .map(|samples| samples.iter().copied().map(Number).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::report::row::{Cell, Side};
    use crate::report::testing::number as number_cell;

    #[test]
    fn commits_are_listed_by_series() {
        let given = [Series {
            machine: "box".into(),
            environment: "py3".into(),
            commits: vec![MeasuredCommit {
                commit: "a".repeat(40),
                date: Some(1_500_000_000_000),
                benchmarks: 3,
                failed: 1,
            }],
        }];
        let document: Value = serde_json::from_str(&series(&given)).unwrap();
        assert_eq!(
            document,
            json!({
                "format": 1,
                "kind": "commits",
                "series": [{
                    "machine": "box",
                    "environment": "py3",
                    "commits": [{
                        "commit": "a".repeat(40),
                        "date": 1_500_000_000_000_i64,
                        "benchmarks": 3,
                        "failed": 1,
                    }],
                }],
            })
        );
    }

    #[test]
    fn results_have_all_details() {
        let given = [CommitResults {
            side: Side {
                commit: "b".repeat(40),
                name: None,
                machine: "box".into(),
                environment: "py3".into(),
            },
            date: None,
            benchmarks: vec![ShownBenchmark {
                benchmark: "m.time_x".into(),
                unit: "seconds".into(),
                current: true,
                started_at: Some(1),
                duration: Some(0.5),
                results: vec![
                    ShownResult {
                        params: vec![("n".into(), "1".into())],
                        cell: number_cell(0.25),
                        details: Some(Details {
                            repeat: 2,
                            number: 10,
                            ci_99: (f64::NEG_INFINITY, 0.5),
                            samples: Some(vec![0.2, 0.3]),
                        }),
                    },
                    ShownResult {
                        params: vec![("n".into(), "2".into())],
                        cell: Cell::Skipped { reason: None },
                        details: None,
                    },
                ],
                flags: vec!["compiled-while-timed".into()],
            }],
            durations: vec![("<build>".into(), 4.5)],
        }];
        let document: Value = serde_json::from_str(&results(&given)).unwrap();
        assert_eq!(document["kind"], "results");
        assert_eq!(document["results"][0]["commit"]["machine"], "box");
        assert_eq!(document["results"][0]["durations"], json!({"<build>": 4.5}));
        assert_eq!(
            document["results"][0]["benchmarks"],
            json!([{
                "benchmark": "m.time_x",
                "unit": "seconds",
                "current": true,
                "started_at": 1,
                "duration": 0.5,
                "results": [
                    {
                        "params": [{"name": "n", "value": "1"}],
                        "result": {"kind": "number", "value": 0.25, "spread": null},
                        "details": {
                            "repeat": 2, "number": 10, "ci_99": ["-inf", 0.5],
                            "samples": [0.2, 0.3]
                        },
                    },
                    {
                        "params": [{"name": "n", "value": "2"}],
                        "result": {"kind": "skipped", "reason": null},
                        "details": null,
                    },
                ],
                "flags": ["compiled-while-timed"],
            }])
        );
    }
}
