//! A benchmark's outcome in one line.

use crate::json::{Json, to_compact};
use crate::report::{shorten, units};
use crate::results::{Failure, SampleStats, Value};
use crate::run::{Finished, Standing, count};

/// Longest text of a suite in a line, in characters.
const LONGEST: usize = 100;

/// `1.23±0.1ms`, `failed: ValueError: no`, `1.2ms to 3.4ms in 4 combinations, 1 failed`.
pub(super) fn standing(finished: &Finished) -> String {
    let mut text = if finished.benchmark.parameterised() {
        of_many(finished)
    } else {
        of_one(finished, 0)
    };
    for flag in &finished.provenance.flags {
        text = format!("{text} [{}]", one_line(flag));
    }
    text
}

fn of_one(finished: &Finished, index: usize) -> String {
    let unit = &finished.benchmark.record.unit;
    let reason = |word: &str| match failure_of(finished, index) {
        Some(failure) if !failure.message.is_empty() => {
            format!("{word}: {}", one_line(&failure.message))
        }
        _ => word.to_owned(),
    };
    match finished.result.values.get(index) {
        Some(Value::Number(number)) => {
            let stats = finished.result.stats.get(index).and_then(Option::as_ref);
            units::asv::value(Some(number), unit, stats.and_then(spread))
        }
        Some(Value::Other(value)) => one_line(&to_compact(value)),
        Some(Value::Skipped) => reason("skipped"),
        Some(Value::Failed) | None => reason("failed"),
    }
}

/// Half the interquartile range, asv's `±`; a single sample has none.
pub(in crate::commands) fn spread(stats: &SampleStats) -> Option<f64> {
    (stats.repeat > 1).then(|| (stats.q_75 - stats.q_25) / 2.0)
}

fn of_many(finished: &Finished) -> String {
    let standing = Standing::of(finished);
    let all = finished.combinations.len();
    let numbers: Vec<&Json> = finished
        .combinations
        .iter()
        .filter_map(|index| match finished.result.values.get(*index) {
            Some(Value::Number(number)) => Some(number),
            _ => None,
        })
        .collect();
    let of = |number: Option<&&Json>| {
        units::asv::value(number.copied(), &finished.benchmark.record.unit, None)
    };
    let by_size = |a: &&&Json, b: &&&Json| {
        let value = |number: &Json| number.as_f64().unwrap_or(f64::NAN);
        value(a).total_cmp(&value(b))
    };
    let low = of(numbers.iter().min_by(by_size));
    let high = of(numbers.iter().max_by(by_size));
    let mut parts = Vec::new();
    if standing.measured > 0 {
        let range = match numbers.len() {
            0 => "measured".to_owned(),
            _ if low == high => low,
            _ => format!("{low} to {high}"),
        };
        parts.push(format!(
            "{range} in {}",
            count(standing.measured, "combination")
        ));
    }
    for (number, word) in [(standing.failed, "failed"), (standing.skipped, "skipped")] {
        if number == all {
            parts.push(format!("{word} in all {all} combinations"));
        } else if number > 0 {
            parts.push(format!("{number} {word}"));
        }
    }
    parts.join(", ")
}

/// `(1, 'x')`.
pub(super) fn parameters(finished: &Finished, index: usize) -> String {
    let values = finished.benchmark.record.combination(index);
    one_line(&format!("({})", values.join(", ")))
}

/// Why a combination has no value.
pub(super) fn failure_of(finished: &Finished, index: usize) -> Option<&Failure> {
    finished.provenance.failures.get(index)?.as_ref()
}

/// Text of a suite as one line of limited length that cannot steer a terminal.
pub(in crate::commands) fn one_line(text: &str) -> String {
    shorten(&plain(text).replace(['\n', '\t'], " "), LONGEST)
}

/// Text of a suite without control characters, so that it cannot steer a terminal; lines stay.
pub(in crate::commands) fn plain(text: &str) -> String {
    let keeps = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    text.replace("\r\n", "\n").chars().filter(keeps).collect()
}
