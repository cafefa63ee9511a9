//! Expected texts were printed by asv 0.6.6, but for the ones named as ours.

use super::*;

#[test]
fn times_are_as_asv_prints_them() {
    let cases: [(f64, &str); 24] = [
        (0.0, "0s"),
        (0.001, "1.00ms"),
        (61.0, "1.02m"),
        (3e-9, "3.00ns"),
        (0.001_234_5, "1.23ms"),
        (0.000_999_96, "1000μs"),
        (0.9996, "1000ms"),
        (59.999, "60.0s"),
        (60.0, "1.00m"),
        (3_599.0, "60.0m"),
        (3_600.0, "1.00h"),
        (86_400.0, "1.00d"),
        (604_800.0, "1.00w"),
        (3e6, "1.14M"),
        (1e7, "1.27q"),
        (3.2e7, "1.02y"),
        (1e9, "31.8y"),
        (1e-10, "0.100ns"),
        (1e-12, "0.00100ns"),
        (0.000_123_456, "123μs"),
        (0.009_995, "10.00ms"),
        (0.010, "10.0ms"),
        (0.1, "100ms"),
        (f64::NAN, "n/a"),
    ];
    for (seconds, expected) in cases {
        assert_eq!(time(seconds, None), expected, "{seconds}");
    }
}

#[test]
fn spreads_of_times_are_as_asv_prints_them() {
    let cases: [(f64, f64, &str); 22] = [
        (3e-9, 4e-10, "3.00±0.4ns"),
        (0.001_13, 0.002, "1.13±2ms"),
        (0.002_67, 0.0002, "2.67±0.2ms"),
        (0.001_11, 0.000_01, "1.11±0.01ms"),
        (1.0, 0.0, "1.00±0s"),
        (1.0, 1e-9, "1.00±0s"),
        (1.0, 123.0, "1.00±100s"),
        (0.5, 0.0499, "500±50ms"),
        (0.5, 0.051, "500±50ms"),
        (0.001, 0.9999, "1.00±1000ms"),
        (0.001, f64::NAN, "1.00±nanms"),
        (0.001, f64::INFINITY, "1.00±infms"),
        (61.0, 3.0, "1.02±0.05m"),
        (0.001, 1e-7, "1.00±0ms"),
        (0.001, 5e-6, "1.00±0.01ms"),
        (0.001, 4.9e-6, "1.00±0ms"),
        (0.001, 1.5e-5, "1.00±0.01ms"),
        (0.001, 2.5e-5, "1.00±0.03ms"),
        (0.002, 0.009_96, "2.00±10ms"),
        (1.0, 1e12, "1.00±1.0e+12s"),
        (100.0, 1e-5, "1.67±0m"),
        (0.0, 0.1, "0±100ms"),
    ];
    for (seconds, spread, expected) in cases {
        assert_eq!(time(seconds, Some(spread)), expected, "{seconds} {spread}");
    }
}

#[test]
fn bytes_are_as_asv_prints_them() {
    let cases: [(f64, &str); 19] = [
        (0.0, "0"),
        (1.0, "1"),
        (999.0, "999"),
        (999.5, "1000"),
        (1_000.0, "1k"),
        (24_838_144.0, "24.8M"),
        (1_234.0, "1.23k"),
        (9_999.0, "10k"),
        (99_999.0, "100k"),
        (999_499.0, "999k"),
        (999_500.0, "1000k"),
        (1e9, "1G"),
        (1e12, "1T"),
        (1e15, "1P"),
        (1e18, "1E"),
        (1e22, "10H"),
        (123_456_789_012.0, "123G"),
        (1.5, "1.5"),
        (f64::NAN, "n/a"),
    ];
    for (count, expected) in cases {
        assert_eq!(bytes(count, None), expected, "{count}");
    }
    assert_eq!(bytes(24_838_144.0, Some(1_000.0)), "24.8±0M");
    assert_eq!(bytes(24_838_144.0, Some(1_200_000.0)), "24.8±1M");
    assert_eq!(bytes(24_838_144.0, Some(1_500_000.0)), "24.8±2M");
    assert_eq!(bytes(500.0, Some(0.4)), "500±0.4");
    assert_eq!(bytes(1e9, Some(1.5e8)), "1±0.1G");
}

#[test]
fn what_asv_garbles_is_shown_as_it_is() {
    // asv: -8400000ns, ~0, ~0, -infns; 0, an exception, 1?.
    assert_eq!(time(-0.0084, Some(0.001)), "-8.40±1ms");
    assert_eq!(time(1e10, None), "318y");
    assert_eq!(time(f64::INFINITY, None), "infs");
    assert_eq!(time(f64::NEG_INFINITY, None), "-infs");
    assert_eq!(time(1e300, None), "3.180e+292y");
    assert_eq!(bytes(-24_838_144.0, None), "-24.8M");
    assert_eq!(bytes(f64::INFINITY, None), "inf");
    assert_eq!(bytes(1e24, None), "1000H");
    assert_eq!(bytes(0.5, None), "0.5");
}

#[test]
fn other_units_show_the_json_of_the_value() {
    let cases = [
        (Json::Int(0), "0"),
        (Json::Int(1), "1"),
        (Json::Float(1.0), "1.0"),
        (Json::Float(1e16), "1e+16"),
        (Json::Float(1e-7), "1e-07"),
        (Json::Float(123_456.789), "123456.789"),
        (
            Json::BigInt("1".to_owned() + &"0".repeat(30)),
            "1000000000000000000000000000000",
        ),
        (Json::Float(f64::NAN), "n/a"),
        (Json::Float(f64::INFINITY), "Infinity"),
        (Json::Null, "failed"),
        (Json::Bool(true), "true"),
        ("a\"b".into(), "\"a\\\"b\""),
        ("é".into(), "\"\\u00e9\""),
        (
            Json::Array(vec![Json::Int(1), Json::Float(2.0), Json::Float(f64::NAN)]),
            "[1, 2.0, NaN]",
        ),
    ];
    for (json, expected) in cases {
        assert_eq!(value(Some(&json), "unit", None), expected, "{json:?}");
    }
    assert_eq!(value(Some(&"x".into()), "seconds", None), "\"x\"");
    assert_eq!(value(None, "bytes", None), "failed");
}

#[test]
fn spreads_in_other_units_have_two_digits() {
    let cases = [
        (0.123_456, "5±0.12"),
        (10.0, "5±10"),
        (1e-9, "5±1e-09"),
        (123_456.0, "5±1.2e+05"),
        (0.0, "5±0"),
        (f64::INFINITY, "5±inf"),
        (0.000_123, "5±0.00012"),
        (99.6, "5±1e+02"),
        (1e-5, "5±1e-05"),
        (9.96e-5, "5±0.0001"),
    ];
    for (spread, expected) in cases {
        assert_eq!(value(Some(&Json::Int(5)), "unit", Some(spread)), expected);
    }
}

#[test]
fn floats_round_as_asv_rounds_them() {
    // value, [1, 2, 3 digits], the same with significant zeros, the same truncated at two decimals
    type Case = (f64, [&'static str; 3], [&'static str; 3], [&'static str; 3]);
    let cases: [Case; 14] = [
        (
            0.5,
            ["0.5", "0.5", "0.5"],
            ["0.5", "0.50", "0.500"],
            ["0.5", "0.5", "0.5"],
        ),
        (
            1.5,
            ["2", "1.5", "1.5"],
            ["2", "1.5", "1.50"],
            ["2", "1.5", "1.5"],
        ),
        (
            2.5,
            ["2", "2.5", "2.5"],
            ["2", "2.5", "2.50"],
            ["2", "2.5", "2.5"],
        ),
        (
            0.25,
            ["0.2", "0.25", "0.25"],
            ["0.2", "0.25", "0.250"],
            ["0.2", "0.25", "0.25"],
        ),
        (
            12_250.0,
            ["10000", "12000", "12200"],
            ["10000", "12000", "12200"],
            ["10000", "12000", "12200"],
        ),
        (
            12_350.0,
            ["10000", "12000", "12400"],
            ["10000", "12000", "12400"],
            ["10000", "12000", "12400"],
        ),
        (
            1e-4,
            ["0.0001", "0.0001", "0.0001"],
            ["0.0001", "0.00010", "0.000100"],
            ["0", "0", "0.0001"],
        ),
        (
            9.9e-6,
            ["9.9e-06", "9.90e-06", "9.900e-06"],
            ["9.9e-06", "9.90e-06", "9.900e-06"],
            ["0", "0", "0"],
        ),
        (
            99_999_999.0,
            ["100000000"; 3],
            ["100000000"; 3],
            ["100000000"; 3],
        ),
        (
            999_999_999.4,
            ["1.0e+09", "1.00e+09", "1.000e+09"],
            ["1.0e+09", "1.00e+09", "1.000e+09"],
            ["1.0e+09", "1.00e+09", "1.000e+09"],
        ),
        (
            12.0,
            ["10", "12", "12"],
            ["10", "12", "12.0"],
            ["10", "12", "12"],
        ),
        (
            99.99,
            ["100", "100", "100"],
            ["100", "100", "100.0"],
            ["100", "100", "100"],
        ),
        (
            9.9999,
            ["10", "10", "10"],
            ["10", "10.0", "10.00"],
            ["10", "10", "10"],
        ),
        (
            0.0005,
            ["0.0005", "0.0005", "0.0005"],
            ["0.0005", "0.00050", "0.000500"],
            ["0", "0.001", "0.0005"],
        ),
    ];
    for (value, plain, zeros, truncated) in cases {
        for significant in 1..=3 {
            let at = usize::try_from(significant - 1).unwrap();
            assert_eq!(
                human_float(value, significant, None, false),
                plain[at],
                "{value}"
            );
            assert_eq!(
                human_float(value, significant, None, true),
                zeros[at],
                "{value}"
            );
            assert_eq!(
                human_float(value, significant, Some(2), false),
                truncated[at],
                "{value}"
            );
        }
    }
}
