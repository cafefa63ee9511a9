//! Why a verdict is what it is: one sentence each, without its full stop.

use crate::report::Verdict;
use crate::report::units::percent;

use super::evidence::{Basis, Interval};
use super::subject::Subject;

pub(super) const GONE: &str = "no longer in the suite with these parameters";
pub(super) const NEW: &str = "no result on the base";
pub(super) const FIXED: &str = "failed on the base and works now";
pub(super) const UNSKIPPED: &str = "skipped on the base";
pub(super) const EQUAL: &str = "equal values";
pub(super) const NO_NUMBERS: &str = "the values differ and are no numbers";
pub(super) const VERSIONS: &str = "the benchmark itself changed: its versions differ";
pub(super) const NO_BASELINE: &str = "there is no base to compare with";

pub(super) fn failed(why: Option<&str>, on_both: bool) -> String {
    let start = if on_both {
        "failed on both sides"
    } else {
        "failed"
    };
    match why {
        Some(why) => format!("{start}: {why}"),
        None => start.to_owned(),
    }
}

pub(super) fn skipped(why: Option<&str>) -> String {
    why.map_or_else(
        || "skipped by the suite".to_owned(),
        |why| format!("skipped: {why}"),
    )
}

/// For a count.
pub(super) fn exact(change: f64) -> String {
    format!("exactly {}", direction(change))
}

/// For a count where one side is zero or negative.
pub(super) fn exact_without_ratio(base: f64, head: f64) -> String {
    format!("exactly {base} before and {head} now")
}

/// For numbers that are not both positive and finite.
pub(super) fn no_ratio(base: f64, head: f64) -> String {
    let what = if base.is_infinite() || head.is_infinite() {
        "infinite"
    } else if base == 0.0 || head == 0.0 {
        "zero"
    } else {
        "negative"
    };
    format!("one value is {what}, so the change has no ratio and no interval")
}

pub(super) fn no_statistics(change: f64) -> String {
    format!(
        "{}, one run against one run: neither history nor samples say how much is noise",
        direction(change)
    )
}

pub(super) fn statistical(
    verdict: Verdict,
    change: f64,
    interval: Interval,
    subject: &Subject,
) -> String {
    let range = format!(
        "{} interval {} to {}",
        percent(interval.level),
        signed(interval.low),
        signed(interval.high)
    );
    let smallest = percent(subject.minimum_effect);
    let judged = match verdict {
        Verdict::Slower | Verdict::Faster => format!("{}, {range}", direction(change)),
        Verdict::Same => format!(
            "{}, {range}, within {smallest} either way",
            direction(change)
        ),
        _ if interval.low > 0.0 || interval.high < 0.0 => format!(
            "{}, less than the smallest effect of {smallest}, and perhaps more: {range}",
            direction(change)
        ),
        _ => format!("{}, {range}: too wide for a verdict", direction(change)),
    };
    format!("{judged} ({})", rests_on(interval.basis))
}

fn rests_on(basis: Basis) -> String {
    match basis {
        Basis::History { points } => format!("by the noise of {points} earlier commits"),
        Basis::Prior { points: 0 } => {
            "weak: no history, by the noise of this machine's other benchmarks".to_owned()
        }
        Basis::Prior { points } => format!(
            "weak: {points} earlier {}, by the noise of this machine's other benchmarks",
            if points == 1 { "commit" } else { "commits" }
        ),
        Basis::Processes { same_session: true } => "by the spread between processes".to_owned(),
        Basis::Processes {
            same_session: false,
        } => "weak: no history, by the spread between processes".to_owned(),
        Basis::Samples => "weak: no history, by the samples alone".to_owned(),
        Basis::Intervals => "weak: no history, by the intervals of both medians".to_owned(),
    }
}

/// `7.1 % higher`.
fn direction(change: f64) -> String {
    let relative = change.exp_m1();
    if change == 0.0 {
        "no change".to_owned()
    } else if change > 0.0 {
        format!("{} higher", percent(relative))
    } else {
        format!("{} lower", percent(-relative))
    }
}

/// `+7.1 %`, `-0.3 %`; an interval may be open.
fn signed(change: f64) -> String {
    let relative = change.exp_m1();
    if relative == f64::INFINITY {
        "without end".to_owned()
    } else if relative > 0.0 {
        format!("+{}", percent(relative))
    } else {
        percent(relative)
    }
}
