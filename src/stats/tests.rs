//! Against the numbers of scipy, numpy and asv in `tests/fixtures/stats.json`.

#![expect(clippy::float_cmp, reason = "these numbers must agree to the bit")]

use serde_json::Value;

use super::*;

fn fixture(key: &str) -> Vec<Value> {
    let text = include_str!("../../tests/fixtures/stats.json");
    let file: Value = serde_json::from_str(text).unwrap();
    let cases = file[key].as_array().unwrap().clone();
    assert!(!cases.is_empty());
    cases
}

fn number(value: &Value) -> f64 {
    match value.as_str() {
        Some("inf") => f64::INFINITY,
        Some("-inf") => f64::NEG_INFINITY,
        Some("nan") => f64::NAN,
        _ => value.as_f64().unwrap(),
    }
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

#[track_caller]
fn assert_close(actual: f64, expected: f64, tolerance: f64, what: &dyn std::fmt::Debug) {
    let scale = expected.abs().max(f64::MIN_POSITIVE);
    let close = actual == expected || (actual - expected).abs() <= tolerance * scale;
    assert!(close, "{actual} instead of {expected} for {what:?}");
}

#[test]
fn summaries_are_asvs() {
    for case in fixture("summaries") {
        let samples = numbers(&case["samples"]);
        let summary = summarise(&samples).unwrap();
        assert_eq!(summary.median, number(&case["median"]), "{case}");
        assert_eq!(summary.q_25, number(&case["q_25"]), "{case}");
        assert_eq!(summary.q_75, number(&case["q_75"]), "{case}");
        assert_eq!(summary.repeat, samples.len());
        // The spread that asv prints after the sign of plus and minus.
        assert_eq!((summary.q_75 - summary.q_25) / 2.0, number(&case["spread"]));
        assert_close(summary.ci_99.0, number(&case["ci_99"][0]), 1e-9, &case);
        assert_close(summary.ci_99.1, number(&case["ci_99"][1]), 1e-9, &case);
    }
}

#[test]
fn no_samples_have_no_summary() {
    assert_eq!(summarise(&[]), None);
    assert!(summarise(&[1.0, f64::NAN]).unwrap().ci_99.0.is_nan());
}

#[test]
fn stored_statistics_have_five_digits() {
    let summary = summarise(&[1.0, 2.0, 3.0]).unwrap().rounded();
    assert_eq!(summary.ci_99, (-2.5883, 6.5883));
    assert_eq!(summary.median, 2.0);
}

#[test]
fn ranks_of_the_interval_are_asvs() {
    for case in fixture("binomial_ranks") {
        let count = u32::try_from(case[0].as_u64().unwrap()).unwrap();
        let samples: Vec<f64> = (0..count).map(f64::from).collect();
        let expected = (number(&case[1]), number(&case[2]));
        assert_eq!(median_ci_99(&samples), Some(expected), "{count} samples");
    }
}

#[test]
fn mann_whitney_is_asvs_and_scipys() {
    for case in fixture("mann_whitney") {
        let (first, second) = (numbers(&case["first"]), numbers(&case["second"]));
        let test = mann_whitney(&first, &second).unwrap();
        assert_eq!(test.u as u64, case["u"].as_u64().unwrap(), "{case}");
        assert_close(test.p, number(&case["p"]), 1e-10, &case);
        if let Some(p) = case.get("scipy_p") {
            assert_close(test.p, number(p), 1e-10, &case);
        }
    }
    assert_eq!(mann_whitney(&[], &[1.0]), None);
}

#[test]
fn smallest_p_counts_orders() {
    assert_eq!(smallest_p(2, 3), 0.1);
    assert_eq!(smallest_p(3, 2), 0.1);
    assert_close(smallest_p(5, 5), 1.0 / 252.0, 1e-15, &"5 and 5");
    assert_eq!(smallest_p(0, 9), 1.0);
}

#[test]
fn erfc_is_scipys() {
    for case in fixture("erfc") {
        let x = number(&case[0]);
        assert_close(erfc(x), number(&case[1]), 1e-13, &case);
    }
    assert!(erfc(f64::NAN).is_nan());
    assert_eq!(erfc(f64::NEG_INFINITY), 2.0);
    assert_eq!(erfc(f64::INFINITY), 0.0);
}

#[test]
fn student_t_quantiles_are_scipys() {
    for case in fixture("student_t") {
        let (p, df) = (number(&case[0]), number(&case[1]));
        let actual = student_t_quantile(p, df);
        let expected = number(&case[2]);
        assert!(
            (actual - expected).abs() <= 1e-10 * expected.abs().max(1e-2),
            "{actual} instead of {case}"
        );
    }
    assert!(student_t_quantile(0.9, 0.0).is_nan());
    assert!(student_t_quantile(1.5, 3.0).is_nan());
    assert_eq!(student_t_quantile(1.0, 3.0), f64::INFINITY);
}

#[test]
fn median_absolute_deviation_is_scipys() {
    for case in fixture("mad") {
        let actual = mad(&mut numbers(&case[0])).unwrap();
        assert_close(actual, number(&case[1]), 1e-12, &case);
    }
}

#[test]
fn quantiles_are_numpys() {
    for case in fixture("quantiles") {
        let actual = quantile_of_sorted(&numbers(&case[0]), number(&case[1])).unwrap();
        assert_close(actual, number(&case[2]), 1e-14, &case);
    }
}

#[test]
fn rounding_is_pythons() {
    for case in fixture("rounded") {
        assert_eq!(
            round_significant(number(&case[0]), 5),
            number(&case[1]),
            "{case}"
        );
    }
}
