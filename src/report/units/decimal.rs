//! Decimal digits: the few forms of Python's `format` that asv's numbers are made of.

/// `format(value, '.{decimals}e')`: `1.23e+08`, exponent of at least two digits.
pub fn scientific(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$e}");
    let Some((mantissa, exponent)) = text.split_once('e') else {
        return text;
    };
    let (sign, digits) = match exponent.strip_prefix('-') {
        Some(digits) => ('-', digits),
        None => ('+', exponent),
    };
    format!("{mantissa}e{sign}{digits:0>2}")
}

/// `format(value, '.{significant}g')`: fixed or scientific, whichever suits, without trailing zeros.
pub fn general(value: f64, significant: usize) -> String {
    if let Some(word) = not_finite(value) {
        return word.to_owned();
    }
    let significant = significant.max(1);
    let text = scientific(value, significant - 1);
    let exponent: i32 = text
        .split_once('e')
        .and_then(|(_, exponent)| exponent.parse().ok())
        .unwrap_or(0);
    let most = i32::try_from(significant).unwrap_or(i32::MAX);
    if exponent < -4 || exponent >= most {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "+00"));
        return format!("{}e{exponent}", without_trailing_zeros(mantissa));
    }
    let decimals = usize::try_from(most - 1 - exponent).unwrap_or(0);
    without_trailing_zeros(&format!("{value:.decimals$}")).to_owned()
}

/// How Python prints what is not finite; `None` for all other numbers.
pub(super) fn not_finite(value: f64) -> Option<&'static str> {
    if value.is_nan() {
        Some("nan")
    } else if value.is_infinite() {
        Some(if value > 0.0 { "inf" } else { "-inf" })
    } else {
        None
    }
}

/// Number of digits before the decimal point: 3 for 123, 0 for 0.5, -1 for 0.05; 0 for zero.
pub(super) fn magnitude(value: f64) -> i32 {
    if value == 0.0 || !value.is_finite() {
        return 0;
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the logarithm of a finite float lies within ±324"
    )]
    let digits = value.abs().log10().floor() as i32;
    digits + 1
}

/// `value` rounded to a multiple of ten to the power `tens`, as an integer's digits.
pub(super) fn rounded_integer(value: f64, tens: i32) -> String {
    let Ok(tens) = usize::try_from(tens) else {
        return format!("{value:.0}");
    };
    if tens == 0 {
        return format!("{value:.0}");
    }
    let kept = usize::try_from(magnitude(value)).unwrap_or(0);
    // Rounding below the leading digit leaves zero or one unit of the power.
    if kept < tens {
        return "0".to_owned();
    }
    if kept == tens {
        let unit = 10_f64.powi(i32::try_from(tens).unwrap_or(0));
        return format!("{:.0}", (value / unit).round_ties_even() * unit);
    }
    let rounded: f64 = format!("{value:.*e}", kept - tens - 1)
        .parse()
        .unwrap_or(value);
    format!("{rounded:.0}")
}

/// `12.30` → `12.3`, `12.00` → `12`; texts without a point stay.
pub(super) fn without_trailing_zeros(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}
