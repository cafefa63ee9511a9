//! `compare --format json`.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::config::{Better, ReportSettings};
use crate::report::accepted::{Acceptance, RowKey};
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
            .map(|row| RowDocument::new(row, comparison.is_accepted(row), &labels))
            .collect(),
        accepted: comparison
            .accepted
            .iter()
            .map(AcceptedDocument::from)
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
    accepted: Vec<AcceptedDocument<'a>>,
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
    accepted: bool,
    mark: &'static str,
    uncertain: bool,
    flags: &'a [String],
}

impl<'a> RowDocument<'a> {
    fn new(row: &'a Row, accepted: bool, labels: &'a Labels<'_>) -> Self {
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
            accepted,
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
struct AcceptedDocument<'a> {
    benchmarks: &'a [String],
    params: Option<&'a [String]>,
    up_to: Number,
    reason: &'a str,
    expires: String,
    state: &'static str,
    rows: Vec<KeyDocument<'a>>,
    beyond: Vec<KeyDocument<'a>>,
}

#[derive(Debug, Serialize)]
struct KeyDocument<'a> {
    benchmark: &'a str,
    combination: usize,
}

impl<'a> From<&'a Acceptance> for AcceptedDocument<'a> {
    fn from(acceptance: &'a Acceptance) -> Self {
        Self {
            benchmarks: &acceptance.benchmarks,
            params: acceptance.params.as_deref(),
            up_to: Number(acceptance.up_to),
            reason: &acceptance.reason,
            expires: acceptance.expires.to_string(),
            state: acceptance.state().key(),
            rows: acceptance.rows.iter().map(KeyDocument::from).collect(),
            beyond: acceptance.beyond.iter().map(KeyDocument::from).collect(),
        }
    }
}

impl<'a> From<&'a RowKey> for KeyDocument<'a> {
    fn from(key: &'a RowKey) -> Self {
        Self {
            benchmark: &key.benchmark,
            combination: key.combination,
        }
    }
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
mod tests;
