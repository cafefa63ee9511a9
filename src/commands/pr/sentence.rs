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
