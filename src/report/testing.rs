//! Rows and comparisons for the unit tests of this room.

use crate::config::Better;
use crate::json::Json;

use super::accepted::{Acceptance, RowKey};
use super::row::{Cell, Comparison, Estimator, Mark, MetricKind, Row, Side, Verdict};

/// A time that stayed at one second.
pub(super) fn row(benchmark: &str) -> Row {
    Row {
        benchmark: benchmark.to_owned(),
        combination: 0,
        params: Vec::new(),
        kind: MetricKind::Time,
        unit: "seconds".to_owned(),
        better: Better::Lower,
        base: number(1.0),
        head: number(1.0),
        ratio: Some(1.0),
        estimator: Estimator::Median,
        verdict: Verdict::Same,
        reason: String::new(),
        confidence: None,
        alert: None,
        mark: Mark::Blank,
        uncertain: false,
        flags: Vec::new(),
    }
}

/// A time that went from `base` to `head` seconds.
pub(super) fn changed(benchmark: &str, base: f64, head: f64, verdict: Verdict) -> Row {
    Row {
        base: number(base),
        head: number(head),
        ratio: Some(head / base),
        verdict,
        ..row(benchmark)
    }
}

pub(super) fn number(value: f64) -> Cell {
    Cell::Number {
        value: Json::Float(value),
        spread: None,
    }
}

/// A comparison of two made-up commits.
pub(super) fn comparison(rows: Vec<Row>) -> Comparison {
    let side = |commit: &str, name: &str| Side {
        commit: commit.repeat(40),
        name: Some(name.to_owned()),
        machine: "gpu-01".to_owned(),
        environment: "existing-py_opt_python".to_owned(),
    };
    Comparison {
        base: Some(side("a", "main")),
        head: side("b", "HEAD"),
        rows,
        absent: Vec::new(),
        accepted: Vec::new(),
        differences: Vec::new(),
        remarks: Vec::new(),
    }
}

/// A declaration up to 30 %, which accepts this row.
pub(super) fn acceptance(pattern: &str, row: Option<&str>) -> Acceptance {
    Acceptance {
        benchmarks: vec![pattern.to_owned()],
        params: None,
        up_to: 0.3,
        reason: "exact now".to_owned(),
        expires: jiff::civil::date(2027, 1, 31),
        is_expired: false,
        is_about_something: true,
        rows: row
            .into_iter()
            .map(|benchmark| RowKey {
                benchmark: benchmark.to_owned(),
                combination: 0,
            })
            .collect(),
        beyond: Vec::new(),
    }
}
