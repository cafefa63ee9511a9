//! Units of the report: seconds down to nanoseconds, bytes by powers of 1000, counts as counts. A
//! scale is chosen once for all cells of a row, so that they can be compared by eye.

use crate::json::{Json, to_compact};

use super::decimal::{magnitude, without_trailing_zeros};

/// asv's unit of a `track_` benchmark that names none.
const NO_UNIT: &str = "unit";

const SIGNIFICANT: i32 = 3;

/// More decimals than this are unreadable; the number becomes scientific.
const MOST_DECIMALS: i32 = 6;

/// The largest power of ten that is still written out.
const MOST_DIGITS: i32 = 9;

/// Units of time, largest first, in seconds.
const TIMES: [(&str, f64); 4] = [("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)];

/// Units of memory, largest first, in bytes.
const BYTES: [(&str, f64); 6] = [
    ("PB", 1e15),
    ("TB", 1e12),
    ("GB", 1e9),
    ("MB", 1e6),
    ("kB", 1e3),
    ("B", 1.0),
];

/// The unit in which all cells of one row are shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    divisor: f64,
    suffix: String,
    /// The numbers are converted, so that an integer is no count.
    converts: bool,
}

impl Scale {
    /// The scale for values in `unit`: the largest unit that the largest of them fills.
    pub fn fitting(unit: &str, values: impl IntoIterator<Item = f64>) -> Self {
        let largest = values
            .into_iter()
            .filter(|value| value.is_finite())
            .fold(0.0_f64, |largest, value| largest.max(value.abs()));
        match unit.trim().to_lowercase().as_str() {
            "s" | "sec" | "second" | "seconds" => Self::among(&TIMES, largest, "s"),
            "b" | "byte" | "bytes" => Self::among(&BYTES, largest, "B"),
            NO_UNIT | "" => Self::verbatim(""),
            _ => Self::verbatim(unit.trim()),
        }
    }

    fn among(units: &[(&str, f64)], largest: f64, of_zero: &str) -> Self {
        let zero = units.iter().find(|(suffix, _)| *suffix == of_zero);
        let chosen = if largest == 0.0 {
            zero
        } else {
            // What rounds up to 1000 of a unit is one of the next.
            let filled = |divisor: f64| largest / divisor >= 0.9995;
            units
                .iter()
                .find(|(_, divisor)| filled(*divisor))
                .or(units.last())
        };
        let (suffix, divisor) = chosen.copied().unwrap_or((of_zero, 1.0));
        Self {
            divisor,
            suffix: suffix.to_owned(),
            converts: true,
        }
    }

    fn verbatim(suffix: &str) -> Self {
        Self {
            divisor: 1.0,
            suffix: suffix.to_owned(),
            converts: false,
        }
    }

    /// A value with its unit; whole counts keep all their digits, and what is no number is shown as
    /// its JSON.
    pub fn show(&self, value: &Json) -> String {
        let count = !self.converts || self.suffix == "B";
        match value {
            Json::Int(number) if count => self.with_suffix(&number.to_string()),
            Json::BigInt(digits) if count => self.with_suffix(digits),
            _ => match value.as_f64() {
                Some(number) => self.show_float(number),
                None => to_compact(value),
            },
        }
    }

    /// A number with its unit, three significant digits.
    pub fn show_float(&self, value: f64) -> String {
        if value.is_nan() {
            return "n/a".to_owned();
        }
        if value.is_infinite() {
            let word = if value > 0.0 { "inf" } else { "-inf" };
            return self.with_suffix(word);
        }
        self.with_suffix(&self.digits(value / self.divisor))
    }

    fn digits(&self, value: f64) -> String {
        let whole = value.fract() == 0.0 && (!self.converts || self.suffix == "B");
        let shown = significant(value, SIGNIFICANT);
        if whole && value.abs() < 1e15 {
            format!("{value:.0}")
        } else if value == 0.0 {
            "0".to_owned()
        } else {
            shown
        }
    }

    fn with_suffix(&self, digits: &str) -> String {
        if self.suffix.is_empty() {
            digits.to_owned()
        } else {
            format!("{digits} {}", self.suffix)
        }
    }
}

/// A ratio: two decimals, fewer when it is large, `n/a` where there is none.
pub fn ratio(value: Option<f64>) -> String {
    match value {
        None => "n/a".to_owned(),
        Some(value) if value.is_nan() => "n/a".to_owned(),
        Some(value) if value.is_infinite() => "inf".to_owned(),
        Some(0.0) => "0.00".to_owned(),
        Some(value) if value.abs() < 0.01 => scientific(value, 1),
        Some(value) if value.abs() < 1000.0 => format!("{value:.2}"),
        Some(value) => significant(value, SIGNIFICANT),
    }
}

/// A share as a percentage with a space before the sign: `1.8 %`, `12 %`, `0.05 %`.
pub fn percent(share: f64) -> String {
    if !share.is_finite() {
        return "n/a".to_owned();
    }
    let percent = share * 100.0;
    let shown = if percent.abs() >= 10.0 {
        significant(percent.round(), 6)
    } else if percent.abs() >= 0.095 || percent == 0.0 {
        format!("{percent:.1}")
    } else {
        significant(percent, 1)
    };
    let shown = if shown.contains('e') {
        &shown
    } else {
        without_trailing_zeros(&shown)
    };
    format!("{shown} %")
}

/// The coverage of an interval: `95 %`, `99.8 %`. Never rounded up to certainty, which no interval
/// has.
pub fn coverage(level: f64) -> String {
    if level < 0.995 {
        return percent(level);
    }
    let tenths = (level * 1000.0 + 1e-9).floor().clamp(0.0, 999.0) / 10.0;
    format!("{} %", without_trailing_zeros(&format!("{tenths:.1}")))
}

/// `value` to that many significant digits; integers beyond them keep their digits.
fn significant(value: f64, digits: i32) -> String {
    let before = magnitude(value);
    let decimals = digits - before;
    if before > MOST_DIGITS || decimals > MOST_DECIMALS {
        return scientific(value, usize::try_from(digits - 1).unwrap_or(0));
    }
    let decimals = usize::try_from(decimals).unwrap_or(0);
    let shown = format!("{value:.decimals$}");
    // 9.996 has one digit before the point and 10.00 has two: one decimal fewer says as much.
    let rounded: f64 = shown.parse().unwrap_or(value);
    if magnitude(rounded) > before && decimals > 0 {
        return format!("{value:.*}", decimals - 1);
    }
    shown
}

/// `1.23e9`, `1.00e-7`.
fn scientific(value: f64, decimals: usize) -> String {
    format!("{value:.decimals$e}")
}

#[cfg(test)]
mod tests;
