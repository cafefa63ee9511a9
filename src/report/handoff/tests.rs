use serde_json::{Value, json};

use super::*;
use crate::json::Json;
use crate::report::row::{
    Absence, AbsentBenchmark, Alert, Cell, Comparison, Confidence, Difference, Strength, Verdict,
};
use crate::report::testing::{changed, comparison, row};

fn full() -> Comparison {
    let mut slow = changed("bench.A.time_x", 1.0, 1.5, Verdict::Slower);
    slow.params = vec![("n".to_owned(), "5".to_owned())];
    slow.reason = "beyond the noise".to_owned();
    slow.confidence = Some(Confidence {
        low: 1.4,
        high: 1.6,
        level: 0.99,
        resolution: 0.018,
        strength: Strength::Firm,
        history: 12,
    });
    slow.alert = Some(Alert { limit: 1.1 });
    slow.flags = vec!["compiled-while-timed".to_owned()];
    let mut failed = row("bench.B.track");
    failed.head = Cell::Failed {
        reason: Some("ValueError".to_owned()),
    };
    failed.ratio = None;
    failed.verdict = Verdict::Failed;
    let mut whole = row("bench.C.mem");
    whole.base = Cell::Missing;
    whole.ratio = None;
    whole.head = Cell::Number {
        value: Json::Int(7),
        spread: Some(0.5),
    };
    let mut comparison = comparison(vec![slow, failed, whole]);
    comparison.absent = vec![AbsentBenchmark {
        benchmark: "bench.gone".to_owned(),
        absence: Absence::Gone,
    }];
    comparison.differences = vec![Difference {
        what: "python".to_owned(),
        base: "3.11".to_owned(),
        head: "3.12".to_owned(),
    }];
    comparison.remarks = vec!["weak".to_owned()];
    comparison
}

fn document(comparison: &Comparison) -> Value {
    serde_json::to_value(ComparisonDocument::new(comparison)).unwrap()
}

fn read(value: Value) -> Result<Comparison, String> {
    let document: ComparisonDocument =
        serde_json::from_value(value).map_err(|error| error.to_string())?;
    document.checked(false).map_err(|error| error.to_string())
}

#[test]
fn a_comparison_comes_back_as_it_was() {
    let comparison = full();
    assert_eq!(read(document(&comparison)), Ok(comparison));
}

#[test]
fn what_is_not_finite_and_what_is_no_number_come_back() {
    let mut odd = row("a");
    odd.ratio = None;
    odd.base = Cell::Number {
        value: Json::Float(f64::INFINITY),
        spread: None,
    };
    odd.head = Cell::Other(Json::Array(vec![Json::Int(1)]));
    let back = read(document(&comparison(vec![odd]))).unwrap();
    assert_eq!(back.rows[0].base.as_f64(), Some(f64::INFINITY));
    assert_eq!(
        back.rows[0].head,
        Cell::Other(Json::String("[1]".to_owned()))
    );
}

#[test]
fn long_texts_are_cut_by_the_writer_and_refused_by_the_reader() {
    let mut long = full();
    long.rows[0].benchmark = "x".repeat(5_000);
    long.rows[0].reason = "y".repeat(5_000);
    long.remarks = vec!["z".repeat(5_000); 100];
    let written = document(&long);
    assert!(read(written.clone()).is_ok());
    for (pointer, text) in [
        ("/rows/0/benchmark", "x".repeat(301)),
        ("/rows/0/unit", "x".repeat(61)),
        ("/rows/0/reason", "x".repeat(501)),
        ("/rows/0/params/0/1", "x".repeat(201)),
        ("/remarks/0", "x".repeat(501)),
        ("/head/machine", "x".repeat(301)),
    ] {
        let mut value = written.clone();
        *value.pointer_mut(pointer).unwrap() = json!(text);
        let error = read(value).unwrap_err();
        assert!(
            error.contains("the text has more than"),
            "{pointer}: {error}"
        );
    }
}

#[test]
fn every_number_has_a_range() {
    for (pointer, number) in [
        ("/rows/0/head/value", json!(-1.0)),
        ("/rows/0/head/value", json!(2e9)),
        ("/rows/0/ratio", json!(0.0)),
        ("/rows/0/ratio", json!(-1.5)),
        ("/rows/0/confidence/level", json!(1.5)),
        ("/rows/0/confidence/high", json!(0.1)),
        ("/rows/0/confidence/resolution", json!(-0.1)),
        ("/rows/0/alert", json!(0.5)),
        ("/rows/2/head/spread", json!(-1.0)),
    ] {
        let mut value = document(&full());
        *value.pointer_mut(pointer).unwrap() = number;
        let error = read(value).unwrap_err();
        assert!(error.contains("is not between"), "{pointer}: {error}");
    }
}

#[test]
fn what_does_not_fit_together_is_refused() {
    for (pointer, thing, expected) in [
        ("/rows/0/ratio", json!(1.2), "not that of the values"),
        ("/rows/1/ratio", json!(1.0), "without two numbers"),
        ("/rows/0/verdict", json!("great"), "none of those"),
        ("/rows/0/metric", json!("<b>"), "none of those"),
        ("/head/commit", json!("main"), "no full hash"),
        ("/head/commit", json!("A".repeat(40)), "no full hash"),
        ("/base", Value::Null, "the comparison has none"),
        ("/rows/1/benchmark", json!("bench.A.time_x"), "a second row"),
    ] {
        let mut value = document(&full());
        *value.pointer_mut(pointer).unwrap() = thing;
        let error = read(value).unwrap_err();
        assert!(error.contains(expected), "{pointer}: {error}");
    }
    let mut value = document(&full());
    value["markdown"] = json!("# hello");
    assert!(read(value).unwrap_err().contains("unknown field"));
    let mut value = document(&full());
    value["rows"][0]["html"] = json!("<b>");
    assert!(read(value).unwrap_err().contains("unknown field"));
}

#[test]
fn too_many_rows_are_refused_and_unchanged_ones_can_be_left_out() {
    let rows = (0..20_001).map(|at| row(&format!("b{at}"))).collect();
    let mut document = ComparisonDocument::new(&comparison(rows));
    let error = document.checked(false).unwrap_err().to_string();
    assert_eq!(error, "rows: there are more than 20000");
    document.without_unchanged();
    let back = document.checked(false).unwrap();
    assert!(back.rows.is_empty());
    assert!(back.remarks[0].starts_with("20001 rows that stayed the same"));
}
