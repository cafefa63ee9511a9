//! From a comparison to its document. Texts are cut to what the reader takes.

use crate::config::Better;
use crate::json::{self, Json};
use crate::report::row::{Cell, Comparison, Row, Side, Verdict};
use crate::report::shorten::shorten;

use super::document::{
    AbsentDocument, CellDocument, ComparisonDocument, ConfidenceDocument, DifferenceDocument,
    RowDocument, SideDocument,
};
use super::limits::{
    MOST_ABSENT, MOST_DIFFERENCES, MOST_FLAGS, MOST_PARAMETERS, MOST_REMARKS, NAME, PARAMETER,
    REASON, SENTENCE, WORD,
};

impl ComparisonDocument {
    /// The document of a comparison.
    pub fn new(comparison: &Comparison) -> Self {
        Self {
            base: comparison.base.as_ref().map(side),
            head: side(&comparison.head),
            rows: comparison.rows.iter().map(row).collect(),
            absent: comparison
                .absent
                .iter()
                .take(MOST_ABSENT)
                .map(|absent| AbsentDocument {
                    benchmark: shorten(&absent.benchmark, NAME),
                    absence: absent.absence.key().to_owned(),
                })
                .collect(),
            differences: comparison
                .differences
                .iter()
                .take(MOST_DIFFERENCES)
                .map(|difference| DifferenceDocument {
                    what: shorten(&difference.what, NAME),
                    base: shorten(&difference.base, NAME),
                    head: shorten(&difference.head, NAME),
                })
                .collect(),
            remarks: comparison
                .remarks
                .iter()
                .take(MOST_REMARKS)
                .map(|remark| shorten(remark, SENTENCE))
                .collect(),
        }
    }

    /// Leaves out the rows that stayed the same, for a document that is too large; says so.
    pub fn without_unchanged(&mut self) {
        let before = self.rows.len();
        self.rows.retain(|row| row.verdict != Verdict::Same.key());
        let left_out = before - self.rows.len();
        self.remarks.truncate(MOST_REMARKS - 1);
        self.remarks.push(format!(
            "{left_out} rows that stayed the same are left out, since there are too many to hand over"
        ));
    }
}

fn side(side: &Side) -> SideDocument {
    SideDocument {
        commit: side.commit.clone(),
        name: side.name.as_deref().map(|name| shorten(name, NAME)),
        machine: shorten(&side.machine, NAME),
        environment: shorten(&side.environment, NAME),
    }
}

fn row(row: &Row) -> RowDocument {
    RowDocument {
        benchmark: shorten(&row.benchmark, NAME),
        combination: row.combination,
        params: row
            .params
            .iter()
            .take(MOST_PARAMETERS)
            .map(|(name, value)| (shorten(name, PARAMETER), shorten(value, PARAMETER)))
            .collect(),
        metric: row.kind.key().to_owned(),
        unit: shorten(&row.unit, WORD),
        better: match row.better {
            Better::Lower => "lower",
            Better::Higher => "higher",
        }
        .to_owned(),
        base: cell(&row.base),
        head: cell(&row.head),
        ratio: row.ratio.filter(|ratio| ratio.is_finite() && *ratio > 0.0),
        estimator: row.estimator.key().to_owned(),
        verdict: row.verdict.key().to_owned(),
        reason: shorten(&row.reason, SENTENCE),
        confidence: row
            .confidence
            .filter(|confidence| {
                [confidence.low, confidence.high, confidence.resolution]
                    .iter()
                    .all(|number| number.is_finite())
            })
            .map(|confidence| ConfidenceDocument {
                low: confidence.low,
                high: confidence.high,
                level: confidence.level,
                resolution: confidence.resolution,
                strength: confidence.strength.key().to_owned(),
                history: confidence.history,
            }),
        alert: row.alert.map(|alert| alert.limit),
        mark: row.mark.key().to_owned(),
        uncertain: row.uncertain,
        flags: row
            .flags
            .iter()
            .take(MOST_FLAGS)
            .map(|flag| shorten(flag, WORD))
            .collect(),
    }
}

fn cell(cell: &Cell) -> CellDocument {
    let cut = |reason: &Option<String>| reason.as_deref().map(|reason| shorten(reason, REASON));
    match cell {
        Cell::Number { value, spread } => number(value, *spread),
        Cell::Other(value) => CellDocument::Other {
            value: shorten(&json::to_compact(value), PARAMETER),
        },
        Cell::Failed { reason } => CellDocument::Failed {
            reason: cut(reason),
        },
        Cell::Skipped { reason } => CellDocument::Skipped {
            reason: cut(reason),
        },
        Cell::Missing => CellDocument::Missing {},
    }
}

fn number(value: &Json, spread: Option<f64>) -> CellDocument {
    let spread = spread.filter(|spread| spread.is_finite());
    if let Json::Int(value) = value {
        let value = (*value).into();
        return CellDocument::Number { value, spread };
    }
    let float = value.as_f64().unwrap_or(f64::NAN);
    match serde_json::Number::from_f64(float) {
        Some(value) => CellDocument::Number { value, spread },
        None => CellDocument::NotFinite {
            value: if float.is_nan() {
                "nan"
            } else if float > 0.0 {
                "inf"
            } else {
                "-inf"
            }
            .to_owned(),
        },
    }
}
