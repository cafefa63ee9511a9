use super::*;

const TRICKY: &str = "\u{feff}// the \"project\"\r\n{\r\n  /* { \"nested\": 1 } */ version: 0x1,\r\n  'project': 'it\\'s // no comment',\n\
    \"html_\\u0064ir\": \"a\\\n b\",\n  \"matrix\": {\"req\": {\"numpy\": [\"1.0\", null,],},}, // , \"fake\": 1\n  \
    timeout: +.5e1, \"nan\": NaN, inf: -Infinity,\n  $odd_\\u006bey: [1,\n 2], last: null,}\n// end";

#[test]
fn everything_json5_allows_is_read() {
    let object = parse(TRICKY).unwrap();
    assert_eq!(object["version"], Json::Int(1));
    assert_eq!(object["project"], Json::from("it's // no comment"));
    assert_eq!(object["html_dir"], Json::from("a b"));
    assert_eq!(
        object["matrix"].get("req").unwrap().get("numpy").unwrap(),
        &Json::Array(vec![Json::from("1.0"), Json::Null])
    );
    assert_eq!(object["timeout"].as_f64(), Some(5.0));
    assert!(object["nan"].as_f64().unwrap().is_nan());
    assert_eq!(object["inf"], Json::Float(f64::NEG_INFINITY));
    assert_eq!(object["last"], Json::Null);
}

#[test]
fn each_top_key_has_its_line_whatever_stands_around_it() {
    let lines = key_lines(TRICKY);
    let lines: Vec<(&str, usize)> = lines.iter().map(|(k, n)| (k.as_str(), *n)).collect();
    assert_eq!(
        lines,
        [
            ("version", 3),
            ("project", 4),
            ("html_dir", 5),
            ("matrix", 7),
            ("timeout", 8),
            ("nan", 8),
            ("inf", 8),
            ("$odd_key", 9),
            ("last", 10),
        ]
    );
}

#[test]
fn a_key_that_comes_twice_counts_last_and_is_listed_twice() {
    let text = "{\"a\": 1,\n \"b\": 2,\n 'a': 3}";
    assert_eq!(parse(text).unwrap()["a"], Json::Int(3));
    assert_eq!(
        key_lines(text),
        [
            ("a".to_owned(), 1),
            ("b".to_owned(), 2),
            ("a".to_owned(), 3)
        ]
    );
}

#[test]
fn a_broken_text_names_its_line_and_column() {
    let error =
        parse("{\n  \"version\": 1,\n  \"project\": \"x\"\n  \"repo\": \".\"\n}").unwrap_err();
    assert_eq!((error.line, error.column), (4, 3));
    assert_eq!(error.message, "expected comma");
    let error = parse("{\n  \"version\": 1,\n").unwrap_err();
    assert_eq!(error.line, 3);
    assert_eq!(
        parse("[1]").unwrap_err().message,
        "expected an object (`{ … }`)"
    );
    assert_eq!(parse("").unwrap_err().line, 1);
}
