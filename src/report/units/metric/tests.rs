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
fn no_interval_covers_everything() {
    assert_eq!(coverage(0.95), "95 %");
    assert_eq!(coverage(0.99), "99 %");
    assert_eq!(coverage(0.995), "99.5 %");
    assert_eq!(coverage(0.998), "99.8 %");
    assert_eq!(coverage(0.9999), "99.9 %");
    assert_eq!(coverage(1.0), "99.9 %");
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
