//! How much and how large everything may be.

use crate::report::row::MetricKind;

/// Rows of a comparison.
pub(super) const MOST_ROWS: usize = 20_000;

/// Benchmarks without a row; facts that differ; remarks; parameters and flags of a row.
pub(super) const MOST_ABSENT: usize = 20_000;
pub(super) const MOST_DIFFERENCES: usize = 100;
pub(super) const MOST_REMARKS: usize = 20;
pub(super) const MOST_PARAMETERS: usize = 20;
pub(super) const MOST_FLAGS: usize = 10;

/// Characters of a name of a benchmark, machine or environment; of a parameter; of a unit or flag; of
/// a sentence; of the reason of a failure.
pub(super) const NAME: usize = 300;
pub(super) const PARAMETER: usize = 200;
pub(super) const WORD: usize = 60;
pub(super) const SENTENCE: usize = 500;
pub(super) const REASON: usize = 2_000;

/// Largest position of a combination.
pub(super) const MOST_COMBINATIONS: usize = 10_000_000;

/// Points of history.
pub(super) const MOST_HISTORY: usize = 1_000_000;

/// Ratios lie between one over this and this.
pub(super) const LARGEST_RATIO: f64 = 1e12;

/// A ratio may differ so much from that of its values: they were rounded on the way.
pub(super) const ROUNDING: f64 = 1e-6;

/// What a document of others is refused for. It names places and limits, never the text that is there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what}")]
pub struct Refused {
    pub place: String,
    pub what: String,
}

impl Refused {
    pub(super) fn new(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            what: what.into(),
        }
    }
}

/// The least and the largest value of a metric, in its unit: seconds, bytes, or what is counted.
pub(super) fn range(kind: MetricKind) -> (f64, f64) {
    match kind {
        MetricKind::Time | MetricKind::Compile => (0.0, 1e9),
        MetricKind::Memory | MetricKind::GpuMemory | MetricKind::Count => (0.0, 1e18),
        MetricKind::Track => (-1e30, 1e30),
    }
}

/// A number within bounds.
pub(super) fn number(value: f64, low: f64, high: f64, place: &str) -> Result<f64, Refused> {
    if value.is_finite() && (low..=high).contains(&value) {
        Ok(value)
    } else {
        let what = format!("the number is not between {low:e} and {high:e}");
        Err(Refused::new(place, what))
    }
}

/// A text that is not too long.
pub(super) fn text(text: &str, most: usize, place: &str) -> Result<String, Refused> {
    if text.chars().count() <= most {
        Ok(text.to_owned())
    } else {
        let what = format!("the text has more than {most} characters");
        Err(Refused::new(place, what))
    }
}

/// A list that is not too long.
pub(super) fn count(length: usize, most: usize, place: &str) -> Result<(), Refused> {
    if length <= most {
        Ok(())
    } else {
        Err(Refused::new(place, format!("there are more than {most}")))
    }
}

/// A full hash in lower case.
pub(super) fn hash(text: &str, place: &str) -> Result<String, Refused> {
    let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    if text.len() == 40 && text.chars().all(is_digit) {
        Ok(text.to_owned())
    } else {
        Err(Refused::new(place, "it is no full hash of a commit"))
    }
}
