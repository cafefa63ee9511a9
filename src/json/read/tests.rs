use super::*;

fn compact(text: &str) -> String {
    to_compact(&parse(text).unwrap())
}

#[test]
fn reads_what_python_writes() {
    let text = r#"{"a": [NaN, -Infinity, Infinity, 1, 1.0, -2.5e-07, true, false, null], "b": {}}"#;
    assert_eq!(compact(text), text);
    let json = parse(text).unwrap();
    let items = json.get("a").and_then(Json::as_array).unwrap();
    assert!(items[0].as_f64().unwrap().is_nan());
    assert_eq!(items[1], Json::Float(f64::NEG_INFINITY));
    assert_eq!(items[3], Json::Int(1));
    assert_eq!(items[4], Json::Float(1.0));
}

#[test]
fn integers_keep_their_digits() {
    for digits in [
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "18446744073709551616",
        "-9223372036854775809",
        "123456789012345678901234567890123456789012345678901234567890",
    ] {
        assert_eq!(compact(digits), digits);
    }
    assert_eq!(parse("9223372036854775807").unwrap(), Json::Int(i64::MAX));
    assert_eq!(parse("-0").unwrap(), Json::Int(0));
    assert_eq!(compact("-0.0"), "-0.0");
}

#[test]
fn floats_that_overflow_are_infinite_as_in_python() {
    assert_eq!(parse("1e400").unwrap(), Json::Float(f64::INFINITY));
    assert_eq!(parse("[-1e400]").unwrap(), vec![f64::NEG_INFINITY].into());
    assert_eq!(parse("1e-400").unwrap(), Json::Float(0.0));
    let long = format!("{}.5", "1".repeat(400));
    assert_eq!(parse(&long).unwrap(), Json::Float(f64::INFINITY));
}

#[test]
fn strings_may_look_like_numbers() {
    for text in [
        r#""NaN""#,
        r#"{"Infinity": "-Infinity"}"#,
        r#""\udbff\udfffNaN""#,
    ] {
        assert_eq!(compact(text), text);
    }
    assert_eq!(parse("\"\u{10FFFF}NaN\"").unwrap(), "\u{10FFFF}NaN".into());
}

#[test]
fn lone_surrogates_survive() {
    for text in [
        r#""\ud800""#,
        r#""a\udfffb""#,
        r#""\udc00\ud800""#,
        r#""\ud800\ud83d\ude00""#,
        r#"{"\ud800": ["x\udbff", "\ud83d\ude00"]}"#,
    ] {
        assert_eq!(compact(text), text);
    }
}

#[test]
fn the_last_of_equal_keys_wins_at_the_place_of_the_first() {
    assert_eq!(
        compact(r#"{"a": 1, "b": 2, "a": 3}"#),
        r#"{"a": 3, "b": 2}"#
    );
}

#[test]
fn byte_order_mark_and_carriage_returns_are_white_space() {
    assert_eq!(compact("\u{FEFF}{\r\n\"a\": NaN\r\n}\r\n"), r#"{"a": NaN}"#);
}

#[test]
fn hand_edited_text_is_read_too() {
    let text = "// results\n{\n  'a': [1, 2,], /* more */ b: NaN, \"c\": .5,\n}\n// end\n";
    assert_eq!(compact(text), r#"{"a": [1, 2], "b": NaN, "c": 0.5}"#);
    assert_eq!(compact("{NaN: 1}"), r#"{"NaN": 1}"#);
}

#[test]
fn errors_name_line_and_column() {
    for (text, message) in [
        (
            "{\n  \"a\": 1\n  \"b\": 2\n}",
            "line 3, column 3: expected `,`",
        ),
        ("[1, 2", "line 1, column 6: the text ends inside a list"),
        ("", "line 1, column 1: the text ends before a value"),
        (
            "{}\n{}",
            "line 2, column 1: expected nothing more after the value",
        ),
        ("{\"a\" 1}", "line 1, column 6: expected `:` after the key"),
        ("[1NaN]", "line 1, column 3: expected `,`"),
    ] {
        assert_eq!(parse(text).unwrap_err().to_string(), message, "{text}");
    }
}

#[test]
fn deep_nesting_is_an_error_and_no_crash() {
    let deep = "[".repeat(100_000);
    let error = parse(&deep).unwrap_err();
    assert_eq!(error.message, "nested deeper than 127 levels");
    let closed = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(parse(&closed).is_err());
    let fine = format!("{}{}", "[".repeat(127), "]".repeat(127));
    assert_eq!(compact(&fine), fine);
}

#[test]
fn a_typed_read_understands_both_dialects() {
    let read = |text: &str| read_with(text, |reader| Tree::prepared().deserialize(reader));
    assert_eq!(read("[NaN, 1]").unwrap().as_array().unwrap().len(), 2);
    assert_eq!(read("[1, 2,] // two").unwrap(), vec![1, 2].into());
    assert_eq!(read("[1").unwrap_err().column, 3);
}
