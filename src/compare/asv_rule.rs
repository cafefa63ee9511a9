//! The marks of `asv compare`, and when asv takes two results for different.
//!
//! Against asv 0.6.6: a skipped or missing value is never worse, values that are no numbers do not
//! stop the comparison, equal negative values are no improvement, and the direction may be turned.

use crate::config::Better;
use crate::report::Mark;
use crate::stats;

use super::measured::{Measured, Stored};

/// asv's threshold for the Mann-Whitney test.
pub(super) const THRESHOLD: f64 = 0.002;

/// What the marks depend on beside the two sides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    /// asv's factor, 1.1 unless asked otherwise.
    pub(super) factor: f64,
    /// Whether statistics have a say.
    pub(super) use_stats: bool,
    pub(super) better: Better,
    /// Both versions are known and differ, or something else makes the sides incomparable.
    pub(super) incomparable: bool,
}

impl Rule {
    /// The mark of a row, and whether the ratio passes the factor without being significant.
    pub(super) fn mark(self, base: &Stored, head: &Stored) -> (Mark, bool) {
        if self.incomparable {
            return (Mark::Incomparable, false);
        }
        match (base, head) {
            (Stored::Number(_) | Stored::Other(_), Stored::Failed(_)) => (Mark::Broken, false),
            (Stored::Failed(_), Stored::Number(_) | Stored::Other(_)) => (Mark::Fixed, false),
            (Stored::Number(base), Stored::Number(head)) => self.mark_numbers(base, head),
            _ => (Mark::Blank, false),
        }
    }

    fn mark_numbers(self, base: &Measured, head: &Measured) -> (Mark, bool) {
        let mark = if is_beyond(base.value, head.value, self.factor, self.better) {
            Mark::Worse
        } else if is_beyond(head.value, base.value, self.factor, self.better) {
            Mark::Better
        } else {
            return (Mark::Blank, false);
        };
        let asks_stats = self.use_stats && usable(base) && usable(head);
        if asks_stats && !is_different(base, head) {
            (Mark::Blank, true)
        } else {
            (mark, false)
        }
    }
}

/// Whether `worse` is worse than `better_one` by more than `factor`.
///
/// For positive numbers that is asv's `better_one < worse / factor`. For others the difference is
/// measured by the size of the number that it starts from, so that the rule keeps its meaning.
pub(super) fn is_beyond(better_one: f64, worse: f64, factor: f64, direction: Better) -> bool {
    let (small, large) = match direction {
        Better::Lower => (better_one, worse),
        Better::Higher => (worse, better_one),
    };
    if small > 0.0 || large > 0.0 {
        small < large / factor
    } else {
        large > small + small.abs() * (factor - 1.0)
    }
}

/// asv uses the statistics of a side unless they come from a single sample.
fn usable(side: &Measured) -> bool {
    side.stats.is_some_and(|stats| stats.repeat != 1)
}

/// Whether two results differ: by the Mann-Whitney test where both have enough samples for it to
/// reject at all, else if the 99 % intervals of the medians do not overlap.
pub(super) fn is_different(base: &Measured, head: &Measured) -> bool {
    if let (Some(first), Some(second)) = (base.samples, head.samples)
        && stats::smallest_p(first.len(), second.len()) < THRESHOLD
    {
        return stats::mann_whitney(first, second).is_some_and(|test| test.p < THRESHOLD);
    }
    match (base.stats, head.stats) {
        (Some(first), Some(second)) => !stats::overlap(first.ci_99, second.ci_99),
        _ => false,
    }
}
