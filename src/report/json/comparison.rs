//! `compare --format json`.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::config::{Better, ReportSettings};
use crate::report::group::groups;
use crate::report::order::display_name;
use crate::report::row::{Comparison, Confidence, Row, Side, Verdict};
use crate::report::verdict::{Resolution, Summary, sentence, worst};

use super::value::{CellDocument, Number, Parameter, parameters};
use super::{FORMAT, print};

/// A whole comparison, all rows and full texts.
pub fn comparison(comparison: &Comparison, settings: &ReportSettings) -> String {
    let summary = Summary::of(&comparison.rows);
    let labels = labels(comparison, settings);
    print(&Document {
        format: FORMAT,
        kind: "comparison",
        sentence: sentence(comparison, display_name),
        worst: worst(&comparison.rows).key(),
        base: comparison.base.as_ref().map(SideDocument::from),
        head: (&comparison.head).into(),
        counts: Verdict::ALL
            .into_iter()
            .map(|verdict| (verdict.key().to_owned(), summary.count(verdict).into()))
            .collect(),
        alerts: summary.alerts,
        weak: summary.weak,
        resolution: summary.resolution.map(ResolutionDocument::from),
        rows: comparison
            .rows
            .iter()
            .map(|row| RowDocument::new(row, &labels))
            .collect(),
        absent: comparison
            .absent
            .iter()
            .map(|absent| AbsentDocument {
                benchmark: &absent.benchmark,
                absence: absent.absence.key(),
            })
            .collect(),
        differences: comparison
            .differences
            .iter()
            .map(|difference| DifferenceDocument {
                what: &difference.what,
                base: &difference.base,
                head: &difference.head,
            })
            .collect(),
        remarks: &comparison.remarks,
    })
}

/// Group and statistic of each row.
type Labels<'a> = HashMap<(&'a str, usize), (String, String)>;

fn labels<'a>(comparison: &'a Comparison, settings: &ReportSettings) -> Labels<'a> {
    let mut labels = HashMap::with_capacity(comparison.rows.len());
    for group in groups(&comparison.rows, settings) {
        for line in group.lines {
            let key = (line.row.benchmark.as_str(), line.row.combination);
            labels.insert(key, (group.label.clone(), line.statistic));
        }
    }
    labels
}

#[derive(Debug, Serialize)]
struct Document<'a> {
    format: u32,
    kind: &'static str,
    sentence: String,
    worst: &'static str,
    base: Option<SideDocument<'a>>,
    head: SideDocument<'a>,
    counts: Map<String, Value>,
    alerts: usize,
    weak: usize,
    resolution: Option<ResolutionDocument>,
    rows: Vec<RowDocument<'a>>,
    absent: Vec<AbsentDocument<'a>>,
    differences: Vec<DifferenceDocument<'a>>,
    remarks: &'a [String],
}

#[derive(Debug, Serialize)]
pub(super) struct SideDocument<'a> {
    commit: &'a str,
    name: Option<&'a str>,
    machine: &'a str,
    environment: &'a str,
}

impl<'a> From<&'a Side> for SideDocument<'a> {
    fn from(side: &'a Side) -> Self {
        Self {
            commit: &side.commit,
            name: side.name.as_deref(),
            machine: &side.machine,
            environment: &side.environment,
        }
    }
}

#[derive(Debug, Serialize)]
struct ResolutionDocument {
    smallest: Number,
    median: Number,
    largest: Number,
    rows: usize,
}

impl From<Resolution> for ResolutionDocument {
    fn from(resolution: Resolution) -> Self {
        Self {
            smallest: Number(resolution.smallest),
            median: Number(resolution.median),
            largest: Number(resolution.largest),
            rows: resolution.rows,
        }
    }
}

#[derive(Debug, Serialize)]
struct RowDocument<'a> {
    benchmark: &'a str,
    combination: usize,
    params: Vec<Parameter<'a>>,
    group: Option<&'a str>,
    statistic: Option<&'a str>,
    metric: &'static str,
    unit: &'a str,
    better: &'static str,
    base: CellDocument,
    head: CellDocument,
    ratio: Option<Number>,
    estimator: &'static str,
    verdict: &'static str,
    reason: &'a str,
    confidence: Option<ConfidenceDocument>,
    alert: Option<AlertDocument>,
    mark: &'static str,
    uncertain: bool,
    flags: &'a [String],
}

impl<'a> RowDocument<'a> {
    fn new(row: &'a Row, labels: &'a Labels<'_>) -> Self {
        let label = labels.get(&(row.benchmark.as_str(), row.combination));
        Self {
            benchmark: &row.benchmark,
            combination: row.combination,
            params: parameters(&row.params),
            group: label.map(|(group, _)| group.as_str()),
            statistic: label.map(|(_, statistic)| statistic.as_str()),
            metric: row.kind.key(),
            unit: &row.unit,
            better: match row.better {
                Better::Lower => "lower",
                Better::Higher => "higher",
            },
            base: (&row.base).into(),
            head: (&row.head).into(),
            ratio: row.ratio.map(Number),
            estimator: row.estimator.key(),
            verdict: row.verdict.key(),
            reason: &row.reason,
            confidence: row.confidence.map(ConfidenceDocument::from),
            alert: row.alert.map(|alert| AlertDocument {
                limit: Number(alert.limit),
            }),
            mark: row.mark.key(),
            uncertain: row.uncertain,
            flags: &row.flags,
        }
    }
}

#[derive(Debug, Serialize)]
struct ConfidenceDocument {
    low: Number,
    high: Number,
    level: Number,
    resolution: Number,
    strength: &'static str,
    history: usize,
}

impl From<Confidence> for ConfidenceDocument {
    fn from(confidence: Confidence) -> Self {
        Self {
            low: Number(confidence.low),
            high: Number(confidence.high),
            level: Number(confidence.level),
            resolution: Number(confidence.resolution),
            strength: confidence.strength.key(),
            history: confidence.history,
        }
    }
}

#[derive(Debug, Serialize)]
struct AlertDocument {
    limit: Number,
}

#[derive(Debug, Serialize)]
struct AbsentDocument<'a> {
    benchmark: &'a str,
    absence: &'static str,
}

#[derive(Debug, Serialize)]
struct DifferenceDocument<'a> {
    what: &'a str,
    base: &'a str,
    head: &'a str,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::report::row::{Absence, AbsentBenchmark, Alert, Cell, Difference, Mark, Strength};
    use crate::report::testing::{changed, comparison as example, row};

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
}
