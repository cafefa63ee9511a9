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
mod tests {
    use super::*;

    fn pair(unit: &str, base: f64, head: f64) -> (String, String) {
        let scale = Scale::fitting(unit, [base, head]);
        (scale.show_float(base), scale.show_float(head))
    }

    fn texts(base: &str, head: &str) -> (String, String) {
        (base.to_owned(), head.to_owned())
    }

    #[test]
    fn both_cells_of_a_row_have_one_unit() {
        assert_eq!(
            pair("seconds", 0.0009, 0.0012),
            texts("0.900 ms", "1.20 ms")
        );
        assert_eq!(pair("seconds", 1.5, 0.75), texts("1.50 s", "0.750 s"));
        assert_eq!(pair("seconds", 2e-6, 3e-6), texts("2.00 µs", "3.00 µs"));
        assert_eq!(pair("seconds", 2e-9, 3.4567e-7), texts("2.00 ns", "346 ns"));
        assert_eq!(pair("bytes", 9.5e8, 1.05e9), texts("0.950 GB", "1.05 GB"));
        assert_eq!(
            pair("bytes", 24_838_144.0, 25e6),
            texts("24.8 MB", "25.0 MB")
        );
    }

    #[test]
    fn the_unit_is_that_of_the_largest_value() {
        assert_eq!(pair("seconds", 0.0, 0.002), texts("0 ms", "2.00 ms"));
        assert_eq!(pair("seconds", 0.0, 0.0), texts("0 s", "0 s"));
        assert_eq!(pair("bytes", 0.0, 0.0), texts("0 B", "0 B"));
        assert_eq!(pair("seconds", f64::NAN, 0.002), texts("n/a", "2.00 ms"));
        assert_eq!(
            pair("seconds", f64::INFINITY, 0.002),
            texts("inf ms", "2.00 ms")
        );
        assert_eq!(
            pair("seconds", f64::NEG_INFINITY, f64::INFINITY),
            texts("-inf s", "inf s")
        );
    }

    #[test]
    fn what_rounds_up_to_a_thousand_is_one_of_the_next_unit() {
        assert_eq!(pair("seconds", 0.999_96, 0.5), texts("1.00 s", "0.500 s"));
        assert_eq!(pair("seconds", 0.000_999_4, 0.0), texts("999 µs", "0 µs"));
        assert_eq!(
            pair("bytes", 999_960.0, 999_960.0),
            texts("1.00 MB", "1.00 MB")
        );
        assert_eq!(pair("seconds", 0.009_996, 0.0), texts("10.0 ms", "0 ms"));
    }

    #[test]
    fn negative_and_huge_values_stay_readable() {
        assert_eq!(
            pair("seconds", -0.0084, 0.002),
            texts("-8.40 ms", "2.00 ms")
        );
        assert_eq!(
            pair("seconds", 86_400.0, 1e12),
            texts("86400 s", "1.00e12 s")
        );
        assert_eq!(
            pair("seconds", 1e-13, 1e-13),
            texts("0.000100 ns", "0.000100 ns")
        );
        assert_eq!(pair("seconds", 1e-9, 100.0), texts("1.00e-9 s", "100 s"));
        assert_eq!(pair("bytes", 1e30, 1e15), texts("1.00e15 PB", "1.00 PB"));
        assert_eq!(pair("bytes", -24_838_144.0, 0.0), texts("-24.8 MB", "0 MB"));
    }

    #[test]
    fn counts_and_other_units_keep_their_digits() {
        let show = |unit: &str, value: Json| Scale::fitting(unit, value.as_f64()).show(&value);
        assert_eq!(show("unit", Json::Int(1_234_567)), "1234567");
        assert_eq!(show("unit", Json::Float(1_234_567.0)), "1234567");
        assert_eq!(show("unit", Json::Float(0.0)), "0");
        assert_eq!(show("unit", Json::Float(12.345)), "12.3");
        assert_eq!(
            show("particles / second", Json::Float(12.345)),
            "12.3 particles / second"
        );
        assert_eq!(show("iterations", Json::Int(-3)), "-3 iterations");
        assert_eq!(show("bytes", Json::Int(999)), "999 B");
        assert_eq!(show("bytes", Json::Float(999.5)), "1.00 kB");
        assert_eq!(show("seconds", Json::Int(2)), "2.00 s");
        assert_eq!(show("Seconds", Json::Float(0.25)), "250 ms");
        assert_eq!(show("", Json::BigInt("1".repeat(30))), "1".repeat(30));
        assert_eq!(show("unit", Json::Float(1e16)), "1.00e16");
    }

    #[test]
    fn ratios_have_two_decimals() {
        let shown = |value: f64| ratio(Some(value));
        assert_eq!(ratio(None), "n/a");
        assert_eq!(shown(f64::NAN), "n/a");
        assert_eq!(shown(f64::INFINITY), "inf");
        assert_eq!(shown(1.0), "1.00");
        assert_eq!(shown(1.126), "1.13");
        assert_eq!(shown(0.0), "0.00");
        assert_eq!(shown(0.001_234), "1.2e-3");
        assert_eq!(shown(123.456), "123.46");
        assert_eq!(shown(12_345.6), "12346");
        assert_eq!(shown(1e12), "1.00e12");
    }

    #[test]
    fn percentages_have_a_space_before_the_sign() {
        assert_eq!(percent(0.018), "1.8 %");
        assert_eq!(percent(0.02), "2 %");
        assert_eq!(percent(0.1234), "12 %");
        assert_eq!(percent(1.5), "150 %");
        assert_eq!(percent(0.0005), "0.05 %");
        assert_eq!(percent(0.0), "0 %");
        assert_eq!(percent(-0.034), "-3.4 %");
        assert_eq!(percent(f64::INFINITY), "n/a");
    }
}
