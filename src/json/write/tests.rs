use std::process::Command;

use proptest::prelude::*;

use super::*;
use crate::json::parse;

#[test]
fn floats_are_written_as_python_does() {
    for (value, text) in [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (100.0, "100.0"),
        (0.1, "0.1"),
        (1e15, "1000000000000000.0"),
        (1_234_567_890_123_456.7, "1234567890123456.8"),
        (9_007_199_254_740_993.0, "9007199254740992.0"),
        (1_690_060_720_831_323.3, "1690060720831323.2"),
        (1e16, "1e+16"),
        (1.5e16, "1.5e+16"),
        (1e22, "1e+22"),
        (1e23, "1e+23"),
        (0.0001, "0.0001"),
        (0.000_123, "0.000123"),
        (0.00001, "1e-05"),
        (5.77e-7, "5.77e-07"),
        (-1.5e-300, "-1.5e-300"),
        (f64::MAX, "1.7976931348623157e+308"),
        (f64::MIN_POSITIVE, "2.2250738585072014e-308"),
        (5e-324, "5e-324"),
        (4.345_095_200_005_744e-6, "4.345095200005744e-06"),
        (f64::NAN, "NaN"),
        (f64::INFINITY, "Infinity"),
        (f64::NEG_INFINITY, "-Infinity"),
    ] {
        assert_eq!(float_repr(value), text);
    }
}

#[test]
fn compact_keeps_the_order_and_escapes() {
    let json =
        parse(r#"{"b": [], "a": {"\u00e9\"\\\n\r\t\b\f\u0001\u007f\ud83d\ude00/": [1, "x"]}}"#);
    assert_eq!(
        to_compact(&json.unwrap()),
        r#"{"b": [], "a": {"\u00e9\"\\\n\r\t\b\f\u0001\u007f\ud83d\ude00/": [1, "x"]}}"#
    );
}

#[test]
fn pretty_sorts_and_indents() {
    let json = parse(r#"{"b": [], "a": [1, {"z": {}, "y": null}], "B": [[]]}"#).unwrap();
    let expected = r#"{
    "B": [
        []
    ],
    "a": [
        1,
        {
            "y": null,
            "z": {}
        }
    ],
    "b": []
}"#;
    assert_eq!(to_pretty(&json), expected);
}

#[test]
fn keys_are_sorted_as_python_does() {
    // In Python a lone surrogate sorts by its own code point: after U+D7FF, before U+E000.
    let text = r#"{"\ud83d\ude00": 0, "\ud800": 1, "\ue000": 2, "\ud7ff": 3, "\udbff\udfff": 4, "a\udfff": 5, "a\ue000": 6}"#;
    let pretty = to_pretty(&parse(text).unwrap());
    let keys: Vec<_> = pretty
        .lines()
        .filter_map(|line| line.split('"').nth(1))
        .collect();
    assert_eq!(
        keys,
        [
            r"a\udfff",
            r"a\ue000",
            r"\ud7ff",
            r"\ud800",
            r"\ue000",
            r"\ud83d\ude00",
            r"\udbff\udfff",
        ]
    );
}

/// Any value that Python's `json` could hold.
fn any_json() -> impl Strategy<Value = Json> {
    let scalar = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        any::<i64>().prop_map(Json::Int),
        "[1-9][0-9]{19,40}".prop_map(Json::BigInt),
        any::<f64>().prop_map(Json::Float),
        any::<f32>().prop_map(|value| Json::Float(f64::from(value))),
        any_text().prop_map(Json::String),
    ];
    scalar.prop_recursive(5, 60, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Json::Array),
            prop::collection::vec((any_text(), inner), 0..8)
                .prop_map(|members| Json::Object(members.into_iter().collect())),
        ]
    })
}

/// Text with all that is special: marks, stand-ins, words, quotes, control characters.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "(\u{10FFFF}|\u{E000}|\u{E7FF}|NaN|-?Infinity|\\\\|\"|\n|\u{1F600}|-0|é){0,6}",
    ]
}

proptest! {
    #[test]
    fn what_is_written_reads_back(json in any_json()) {
        // Two surrogates that stand side by side are one character once they are read.
        let json = parse(&to_compact(&json)).unwrap();
        let compact = to_compact(&json);
        let again = parse(&compact).unwrap();
        prop_assert_eq!(to_compact(&again), compact);
        let pretty = to_pretty(&json);
        prop_assert_eq!(to_pretty(&parse(&pretty).unwrap()), pretty);
    }

    #[test]
    fn floats_keep_their_bits(bits in any::<u64>()) {
        let value = f64::from_bits(bits);
        let read = parse(&float_repr(value)).unwrap().as_f64().unwrap();
        prop_assert!(read.to_bits() == bits || (read.is_nan() && value.is_nan()));
    }

    #[test]
    fn no_text_panics_the_reader(text in any_text()) {
        parse(&text).ok();
        parse(&format!("[{text}]")).ok();
    }
}

/// 20,000 floats of all magnitudes, from a fixed sequence.
fn many_floats() -> Vec<f64> {
    let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..20_000_u64)
        .map(|index| {
            let bits = next();
            // A third each: any bits; multiples of a small power of two, where halves occur; and
            // integers of up to 44 bits times a power of ten.
            match index % 3 {
                0 => f64::from_bits(bits),
                1 => {
                    let exponent = (0x3F0 + index % 70) << 52;
                    let mantissa = (bits >> 12 << (index % 40)) & ((1 << 52) - 1);
                    f64::from_bits(exponent | mantissa)
                }
                _ => format!("{}e{}", bits >> 20, i128::from(index % 60) - 40)
                    .parse()
                    .unwrap(),
            }
        })
        .filter(|value| value.is_finite())
        .collect()
}

#[test]
fn python_agrees_on_many_floats() {
    use std::io::Write as _;
    let script = "import struct,sys,json\n\
        data=sys.stdin.buffer.read()\n\
        print(json.dumps(list(struct.unpack('<%dd'%(len(data)//8),data))),end='')";
    let child = Command::new("python3")
        .args(["-c", script])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        eprintln!("skipped: no python3");
        return;
    };
    let floats = many_floats();
    let bytes: Vec<u8> = floats
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    child.stdin.take().unwrap().write_all(&bytes).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let json: Json = floats.into();
    let ours = to_compact(&json);
    let theirs = String::from_utf8(output.stdout).unwrap();
    for (our, their) in ours.split(", ").zip(theirs.split(", ")) {
        assert_eq!(our, their);
    }
    assert_eq!(ours.len(), theirs.len());
}
