use super::*;
use crate::json::parse;
use crate::results::columns::standard_names;

fn read(row: &str) -> BenchmarkResult {
    from_json(&standard_names(), &parse(row).unwrap()).unwrap()
}

fn round_trip(row: &str) -> String {
    to_compact(&to_json(&read(row), &standard_names()))
}

/// Rows that asv wrote.
const ROWS: [&str; 7] = [
    r#"[[4.345095200005744e-06], [], "v1", 1796056332333, 0.65648, [-Infinity], [Infinity], [4.3451e-06], [4.3451e-06], [10000], [1]]"#,
    r#"[[10, NaN, 20.0, null], [["1", "2 (0)"], ["'a'", "None"]], "4d33", 1796055790979, 2.2821]"#,
    r#"[[0.0003, null], [["1", "2"]], "7", 1, 2.1952, [-0.0028718, null], [0.5, null], [0.1, null], [0.2, null], [3, null], [4, null], [[1.5, 2.5], null]]"#,
    r#"[null, [], "48077d", 1796055797986, 0.35235]"#,
    r#"[[NaN], [], "d3", 1796055798509]"#,
    r#"[null, [["1", "2"]]]"#,
    r#"[["text"], [], "v", 1, 0.1, null, null, null, null, null, null, null, "eJx="]"#,
];

#[test]
fn rows_are_written_as_they_were_read() {
    for row in ROWS {
        assert_eq!(round_trip(row), row);
    }
}

#[test]
fn values_keep_their_kind() {
    let result = read(
        r#"[[1, 1.0, NaN, null, Infinity, "x", [1], true], [["a", "b", "c", "d", "e", "f", "g", "h"]]]"#,
    );
    let number = |json| Value::Number(json);
    assert_eq!(
        result.values,
        [
            number(Json::Int(1)),
            number(Json::Float(1.0)),
            Value::Skipped,
            Value::Failed,
            number(Json::Float(f64::INFINITY)),
            Value::Other("x".into()),
            Value::Other(vec![1].into()),
            Value::Other(true.into()),
        ]
    );
}

#[test]
fn a_null_column_is_a_failure_of_every_combination() {
    assert_eq!(
        read(r#"[null, [["1", "2"]]]"#).values,
        vec![Value::Failed; 2]
    );
    assert_eq!(read("[null, []]").values, [Value::Failed]);
    assert_eq!(read("[]").values, [Value::Failed]);
    assert!(read(r#"[null, [["1"], []]]"#).values.is_empty());
}

#[test]
fn statistics_are_typed_and_rounded() {
    let mut result = read(ROWS[2]);
    let stats = result.stats[0].as_mut().unwrap();
    assert_eq!((stats.number, stats.repeat, stats.q_25), (3, 4, 0.1));
    assert_eq!(result.stats.len(), 2);
    assert!(result.stats[1].is_none());
    result.stats[0].as_mut().unwrap().q_25 = 0.123_456_789;
    result.duration = Some(0.123_456_789);
    let row = to_compact(&to_json(&result, &standard_names()));
    assert!(row.contains("[0.12346, null]") && row.contains(", 0.12346, "));
}

#[test]
fn missing_statistics_are_open() {
    let result = read("[[1.0], [], null, null, null, null, [2.0]]");
    let stats = result.stats[0].as_ref().unwrap();
    assert_eq!(stats.ci_99, (f64::NEG_INFINITY, 2.0));
    assert!(stats.q_25.is_nan());
}

#[test]
fn odd_rows_are_understood() {
    assert_eq!(read("[3.5]").values, [Value::Number(3.5.into())]);
    let short = read(r#"[[1], [["a", "b"]], "v", 5.0]"#);
    assert_eq!(short.values, [Value::Number(1.into()), Value::Failed]);
    assert_eq!(short.started_at, Some(5));
    assert_eq!(read("[[1, 2]]").values.len(), 1);
    assert_eq!(read("[[1], [[1, 2.5]], 7]").params, [["1", "2.5"]]);
    assert_eq!(read("[[1], [], 7]").version.as_deref(), Some("7"));
    assert!(from_json(&standard_names(), &Json::Null).is_none());
    let flat = read("[[1.5], [], null, null, null, null, null, null, null, null, null, [1, 2.0]]");
    assert_eq!(flat.samples, [Some(vec![1.0, 2.0])]);
}

#[test]
fn unknown_columns_are_kept() {
    let mut columns = standard_names();
    columns.insert(2, "stats_gpu".to_owned());
    let row = r#"[[1], [], [{"peak": 5}], "v"]"#;
    let result = from_json(&columns, &parse(row).unwrap()).unwrap();
    assert_eq!(result.version.as_deref(), Some("v"));
    assert_eq!(to_compact(&to_json(&result, &columns)), row);
}
