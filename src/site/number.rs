//! Numbers in data files.

use std::fmt::Write;

/// Significant digits of numbers that are only drawn.
const DIGITS: i32 = 7;

/// Writes a number for drawing: integers in full, others to seven significant digits, in the
/// shortest form that a browser reads. What is not finite is `null`.
pub(super) fn write_number(value: f64, out: &mut String) {
    if !value.is_finite() {
        out.push_str("null");
        return;
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the value is whole and small, or was scaled to seven digits"
    )]
    let whole = |value: f64| value as i64;
    if value.fract() == 0.0 && value.abs() < 1e15 {
        push(out, whole(value));
        return;
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a logarithm lies within ±324"
    )]
    let exponent = value.abs().log10().floor() as i32 - (DIGITS - 1);
    // Beyond these powers a float cannot hold the factor.
    if !(-290..=290).contains(&exponent) {
        write!(out, "{value:e}").ok();
        return;
    }
    let scaled = if exponent < 0 {
        value * 10_f64.powi(-exponent)
    } else {
        value / 10_f64.powi(exponent)
    };
    let (mut digits, mut exponent) = (whole(scaled.round()), exponent);
    while digits != 0 && digits % 10 == 0 {
        digits /= 10;
        exponent += 1;
    }
    push(out, digits);
    if exponent != 0 {
        out.push('e');
        push(out, i64::from(exponent));
    }
}

fn push(out: &mut String, value: i64) {
    // Writing to a string cannot fail.
    write!(out, "{value}").ok();
}

/// Writes several numbers, separated by commas.
pub(super) fn write_numbers(values: impl IntoIterator<Item = f64>, out: &mut String) {
    for (position, value) in values.into_iter().enumerate() {
        if position > 0 {
            out.push(',');
        }
        write_number(value, out);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(value: f64) -> String {
        let mut out = String::new();
        write_number(value, &mut out);
        out
    }

    #[test]
    fn numbers_are_short() {
        let cases = [
            (0.0, "0"),
            (-3.0, "-3"),
            (123_456_789_012.0, "123456789012"),
            (0.001_234_567_89, "1234568e-9"),
            (0.5, "5e-1"),
            (-2.25, "-225e-2"),
            (1234.5, "12345e-1"),
            (f64::NAN, "null"),
            (f64::INFINITY, "null"),
            (9.999_999_99e-5, "1e-4"),
            (1.5e300, "1.5e300"),
            (5e-324, "5e-324"),
        ];
        for (value, expected) in cases {
            assert_eq!(written(value), expected, "{value}");
        }
    }

    proptest! {
        #[test]
        fn seven_digits_are_kept(value in proptest::num::f64::NORMAL) {
            let read: f64 = written(value).parse().unwrap();
            prop_assert!((read / value - 1.0).abs() <= 0.51e-6, "{} {}", value, read);
        }
    }
}
