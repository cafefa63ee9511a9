//! How changes are judged: limits, directions, and what is accepted.

use std::collections::BTreeMap;

/// Which direction is an improvement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Better {
    #[default]
    Lower,
    Higher,
}

/// Limits and directions.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// Alert ratio when nothing more special applies; 1.10 by default.
    pub alert: f64,
    /// By metric kind (`time`, `memory`, `gpu-memory`, `compile`, `count`, `track`).
    pub alert_by_kind: BTreeMap<String, f64>,
    /// By benchmark pattern, in the order of the file; the first match wins.
    pub alert_by_benchmark: Vec<(String, f64)>,
    /// Smallest relative change that is called slower or faster; 0.02 by default.
    pub minimum_effect: f64,
    /// By benchmark pattern, in the order of the file; the first match wins.
    pub minimum_effect_by_benchmark: Vec<(String, f64)>,
    /// By benchmark pattern, in the order of the file; the first match wins over the unit.
    pub better_by_benchmark: Vec<(String, Better)>,
    /// By unit of a `track_` benchmark.
    pub better_by_unit: BTreeMap<String, Better>,
}

/// `[[accept]]`: a regression that is wanted, up to a limit and until a day.
#[derive(Debug, Clone, PartialEq)]
pub struct AcceptedRegression {
    /// Patterns of benchmarks.
    pub benchmarks: Vec<String>,
    /// The parameters' values in order, `*` for any; `None` for all combinations.
    pub params: Option<Vec<String>>,
    /// Relative change that is still accepted: 0.15 for 15 %.
    pub up_to: f64,
    /// Why it is wanted.
    pub reason: String,
    /// The last day on which it is, in UTC.
    pub expires: jiff::civil::Date,
}
