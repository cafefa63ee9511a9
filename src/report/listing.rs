//! What `show` shows: the measured commits, and the results of one of them.

use super::row::{Cell, Side};

/// The commits with results on one machine in one environment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    pub machine: String,
    pub environment: String,
    /// By date, oldest first.
    pub commits: Vec<MeasuredCommit>,
}

/// One commit with results.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeasuredCommit {
    /// Full hash, or what an old file holds in its place.
    pub commit: String,
    /// Date of the commit, milliseconds since 1970.
    pub date: Option<i64>,
    /// Benchmarks with a result.
    pub benchmarks: usize,
    /// Those of them that failed in at least one combination.
    pub failed: usize,
}

/// The results of one commit on one machine in one environment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CommitResults {
    pub side: Side,
    /// Date of the commit, milliseconds since 1970.
    pub date: Option<i64>,
    /// By name.
    pub benchmarks: Vec<ShownBenchmark>,
    /// Seconds of what is no benchmark: builds and cache set-ups.
    pub durations: Vec<(String, f64)>,
}

/// One benchmark's results.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ShownBenchmark {
    pub benchmark: String,
    pub unit: String,
    /// False when the suite has another version of it by now, or none.
    pub current: bool,
    /// Start of its last round, milliseconds since 1970.
    pub started_at: Option<i64>,
    /// Seconds over all rounds.
    pub duration: Option<f64>,
    /// One for each combination of parameters.
    pub results: Vec<ShownResult>,
    /// Remarks of the record, as words.
    pub flags: Vec<String>,
}

/// One combination's result.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownResult {
    /// Name and string of each parameter; empty when unparameterised.
    pub params: Vec<(String, String)>,
    pub cell: Cell,
    pub details: Option<Details>,
}

/// What `--details` adds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Details {
    /// Number of samples.
    pub repeat: i64,
    /// Calls per sample.
    pub number: i64,
    /// Bounds of the 99 % confidence interval of the median; may be infinite.
    pub ci_99: (f64, f64),
    /// The samples themselves, where they were recorded.
    pub samples: Option<Vec<f64>>,
}

impl ShownBenchmark {
    /// Combinations that failed.
    pub fn failed(&self) -> usize {
        self.results
            .iter()
            .filter(|result| matches!(result.cell, Cell::Failed { .. }))
            .count()
    }
}
