//! The verdict of one row.

use crate::config::Better;
use crate::report::{Confidence, Estimator, MetricKind, Strength, Verdict};

use super::evidence::{Change, Interval, Judge};
use super::measured::{Measured, Stored};
use super::reason;
use super::subject::Subject;

/// What is decided about a row, beside asv's mark and the alert.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Decision {
    pub(super) verdict: Verdict,
    pub(super) reason: String,
    /// head / base.
    pub(super) ratio: Option<f64>,
    pub(super) estimator: Estimator,
    pub(super) confidence: Option<Confidence>,
}

impl Decision {
    pub(super) fn plain(verdict: Verdict, reason: impl Into<String>) -> Self {
        Self {
            verdict,
            reason: reason.into(),
            ratio: None,
            estimator: Estimator::Median,
            confidence: None,
        }
    }

    /// The same of times that do not count: a change is shown, but nothing is claimed.
    pub(super) fn disturbed(self, reason: &str) -> Self {
        Self {
            verdict: Verdict::Inconclusive,
            reason: format!(
                "the GPU was disturbed while this was measured ({reason}); measure it again"
            ),
            confidence: None,
            ..self
        }
    }

    fn with_ratio(self, ratio: Option<f64>) -> Self {
        Self { ratio, ..self }
    }
}

/// The decision where statistics have no say; `None` for two comparable numbers.
pub(super) fn without_statistics(
    base: &Stored,
    head: &Stored,
    obstacle: Option<&str>,
) -> Option<Decision> {
    let decision = match (base, head) {
        (base, Stored::Failed(failure)) => {
            let why = failure.map(|failure| failure.message.as_str());
            let both = matches!(base, Stored::Failed(_));
            Decision::plain(Verdict::Failed, reason::failed(why, both))
        }
        (_, Stored::Skipped(failure)) => {
            let why = failure.map(|failure| failure.message.as_str());
            Decision::plain(Verdict::Skipped, reason::skipped(why))
        }
        (_, Stored::Missing) => Decision::plain(Verdict::Gone, reason::GONE),
        (Stored::Missing, _) => Decision::plain(Verdict::New, reason::NEW),
        (Stored::Failed(_), _) => Decision::plain(Verdict::New, reason::FIXED),
        (Stored::Skipped(_), _) => Decision::plain(Verdict::New, reason::UNSKIPPED),
        (base, head) => {
            let ratio = plain_ratio(base, head);
            if let Some(obstacle) = obstacle {
                return Some(Decision::plain(Verdict::NotComparable, obstacle).with_ratio(ratio));
            }
            match (base, head) {
                (Stored::Number(_), Stored::Number(_)) => return None,
                (Stored::Other(base), Stored::Other(head)) if base == head => {
                    Decision::plain(Verdict::Same, reason::EQUAL)
                }
                _ => Decision::plain(Verdict::NotComparable, reason::NO_NUMBERS),
            }
        }
    };
    Some(decision)
}

/// The decision on two counts, which are exact: equal is the same, and a change is one if it is
/// large enough.
pub(super) fn exact(subject: &Subject, base: &Measured, head: &Measured) -> Decision {
    let ratio = ratio(base, head);
    if base.equals(head) {
        return Decision {
            confidence: Some(certain(0.0, subject)),
            ..Decision::plain(Verdict::Same, reason::EQUAL).with_ratio(ratio)
        };
    }
    if !base.is_positive() || !head.is_positive() {
        let verdict = worse_or_better(head.value > base.value, subject.better);
        let reason = reason::exact_without_ratio(base.value, head.value);
        return Decision::plain(verdict, reason).with_ratio(ratio);
    }
    let change = (head.value / base.value).ln();
    let verdict = if change.abs() >= subject.smallest_change() {
        worse_or_better(change > 0.0, subject.better)
    } else {
        Verdict::Same
    };
    Decision {
        confidence: Some(certain(change, subject)),
        ..Decision::plain(verdict, reason::exact(change)).with_ratio(ratio)
    }
}

/// The decision on two numbers that are no counts, by statistics where there are any.
///
/// Equal values of anything but a time are the same whatever the noise: a measurement that varies
/// does not come out equal to the last digit. Equal times are if they have no ratio.
pub(super) fn statistical(
    subject: &Subject,
    change: Option<&Change>,
    prior: Option<f64>,
    base: &Measured,
    head: &Measured,
    judge: &mut Judge,
) -> Decision {
    let decision = by_interval(subject, change, prior, base, head, judge);
    let timed = matches!(subject.metric.kind, MetricKind::Time | MetricKind::Compile);
    if base.equals(head) && (!timed || !base.is_positive()) {
        return Decision {
            verdict: Verdict::Same,
            reason: reason::EQUAL.to_owned(),
            ..decision
        };
    }
    decision
}

fn by_interval(
    subject: &Subject,
    change: Option<&Change>,
    prior: Option<f64>,
    base: &Measured,
    head: &Measured,
    judge: &mut Judge,
) -> Decision {
    let Some(change) = change else {
        let reason = reason::no_ratio(base.value, head.value);
        return Decision::plain(Verdict::Inconclusive, reason).with_ratio(ratio(base, head));
    };
    let ratio = match change.estimator {
        Estimator::Median => ratio(base, head),
        Estimator::Floor => Some(change.size.exp()),
    };
    let Some(interval) = judge.interval(change, prior, base, head) else {
        return Decision {
            estimator: change.estimator,
            ..Decision::plain(Verdict::Inconclusive, reason::no_statistics(change.size))
                .with_ratio(ratio)
        };
    };
    let verdict = verdict(change.size, interval, subject);
    Decision {
        verdict,
        reason: reason::statistical(verdict, change.size, interval, subject),
        ratio,
        estimator: change.estimator,
        confidence: Some(confidence(change.size, interval, subject)),
    }
}

/// Slower or faster if the interval excludes no change and the change is large enough; the same if
/// the whole interval lies within the smallest effect; else inconclusive.
fn verdict(size: f64, interval: Interval, subject: &Subject) -> Verdict {
    let smallest = subject.smallest_change();
    let excludes_none = interval.low > 0.0 || interval.high < 0.0;
    if excludes_none && size.abs() >= smallest {
        worse_or_better(size > 0.0, subject.better)
    } else if interval.low >= -smallest && interval.high <= smallest {
        Verdict::Same
    } else {
        Verdict::Inconclusive
    }
}

fn worse_or_better(increased: bool, better: Better) -> Verdict {
    if increased == (better == Better::Lower) {
        Verdict::Slower
    } else {
        Verdict::Faster
    }
}

/// Interval and resolution for the reader. The resolution is the smallest change that would have
/// been called: the interval's reach from the estimate, or the smallest effect if that is larger.
fn confidence(size: f64, interval: Interval, subject: &Subject) -> Confidence {
    let reach = (interval.high - size).max(size - interval.low);
    Confidence {
        low: interval.low.exp(),
        high: interval.high.exp(),
        level: interval.level,
        resolution: reach.max(subject.smallest_change()).exp_m1(),
        strength: interval.basis.strength(),
        history: interval.basis.points(),
    }
}

/// The confidence in a change that is known exactly.
fn certain(size: f64, subject: &Subject) -> Confidence {
    Confidence {
        low: size.exp(),
        high: size.exp(),
        level: 1.0,
        resolution: subject.smallest_change().exp_m1(),
        strength: Strength::Firm,
        history: 0,
    }
}

/// head / base of two numbers; `None` where it is no number.
fn ratio(base: &Measured, head: &Measured) -> Option<f64> {
    let ratio = head.value / base.value;
    ratio.is_finite().then_some(ratio)
}

fn plain_ratio(base: &Stored, head: &Stored) -> Option<f64> {
    match (base, head) {
        (Stored::Number(base), Stored::Number(head)) => ratio(base, head),
        _ => None,
    }
}
