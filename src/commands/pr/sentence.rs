//! The sentences of the status. Names of benchmarks are not in them: whoever opened the pull request
//! wrote those.

use jiff::Timestamp;

use crate::commands::measure::Start;
use crate::github::State;
use crate::report::units::percent;
use crate::report::verdict::{Summary, measured_something};
use crate::report::{Comparison, Gate, Verdict};
use crate::run::{count, roughly, signal_name};

/// While it is measured.
pub(super) fn pending(start: &Start, now: Timestamp) -> String {
    let (seconds, unknown) = start.expected;
    let long = if unknown == start.benchmarks {
        String::new()
    } else if unknown == 0 {
        format!(", about {}", roughly(seconds))
    } else {
        format!(", at least {}", roughly(seconds))
    };
    format!(
        "measuring {} since {} UTC{long}",
        count(start.benchmarks, "benchmark"),
        now.strftime("%H:%M")
    )
}

/// After it was measured and compared. Red only where `--fail-on` objects.
pub(in crate::commands) fn measured(comparison: &Comparison, fail_on: &[Gate]) -> (State, String) {
    let rows = &comparison.rows;
    if !measured_something(rows) {
        let counts = counts(&Summary::of(rows));
        let why = if counts.is_empty() {
            "there is no benchmark".to_owned()
        } else {
            counts
        };
        return (State::Error, format!("nothing was measured: {why}"));
    }
    let objections: Vec<String> = fail_on
        .iter()
        .map(|gate| (gate.objections(comparison), gate.word()))
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {}", spaced(word)))
        .collect();
    if !objections.is_empty() {
        let said = format!("{} of {}", objections.join(", "), rows.len());
        return (State::Failure, said);
    }
    let summary = Summary::of(rows);
    if comparison.base.is_none() {
        let measured = rows.iter().filter(|row| row.head.is_value()).count();
        let failed = match summary.count(Verdict::Failed) {
            0 => String::new(),
            failed => format!(", {failed} failed"),
        };
        let said = format!("{measured} measured{failed}; no comparison was possible");
        return (State::Success, said);
    }
    let seen = match summary.resolution {
        Some(resolution) => format!("; could have seen {}", percent(resolution.median)),
        None => String::new(),
    };
    let accepted = match comparison.count_accepted() {
        0 => String::new(),
        accepted => format!(" ({accepted} accepted)"),
    };
    let said = format!("{}{accepted}{seen}", counts(&summary));
    (State::Success, said)
}

/// After a signal.
pub(in crate::commands) fn interrupted(signal: i32, (done, wanted): (usize, usize)) -> String {
    let name = signal_name(signal);
    if wanted == 0 {
        format!("cancelled by {name} before anything was measured")
    } else {
        format!(
            "cancelled by {name} after {done} of {}",
            count(wanted, "benchmark")
        )
    }
}

/// Where there is nothing to report.
pub(in crate::commands) fn not_measured(why: &str) -> String {
    let plain: String = why
        .chars()
        .map(|c| match c {
            _ if c.is_alphanumeric() => c,
            '.' | ',' | ';' | ':' | '-' | '_' | '/' | '(' | ')' | '\'' | '=' => c,
            _ => ' ',
        })
        .collect();
    let plain: Vec<&str> = plain.split_whitespace().collect();
    format!("could not be measured: {}", plain.join(" "))
}

/// `2 slower, 7 same`.
fn counts(summary: &Summary) -> String {
    let counts: Vec<String> = summary
        .counts
        .iter()
        .map(|(verdict, count)| format!("{count} {}", spaced(verdict.key())))
        .collect();
    counts.join(", ")
}

fn spaced(word: &str) -> String {
    word.replace('-', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Side;

    fn nothing() -> Comparison {
        Comparison {
            base: None,
            head: Side::default(),
            rows: Vec::new(),
            absent: Vec::new(),
            accepted: Vec::new(),
            differences: Vec::new(),
            remarks: Vec::new(),
        }
    }

    #[test]
    fn how_long_it_takes_is_said_as_far_as_it_is_known() {
        let at = "2026-11-30T14:02:59Z".parse().unwrap();
        let said = |benchmarks: usize, expected: (f64, usize)| {
            pending(
                &Start {
                    benchmarks,
                    expected,
                },
                at,
            )
        };
        assert_eq!(
            said(12, (1500.0, 0)),
            "measuring 12 benchmarks since 14:02 UTC, about 25 min 0 s"
        );
        assert_eq!(
            said(2, (60.0, 1)),
            "measuring 2 benchmarks since 14:02 UTC, at least 1 min 0 s"
        );
        assert_eq!(said(1, (0.0, 1)), "measuring 1 benchmark since 14:02 UTC");
    }

    #[test]
    fn nothing_is_no_success() {
        let (state, said) = measured(&nothing(), &[]);
        assert_eq!(state, State::Error);
        assert_eq!(said, "nothing was measured: there is no benchmark");
    }

    #[test]
    fn a_signal_and_a_cause_are_one_plain_line() {
        assert_eq!(
            interrupted(libc::SIGTERM, (3, 12)),
            "cancelled by SIGTERM after 3 of 12 benchmarks"
        );
        assert_eq!(
            interrupted(libc::SIGINT, (0, 0)),
            "cancelled by SIGINT before anything was measured"
        );
        assert_eq!(
            not_measured("no `x`: <!-- @octocat\n#1 |"),
            "could not be measured: no x : -- octocat 1"
        );
    }
}
