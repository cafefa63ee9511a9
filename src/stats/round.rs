//! Rounding to significant digits.

/// `value` rounded to `digits` significant decimal digits, as asv's files hold `stats_*` (5) and
/// durations (5). The exact binary value is rounded, ties to even, as `"%.4e"` does in C and
/// Python. What is not finite stays as it is.
pub fn round_significant(value: f64, digits: usize) -> f64 {
    if !value.is_finite() || value == 0.0 {
        return value;
    }
    let text = format!("{value:.*e}", digits.saturating_sub(1));
    text.parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::float_cmp, reason = "rounding must agree to the bit")]
    fn rounds_as_asv_writes() {
        let cases = [
            (4.345_095_200_005_744e-6, 4.3451e-6),
            (0.000_155_314_999, 0.000_155_31),
            (6.385_451, 6.3855),
            (123_456.7, 123_460.0),
            (-2.588_314_677_411_235, -2.5883),
            (0.0, 0.0),
            (1.0, 1.0),
            (99_999.5, 100_000.0),
        ];
        for (value, expected) in cases {
            assert_eq!(round_significant(value, 5), expected, "{value}");
        }
        assert!(round_significant(f64::NAN, 5).is_nan());
        assert_eq!(round_significant(f64::NEG_INFINITY, 5), f64::NEG_INFINITY);
    }
}
