//! Why a verdict is what it is: one sentence each, without its full stop.

use std::fmt;

use crate::report::Verdict;
use crate::report::units::{coverage, percent};

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
    format!("exactly {}", Direction(change))
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
        "{}, one run against one run: too little history, and no samples, to say how much is noise",
        Direction(change)
    )
}

pub(super) fn statistical(
    verdict: Verdict,
    change: f64,
    interval: Interval,
    subject: &Subject,
) -> String {
    let change = Direction(change);
    let level = Level(interval.level);
    let (low, high) = (Signed(interval.low), Signed(interval.high));
    let smallest = Percent(subject.minimum_effect);
    let basis = RestsOn(interval.basis);
    match verdict {
        Verdict::Slower | Verdict::Faster => {
            format!("{change}, {level} interval {low} to {high} ({basis})")
        }
        Verdict::Same => format!(
            "{change}, {level} interval {low} to {high}, within {smallest} either way ({basis})"
        ),
        _ if interval.low > 0.0 || interval.high < 0.0 => format!(
            "{change}, less than the smallest effect of {smallest}, and perhaps more: {level} \
             interval {low} to {high} ({basis})"
        ),
        _ => {
            format!("{change}, {level} interval {low} to {high}: too wide for a verdict ({basis})")
        }
    }
}

/// The coverage of an interval as [`coverage`] writes it, but straight into the sentence where it
/// is an ordinary one.
struct Level(f64);

impl fmt::Display for Level {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < 0.995 {
            Percent(self.0).fmt(out)
        } else {
            out.write_str(&coverage(self.0))
        }
    }
}

struct RestsOn(Basis);

impl fmt::Display for RestsOn {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Basis::History { points } => write!(out, "by the noise of {points} earlier commits"),
            Basis::Prior { points: 0 } => {
                out.write_str("weak: no history, by the noise of this machine's other benchmarks")
            }
            Basis::Prior { points } => write!(
                out,
                "weak: {points} earlier {}, by the noise of this machine's other benchmarks",
                if points == 1 { "commit" } else { "commits" }
            ),
            Basis::Processes { same_session: true } => {
                out.write_str("by the spread between processes")
            }
            Basis::Processes {
                same_session: false,
            } => out.write_str("weak: too little history, by the spread between processes"),
            Basis::Samples => out.write_str("weak: too little history, by the samples alone"),
            Basis::Intervals => {
                out.write_str("weak: too little history, by the intervals of both medians")
            }
        }
    }
}

/// `7.1 % higher`.
struct Direction(f64);

impl fmt::Display for Direction {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relative = self.0.exp_m1();
        if self.0 == 0.0 {
            out.write_str("no change")
        } else if self.0 > 0.0 {
            write!(out, "{} higher", Percent(relative))
        } else {
            write!(out, "{} lower", Percent(-relative))
        }
    }
}

/// `+7.1 %`, `-0.3 %`; an interval may be open.
struct Signed(f64);

impl fmt::Display for Signed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relative = self.0.exp_m1();
        if relative == f64::INFINITY {
            return out.write_str("without end");
        }
        if relative > 0.0 {
            out.write_str("+")?;
        }
        Percent(relative).fmt(out)
    }
}

/// A share as [`percent`] writes it, but straight into the sentence where it is an ordinary one:
/// there are several in each of thousands of rows.
struct Percent(f64);

impl fmt::Display for Percent {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.0 * 100.0;
        let size = value.abs();
        if (10.0..1e5).contains(&size) {
            write!(out, "{:.0} %", value.round())
        } else if (0.1..9.9).contains(&size) {
            let text = Tenths(value);
            write!(out, "{text} %")
        } else {
            out.write_str(&percent(self.0))
        }
    }
}

/// One decimal, none if it is zero.
struct Tenths(f64);

impl fmt::Display for Tenths {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let near_whole = (self.0 - self.0.round()).abs() < 0.06;
        if !near_whole {
            return write!(out, "{:.1}", self.0);
        }
        let shown = format!("{:.1}", self.0);
        out.write_str(shown.strip_suffix(".0").unwrap_or(&shown))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_written_as_everywhere() {
        for step in -3000..3000 {
            for share in [
                f64::from(step) / 20_000.0,
                f64::from(step) / 1_234_567.0,
                f64::from(step) * 1.7,
            ] {
                assert_eq!(Percent(share).to_string(), percent(share), "{share}");
            }
        }
        assert_eq!(Percent(f64::NAN).to_string(), percent(f64::NAN));
        assert_eq!(Percent(f64::INFINITY).to_string(), percent(f64::INFINITY));
    }

    #[test]
    fn no_interval_is_said_to_cover_everything() {
        for level in [0.9, 0.95, 0.99, 0.994, 0.996, 0.998, 0.9999] {
            assert_eq!(Level(level).to_string(), coverage(level), "{level}");
        }
        assert_eq!(Level(0.9999).to_string(), "99.9 %");
    }

    #[test]
    fn changes_have_a_direction_and_intervals_signs() {
        assert_eq!(Direction(0.05_f64.ln_1p()).to_string(), "5 % higher");
        assert_eq!(Direction(-(0.05_f64.ln_1p())).to_string(), "4.8 % lower");
        assert_eq!(Direction(0.0).to_string(), "no change");
        assert_eq!(Signed(0.012_f64.ln_1p()).to_string(), "+1.2 %");
        assert_eq!(Signed((-0.012_f64).ln_1p()).to_string(), "-1.2 %");
        assert_eq!(Signed(f64::INFINITY).to_string(), "without end");
        assert_eq!(Signed(f64::NEG_INFINITY).to_string(), "-100 %");
    }
}
