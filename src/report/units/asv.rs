//! asv's human forms: `1.13±2ms`, `24.8M`.
//!
//! Where asv's own form misleads (negative values shown in nanoseconds or as zero, an infinite time
//! shown as `~0`, centuries) this prints the number instead.

use crate::json::{Json, to_compact};

use super::decimal::{
    general, magnitude, not_finite, rounded_integer, scientific, without_trailing_zeros,
};

const WEEK: f64 = 604_800.0;

/// asv's units of time, in seconds; the month and the quarter are whole seconds.
const TIMES: [(&str, f64); 11] = [
    ("ns", 1e-9),
    ("μs", 1e-6),
    ("ms", 1e-3),
    ("s", 1.0),
    ("m", 60.0),
    ("h", 3_600.0),
    ("d", 86_400.0),
    ("w", WEEK),
    ("M", 2_620_800.0),
    ("q", 7_862_400.0),
    ("y", WEEK * 52.0),
];

const BYTE_SUFFIXES: [&str; 8] = ["", "k", "M", "G", "T", "P", "E", "H"];

/// A stored value as asv's tables show it, with `±` its spread. `None` is asv's `failed`.
pub fn value(value: Option<&Json>, unit: &str, spread: Option<f64>) -> String {
    let Some(value) = value.filter(|value| !value.is_null()) else {
        return "failed".to_owned();
    };
    if matches!(value, Json::Float(number) if number.is_nan()) {
        return "n/a".to_owned();
    }
    match (unit, value.as_f64()) {
        ("seconds", Some(number)) => time(number, spread),
        ("bytes", Some(number)) => bytes(number, spread),
        _ => plain(value, spread),
    }
}

/// Seconds in the unit that fits, three significant digits.
pub fn time(seconds: f64, spread: Option<f64>) -> String {
    if seconds.is_nan() {
        return "n/a".to_owned();
    }
    if let Some(word) = not_finite(seconds) {
        return format!("{word}s");
    }
    // A zero takes the unit of its spread.
    let (suffix, unit) = match spread {
        Some(spread) if seconds == 0.0 && spread.is_finite() => time_unit(spread),
        _ => time_unit(seconds),
    };
    let shown = human_float(seconds / unit, 3, None, true);
    format!("{shown}{}{suffix}", plus_minus(spread, unit))
}

/// The first unit whose successor is larger than the value; seconds for zero.
fn time_unit(seconds: f64) -> (&'static str, f64) {
    if seconds == 0.0 {
        return ("s", 1.0);
    }
    let next = TIMES.iter().skip(1);
    TIMES
        .iter()
        .zip(next)
        .find(|(_, (_, next))| seconds.abs() < *next)
        .map_or(TIMES[TIMES.len() - 1], |(unit, _)| *unit)
}

/// Bytes in powers of 1000, three significant digits; no letter for the byte itself.
pub fn bytes(bytes: f64, spread: Option<f64>) -> String {
    if bytes.is_nan() {
        return "n/a".to_owned();
    }
    if let Some(word) = not_finite(bytes) {
        return word.to_owned();
    }
    let mut unit = 1.0;
    let mut suffix = BYTE_SUFFIXES[0];
    for candidate in &BYTE_SUFFIXES[1..] {
        if bytes.abs() < unit * 1000.0 {
            break;
        }
        unit *= 1000.0;
        suffix = candidate;
    }
    let shown = human_float(bytes / unit, 3, None, false);
    format!("{shown}{}{suffix}", plus_minus(spread, unit))
}

/// The JSON of a value in any other unit.
fn plain(value: &Json, spread: Option<f64>) -> String {
    let shown = to_compact(value);
    match spread {
        Some(spread) => format!("{shown}±{}", general(spread, 2)),
        None => shown,
    }
}

fn plus_minus(spread: Option<f64>, unit: f64) -> String {
    spread.map_or_else(String::new, |spread| {
        format!("±{}", human_float(spread / unit, 1, Some(2), false))
    })
}

/// asv's rounding to `significant` digits; `truncate_small` is the largest number of decimals less
/// one and `significant_zeros` keeps trailing zeros.
fn human_float(
    value: f64,
    significant: i32,
    truncate_small: Option<i32>,
    significant_zeros: bool,
) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if let Some(word) = not_finite(value) {
        return word.to_owned();
    }
    let mut magnitude = magnitude(value);
    if let Some(small) = truncate_small {
        magnitude = magnitude.max(1 - small);
    }
    if magnitude <= -5 || magnitude >= 9 {
        return scientific(value, usize::try_from(significant).unwrap_or(0));
    }
    let digits = significant - magnitude;
    let integral = value.fract() == 0.0;
    let shown = match usize::try_from(digits) {
        Ok(decimals) if decimals > 0 && !integral => format!("{value:.decimals$}"),
        _ => rounded_integer(value, -digits),
    };
    if !significant_zeros {
        return without_trailing_zeros(&shown).to_owned();
    }
    let length = i32::try_from(shown.trim_start_matches('-').len()).unwrap_or(i32::MAX);
    if shown.contains('.') || length >= significant {
        return shown;
    }
    let zeros = usize::try_from(significant - length).unwrap_or(0);
    format!("{shown}.{}", "0".repeat(zeros))
}

#[cfg(test)]
mod tests;
