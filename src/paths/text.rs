//! Numbers of this room for people.

use super::per_call::SpeedUp;
use super::spread::Ratio;
use crate::report::units::{self, Scale};

/// Seconds in the unit that fits.
pub(super) fn seconds(value: f64) -> String {
    Scale::fitting("seconds", [value]).show_float(value)
}

/// Two bounds in the unit of the larger one: `4.1 to 4.3 ms`.
pub(super) fn between((low, high): (f64, f64)) -> String {
    let scale = Scale::fitting("seconds", [high]);
    let (low, high) = (scale.show_float(low), scale.show_float(high));
    // The unit once.
    let low = low
        .rsplit_once(' ')
        .map_or(low.as_str(), |(digits, _)| digits);
    format!("{low} to {high}")
}

/// `10.5×`, with its interval where it has one: `10.5× (10.1 to 10.9)`.
pub(super) fn speed_up(ratio: Ratio) -> String {
    let shown = format!("{}×", units::ratio(Some(ratio.ratio)));
    match ratio.interval {
        Some((low, high)) => format!(
            "{shown} ({} to {})",
            units::ratio(Some(low)),
            units::ratio(Some(high))
        ),
        None => shown,
    }
}

/// The speed-up over a path without its interval: `10.5×`.
pub(super) fn ratio_over(speed_ups: &[SpeedUp], label: &str) -> Option<String> {
    let found = speed_ups.iter().find(|speed_up| speed_up.over == label)?;
    Some(format!("{}×", units::ratio(Some(found.ratio.ratio))))
}

/// The speed-up over a path, or nothing.
pub(super) fn speed_up_over(speed_ups: &[SpeedUp], label: &str) -> String {
    speed_ups
        .iter()
        .find(|speed_up| speed_up.over == label)
        .map_or_else(String::new, |found| speed_up(found.ratio))
}

/// A difference: three digits and a power of ten, or zero.
pub(super) fn difference(value: f64) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else {
        units::scientific(value, 2)
    }
}

/// A parameter's value, to six digits.
pub(super) fn value(value: f64) -> String {
    units::general(value, 6)
}

/// A spread of values, to three digits.
pub(super) fn spread(value: f64) -> String {
    units::general(value, 3)
}

/// `212 × 1131`.
pub(super) fn grid(shape: &[i64]) -> String {
    if shape.is_empty() {
        return "of a single number".to_owned();
    }
    let lengths: Vec<String> = shape.iter().map(i64::to_string).collect();
    lengths.join(" × ")
}

/// `1 call`, `3 calls`.
pub(super) fn count(number: i64, noun: &str) -> String {
    if number == 1 {
        format!("1 {noun}")
    } else {
        format!("{number} {noun}s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(between((0.0041, 0.00432)), "4.10 to 4.32 ms");
        assert_eq!(between((0.000_999, 0.001_2)), "0.999 to 1.20 ms");
        let ratio = |interval| Ratio {
            ratio: 10.53,
            interval,
        };
        assert_eq!(speed_up(ratio(None)), "10.53×");
        assert_eq!(
            speed_up(ratio(Some((10.1, 10.9)))),
            "10.53× (10.10 to 10.90)"
        );
        assert_eq!(difference(1.136_868e-13), "1.14e-13");
        assert_eq!(difference(0.0), "0");
        assert_eq!(value(84.210_889_8), "84.2109");
        assert_eq!(value(-0.000_012_345_67), "-1.23457e-05");
        assert_eq!(grid(&[212, 1131]), "212 × 1131");
        assert_eq!(grid(&[]), "of a single number");
    }
}
