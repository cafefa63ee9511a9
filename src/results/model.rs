//! What one result file holds, free of its version on disk.

use indexmap::IndexMap;

use crate::json::{Json, Object};

use super::{Provenance, combinations};

/// The results of one commit in one environment on one machine.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResultSet {
    /// Full hash (40 hex digits) of the measured commit; legacy files may hold a tag name.
    pub commit_hash: String,
    /// asv's environment name, for example `existing-py_opt_venv_bin_python3`.
    pub env_name: String,
    /// Author date of the commit, in milliseconds since 1970.
    pub date: Option<i64>,
    /// The dimensions that split series: machine fields, `python`, one key per requirement.
    pub params: Object,
    /// Version (`3.12`) or, for an existing environment, the interpreter's path.
    pub python: String,
    pub requirements: Object,
    pub env_vars: Object,
    /// Results by benchmark name, in order of first completion.
    pub results: IndexMap<String, BenchmarkResult>,
    /// Seconds of builds and cache set-ups (`<build>`, `<setup_cache mod:12>`).
    pub durations: IndexMap<String, f64>,
    /// The `lcmbench` key; absent in files that asv wrote.
    pub provenance: Option<Provenance>,
    /// Top-level keys that neither asv nor this version knows; they survive a rewrite.
    pub extra: Object,
}

/// The stored result of one benchmark, one entry per parameter combination.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BenchmarkResult {
    /// One value per combination (last axis fastest; one if unparameterised). Never null-compressed
    /// in memory: a null column on disk is as many `Value::Failed` as there are combinations.
    pub values: Vec<Value>,
    /// Axes of parameter strings (Python reprs); empty when unparameterised.
    pub params: Vec<Vec<String>>,
    /// Version of the benchmark; `None` matches any version.
    pub version: Option<String>,
    /// Start of the last round, milliseconds since 1970.
    pub started_at: Option<i64>,
    /// Seconds summed over the rounds of the run, process start included.
    pub duration: Option<f64>,
    /// Statistics per combination; empty when none has any.
    pub stats: Vec<Option<SampleStats>>,
    /// Samples per combination, seconds per call; empty when none were recorded.
    pub samples: Vec<Option<Vec<f64>>>,
    /// zlib'd, base64'd pstats of the benchmark.
    pub profile: Option<String>,
    /// Columns `stats_x` that asv accepts and this version does not know.
    pub extra_columns: IndexMap<String, Json>,
}

/// One stored value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `null`: raised, timed out, crashed, returned nothing.
    Failed,
    /// `NaN`: skipped, or not selected.
    Skipped,
    /// A number, integer or float as stored; infinities are possible.
    Number(Json),
    /// What a `track_` benchmark returned that is no number (text, list, object, truth value).
    Other(Json),
}

/// Statistics over the samples of one combination, in the benchmark's unit.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleStats {
    /// Bounds of the 99 % confidence interval of the median; may be infinite.
    pub ci_99: (f64, f64),
    pub q_25: f64,
    pub q_75: f64,
    /// Calls per sample.
    pub number: i64,
    /// Number of samples.
    pub repeat: i64,
}

impl BenchmarkResult {
    /// Number of parameter combinations: one if unparameterised, zero if an axis is empty.
    pub fn combinations(&self) -> usize {
        combinations::count(&self.params)
    }

    /// The parameter strings of combination `index`, last axis fastest.
    pub fn combination(&self, index: usize) -> Vec<&str> {
        combinations::at(&self.params, index)
    }

    /// Where the combination of these parameter strings stands, if this result has it. Parameters
    /// of another commit are matched so, since axes grow and change their order.
    pub fn position(&self, values: &[&str]) -> Option<usize> {
        combinations::position(&self.params, values)
    }
}

impl Value {
    /// The number as a float; `None` for everything that is none.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Number(json) => json.as_f64(),
            Self::Failed | Self::Skipped | Self::Other(_) => None,
        }
    }
}
