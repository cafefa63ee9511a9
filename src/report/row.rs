//! The rows of a comparison: what `compare` computes and what every renderer consumes.

use crate::config::Better;
use crate::json::Json;

use super::accepted::Acceptance;

/// A whole comparison, ready to be rendered.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// `None` when there is no baseline: then every row has its head side alone.
    pub base: Option<Side>,
    pub head: Side,
    /// Sorted by benchmark name and position of the combination.
    pub rows: Vec<Row>,
    /// Benchmarks with a result on the base alone; they get no row.
    pub absent: Vec<AbsentBenchmark>,
    /// What became of the declared regressions.
    pub accepted: Vec<Acceptance>,
    /// Differences of machine or environment between both sides.
    pub differences: Vec<Difference>,
    /// Sentences for the reader (weak history, neutralised versions, dirty tree, ...).
    pub remarks: Vec<String>,
}

/// One side of a comparison.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Side {
    /// Full hash.
    pub commit: String,
    /// Name by which the user or git knows it (`HEAD~1`, `main`), if any.
    pub name: Option<String>,
    pub machine: String,
    pub environment: String,
}

/// One benchmark with one combination of parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Full name, `module.Class.function`.
    pub benchmark: String,
    /// Position of the combination.
    pub combination: usize,
    /// Name and string of each parameter; empty when unparameterised.
    pub params: Vec<(String, String)>,
    pub kind: MetricKind,
    /// `seconds`, `bytes` or the text of the suite.
    pub unit: String,
    pub better: Better,
    pub base: Cell,
    pub head: Cell,
    /// head / base, from the estimator that the verdict used; `None` where there is none.
    pub ratio: Option<f64>,
    /// Which estimator that was.
    pub estimator: Estimator,
    pub verdict: Verdict,
    /// Why this verdict; one sentence.
    pub reason: String,
    /// Interval and resolution, where statistics allow.
    pub confidence: Option<Confidence>,
    /// Whether the ratio passed its limit, whatever the verdict says.
    pub alert: Option<Alert>,
    /// asv's mark.
    pub mark: Mark,
    /// The ratio passes asv's factor and is not significant (asv prints `~`).
    pub uncertain: bool,
    /// Remarks of the record about this benchmark on either side, as words
    /// (`compiled-while-timed`, `unfinished-array`, ...); empty mostly.
    pub flags: Vec<String>,
}

/// Which number of a benchmark a ratio is made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Estimator {
    /// The stored value: the median of the samples, or what a `track_` benchmark returned.
    #[default]
    Median,
    /// The floor estimator over at least six processes a side; the ratio then differs a little
    /// from that of the shown medians.
    Floor,
}

/// One side of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// A number, with half the interquartile range where samples allow.
    Number {
        value: Json,
        spread: Option<f64>,
    },
    /// A value that is no number.
    Other(Json),
    Failed {
        reason: Option<String>,
    },
    Skipped {
        reason: Option<String>,
    },
    /// No result.
    Missing,
}

impl Cell {
    /// Whether the benchmark returned something here.
    pub fn is_value(&self) -> bool {
        matches!(self, Self::Number { .. } | Self::Other(_))
    }

    /// The number, if there is one.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Number { value, .. } => value.as_f64(),
            _ => None,
        }
    }
}

/// What a benchmark measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MetricKind {
    Time,
    Memory,
    GpuMemory,
    Compile,
    Count,
    Track,
}

/// The verdicts; each its own thing with a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    Slower,
    Faster,
    Same,
    Inconclusive,
    NotComparable,
    NotMeasured,
    NotNeeded,
    Failed,
    Skipped,
    New,
    Gone,
}

/// How well founded a statistical verdict is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strength {
    /// From the benchmark's own history of at least ten points, or from samples of six processes.
    Firm,
    /// From a prior over the machine's other benchmarks, or from one process a side.
    Weak,
}

/// Interval of the ratio and what could have been seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Confidence {
    /// Bounds of head / base at `level`.
    pub low: f64,
    pub high: f64,
    /// For example 0.99.
    pub level: f64,
    /// The smallest relative change that would have been called: 0.018 for "could have seen 1.8 %".
    pub resolution: f64,
    pub strength: Strength,
    /// Points of history used.
    pub history: usize,
}

/// A ratio beyond its limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Alert {
    /// The limit that was passed, for example 1.10.
    pub limit: f64,
}

/// asv's marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// `-`: better, significant and beyond the factor.
    Better,
    /// `*`: failed before, works now.
    Fixed,
    /// Blank.
    Blank,
    /// `+`: worse, significant and beyond the factor.
    Worse,
    /// `!`: worked before, fails now.
    Broken,
    /// `x`: versions differ.
    Incomparable,
}

/// Why a benchmark of the base has no row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Absence {
    /// Left out on purpose by `pr.bench` or `--bench`.
    NotSelected,
    /// No longer in the suite.
    Gone,
    /// In the suite, selected, and not run.
    NotRun,
}

/// A benchmark with a result on the base alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AbsentBenchmark {
    pub benchmark: String,
    pub absence: Absence,
}

/// A fact that differs between both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// For example `python`, `jaxlib`, `ram`.
    pub what: String,
    pub base: String,
    pub head: String,
}
