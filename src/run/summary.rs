//! How a run went, in numbers.

use crate::results::{Failure, Value};

use super::engine::Outcome;
use super::event::Finished;

/// The standing of one benchmark after a run, over the combinations that were selected.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Standing {
    pub measured: usize,
    pub skipped: usize,
    pub failed: usize,
}

impl Standing {
    /// Counts the selected combinations of a benchmark.
    pub fn of(finished: &Finished) -> Self {
        let mut standing = Self::default();
        for (value, _) in cells(finished) {
            match value {
                Value::Number(_) | Value::Other(_) => standing.measured += 1,
                Value::Skipped => standing.skipped += 1,
                Value::Failed => standing.failed += 1,
            }
        }
        standing
    }
}

/// The selected combinations of a benchmark, each with its failure if it has one.
pub fn cells(finished: &Finished) -> impl Iterator<Item = (&Value, Option<&Failure>)> {
    finished.combinations.iter().filter_map(|index| {
        let value = finished.result.values.get(*index)?;
        let failure = finished.provenance.failures.get(*index);
        Some((value, failure.and_then(Option::as_ref)))
    })
}

/// The standing of a whole run, by benchmark.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// Benchmarks with at least one value and no failure.
    pub measured: usize,
    /// Benchmarks of which everything was skipped.
    pub skipped: usize,
    /// Benchmarks of which something failed.
    pub failed: usize,
    /// Combinations with a value.
    pub values: usize,
}

impl Summary {
    /// Counts the benchmarks of a run.
    pub fn of(outcome: &Outcome) -> Self {
        let mut summary = Self::default();
        for finished in &outcome.finished {
            let standing = Standing::of(finished);
            summary.values += standing.measured;
            if standing.failed > 0 {
                summary.failed += 1;
            } else if standing.measured > 0 {
                summary.measured += 1;
            } else {
                summary.skipped += 1;
            }
        }
        summary
    }

    /// Number of benchmarks that ran.
    pub fn total(&self) -> usize {
        self.measured + self.skipped + self.failed
    }

    /// Whether the run is to end with the code for failures: something failed, or there is no value
    /// at all. (asv does not count a benchmark that returns nothing; it is shown as failed, so here
    /// it counts.)
    pub fn is_bad(&self) -> bool {
        self.failed > 0 || self.values == 0
    }

    /// One sentence.
    pub fn sentence(&self) -> String {
        let mut parts = vec![format!("{} measured", self.measured)];
        if self.failed > 0 {
            parts.push(format!("{} failed", self.failed));
        }
        if self.skipped > 0 {
            parts.push(format!("{} skipped", self.skipped));
        }
        format!("{}: {}", count(self.total(), "benchmark"), parts.join(", "))
    }
}

/// `1 benchmark`, `2 benchmarks`.
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 {
        format!("1 {noun}")
    } else {
        format!("{number} {noun}s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Json;
    use crate::results::{BenchmarkProvenance, BenchmarkResult, FailureKind};
    use crate::suite::Benchmark;

    fn finished(values: Vec<Value>, failures: Vec<Option<FailureKind>>) -> Finished {
        Finished {
            benchmark: Benchmark::default(),
            combinations: (0..values.len()).collect(),
            result: BenchmarkResult {
                values,
                ..BenchmarkResult::default()
            },
            provenance: BenchmarkProvenance {
                failures: failures
                    .into_iter()
                    .map(|kind| {
                        kind.map(|kind| Failure {
                            kind,
                            message: String::new(),
                            details: String::new(),
                        })
                    })
                    .collect(),
                ..BenchmarkProvenance::default()
            },
            output: String::new(),
        }
    }

    fn summary(finished: Vec<Finished>) -> Summary {
        Summary::of(&Outcome {
            finished,
            ..Outcome::default()
        })
    }

    fn number() -> Value {
        Value::Number(Json::Int(1))
    }

    #[test]
    fn counts_benchmarks_by_their_worst_combination() {
        let summary = summary(vec![
            finished(vec![number(), Value::Skipped], vec![]),
            finished(vec![Value::Skipped], vec![]),
            finished(
                vec![number(), Value::Failed],
                vec![None, Some(FailureKind::Timeout)],
            ),
        ]);
        assert_eq!(
            summary.sentence(),
            "3 benchmarks: 1 measured, 1 failed, 1 skipped"
        );
        assert!(summary.is_bad());
    }

    #[test]
    fn measuring_nothing_is_never_good() {
        assert!(summary(vec![finished(vec![Value::Skipped], vec![])]).is_bad());
        assert!(summary(vec![]).is_bad());
    }

    #[test]
    fn combinations_that_were_not_selected_do_not_count() {
        let mut partly = finished(vec![number(), Value::Failed], vec![]);
        partly.combinations = vec![0];
        assert_eq!(summary(vec![partly]).measured, 1);
    }
}
