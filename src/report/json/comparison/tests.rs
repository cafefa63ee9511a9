use serde_json::json;

use super::*;
use crate::report::row::{Absence, AbsentBenchmark, Alert, Cell, Difference, Mark, Strength};
use crate::report::testing::{acceptance, changed, comparison as example, row};

#[test]
fn everything_is_in_the_document() {
    let slower = Row {
        params: vec![("n".into(), "é".repeat(300))],
        confidence: Some(Confidence {
            low: 1.1,
            high: f64::INFINITY,
            level: 0.99,
            resolution: 0.018,
            strength: Strength::Weak,
            history: 4,
        }),
        alert: Some(Alert { limit: 1.1 }),
        reason: "one process a side".into(),
        mark: Mark::Worse,
        ..changed("m.C.time_run", 1.0, 1.25, Verdict::Slower)
    };
    let failed = Row {
        head: Cell::Failed {
            reason: Some("boom".into()),
        },
        ratio: None,
        verdict: Verdict::Failed,
        ..row("m.C.time_x")
    };
    let mut given = example(vec![slower, failed]);
    given.absent.push(AbsentBenchmark {
        benchmark: "m.old".into(),
        absence: Absence::NotSelected,
    });
    given.differences.push(Difference {
        what: "ram".into(),
        base: "7GB".into(),
        head: "8GB".into(),
    });
    given.remarks.push("a remark".into());
    given
        .accepted
        .push(acceptance("m.C.*", Some("m.C.time_run")));
    let text = comparison(&given, &ReportSettings::default());
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["format"], 1);
    assert_eq!(document["kind"], "comparison");
    assert_eq!(document["worst"], "failed");
    assert_eq!(document["base"]["commit"], "a".repeat(40));
    assert_eq!(document["head"]["name"], "HEAD");
    assert_eq!(document["counts"]["slower"], 1);
    assert_eq!(document["counts"]["not-measured"], 0);
    assert_eq!(
        document["counts"].as_object().unwrap().len(),
        Verdict::ALL.len()
    );
    assert_eq!(document["alerts"], 1);
    assert_eq!(document["weak"], 1);
    assert_eq!(
        document["resolution"],
        json!({"smallest": 0.018, "median": 0.018, "largest": 0.018, "rows": 1})
    );
    assert_eq!(
        document["rows"][0],
        json!({
            "benchmark": "m.C.time_run",
            "combination": 0,
            "params": [{"name": "n", "value": "é".repeat(300)}],
            "group": "m.C",
            "statistic": "run time",
            "metric": "time",
            "unit": "seconds",
            "better": "lower",
            "base": {"kind": "number", "value": 1.0, "spread": null},
            "head": {"kind": "number", "value": 1.25, "spread": null},
            "ratio": 1.25,
            "estimator": "median",
            "verdict": "slower",
            "reason": "one process a side",
            "confidence": {
                "low": 1.1, "high": "inf", "level": 0.99, "resolution": 0.018,
                "strength": "weak", "history": 4
            },
            "alert": {"limit": 1.1},
            "accepted": true,
            "mark": "worse",
            "uncertain": false,
            "flags": [],
        })
    );
    assert_eq!(
        document["rows"][1]["head"],
        json!({"kind": "failed", "reason": "boom"})
    );
    assert_eq!(document["rows"][1]["ratio"], Value::Null);
    assert_eq!(document["rows"][1]["alert"], Value::Null);
    assert_eq!(
        document["absent"],
        json!([{"benchmark": "m.old", "absence": "not-selected"}])
    );
    assert_eq!(
        document["differences"],
        json!([{"what": "ram", "base": "7GB", "head": "8GB"}])
    );
    assert_eq!(document["remarks"], json!(["a remark"]));
    assert_eq!(
        document["accepted"],
        json!([{
            "benchmarks": ["m.C.*"], "params": null, "up_to": 0.3, "reason": "exact now",
            "expires": "2027-01-31", "state": "used",
            "rows": [{"benchmark": "m.C.time_run", "combination": 0}], "beyond": []
        }])
    );
}

#[test]
fn without_a_baseline_base_is_null_and_nothing_is_good() {
    let given = Comparison {
        base: None,
        ..example(Vec::new())
    };
    let text = comparison(&given, &ReportSettings::default());
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["base"], Value::Null);
    assert_eq!(document["worst"], "not-measured");
    assert_eq!(document["resolution"], Value::Null);
    assert!(
        document["sentence"]
            .as_str()
            .unwrap()
            .starts_with("No comparison was possible")
    );
}
