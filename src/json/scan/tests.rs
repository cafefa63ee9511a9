use super::*;
use proptest::prelude::*;

fn scanned(text: &str) -> Option<Json> {
    let mut scanner = Scanner::new(text);
    let value = scanner.value()?;
    scanner.end()?;
    let mut again = Scanner::new(text);
    again.skip().unwrap();
    again.end().unwrap();
    Some(value)
}

/// Equal, a NaN being equal to itself.
fn written(json: &Json) -> String {
    super::super::to_compact(json)
}

#[test]
fn reads_what_the_tolerant_reader_reads() {
    for text in [
        "{}",
        "[]",
        " [1, -2.5e-3, NaN, Infinity, -Infinity, null, true, false] ",
        "{\"a\": [[\"x\", \"\\u00e9\\n\"], {}], \"a\": 2, \"b\\\"\": \"\"}",
        "\u{FEFF}[1e400, 0.1, 9223372036854775807]",
        "\"\u{e9}\"",
        "[\r\n\t1\r\n]",
    ] {
        let expected = tolerant(text).unwrap();
        let found = scanned(text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(written(&found), written(&expected), "{text}");
    }
}

#[test]
fn gives_up_on_everything_else() {
    for text in [
        "",
        "[1,]",
        "{a: 1}",
        "[1 2]",
        "[01]",
        "[-]",
        "[1.]",
        "[1e]",
        "[.5]",
        "['x']",
        "[NaNs]",
        "[+1]",
        "[nul]",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\n\"",
        "[1",
        "{\"a\"}",
        "{\"a\" 1}",
        "[-0]",
        "[9223372036854775808]",
        "[1] 2",
        "// c\n1",
    ] {
        assert_eq!(scanned(text), None, "{text}");
    }
    let deep = "[".repeat(200) + &"]".repeat(200);
    assert_eq!(scanned(&deep), None);
}

#[test]
fn floats_are_read_without_a_value_in_between() {
    let text = "[1, -2.5e-3, NaN, Infinity, -Infinity, null, 12345678901234567890]";
    let mut found = Vec::new();
    Scanner::new(text)
        .array(|scanner| {
            found.push(format!("{:?}", scanner.float()?));
            Some(())
        })
        .unwrap();
    let expected = [
        "Some(1.0)",
        "Some(-0.0025)",
        "Some(NaN)",
        "Some(inf)",
        "Some(-inf)",
        "None",
        "Some(1.2345678901234567e19)",
    ];
    assert_eq!(found, expected);
    for other in ["\"1\"", "[1]", "true", "{}"] {
        assert!(Scanner::new(other).float().is_none(), "{other}");
    }
}

#[test]
fn raw_values_are_the_text_itself() {
    let mut scanner = Scanner::new("{ \"a\" : [1.50, \"]\"] , \"b\": NaN}");
    let mut found = Vec::new();
    scanner
        .object(|scanner, key| {
            found.push((key, scanner.raw()?));
            Some(())
        })
        .unwrap();
    assert_eq!(
        found,
        [("a".to_owned(), "[1.50, \"]\"]"), ("b".to_owned(), "NaN")]
    );
}

proptest! {
    #[test]
    fn never_differs(text in "[\\[\\]{}:,\"\\\\ 0-9eE.+nullNaNInfinity-]{0,24}") {
        if let Some(found) = scanned(&text) {
            let expected = tolerant(&text);
            prop_assert!(expected.is_ok(), "{text}");
            prop_assert_eq!(written(&found), written(&expected.unwrap()));
        }
    }
}
