//! From a document of others to a comparison; everything is checked.

use std::collections::HashSet;

use crate::config::Better;
use crate::json::Json;
use crate::report::row::{
    Absence, AbsentBenchmark, Alert, Cell, Comparison, Confidence, Difference, Estimator, Mark,
    MetricKind, Row, Side, Strength, Verdict,
};

use super::document::{
    CellDocument, ComparisonDocument, ConfidenceDocument, RowDocument, SideDocument,
};
use super::limits::{
    LARGEST_RATIO, MOST_ABSENT, MOST_COMBINATIONS, MOST_DIFFERENCES, MOST_FLAGS, MOST_HISTORY,
    MOST_PARAMETERS, MOST_REMARKS, MOST_ROWS, NAME, PARAMETER, REASON, ROUNDING, Refused, SENTENCE,
    WORD, count, hash, number, range, text,
};

impl ComparisonDocument {
    /// The comparison, if everything in the document is as it may be. Ratios `of_pairs` are those of the
    /// pairs, and not of the values that are shown.
    pub fn checked(&self, of_pairs: bool) -> Result<Comparison, Refused> {
        count(self.rows.len(), MOST_ROWS, "rows")?;
        count(self.absent.len(), MOST_ABSENT, "absent")?;
        count(self.differences.len(), MOST_DIFFERENCES, "differences")?;
        count(self.remarks.len(), MOST_REMARKS, "remarks")?;
        let base = self
            .base
            .as_ref()
            .map(|base| side(base, "base"))
            .transpose()?;
        let has_base = base.is_some();
        let mut seen = HashSet::new();
        let mut rows = Vec::with_capacity(self.rows.len());
        for (at, document) in self.rows.iter().enumerate() {
            let place = format!("rows[{at}]");
            if !seen.insert((document.benchmark.as_str(), document.combination)) {
                return Err(Refused::new(
                    place,
                    "there is a second row of this benchmark",
                ));
            }
            rows.push(row(document, (has_base, of_pairs), &place)?);
        }
        Ok(Comparison {
            base,
            // A claim of a fork's job is not taken: who reports declares what is accepted.
            accepted: Vec::new(),
            head: side(&self.head, "head")?,
            rows,
            absent: self
                .absent
                .iter()
                .map(|absent| {
                    Ok(AbsentBenchmark {
                        benchmark: text(&absent.benchmark, NAME, "absent")?,
                        absence: word(
                            &absent.absence,
                            [Absence::NotSelected, Absence::Gone, Absence::NotRun],
                            Absence::key,
                            "absent",
                        )?,
                    })
                })
                .collect::<Result<_, Refused>>()?,
            differences: self
                .differences
                .iter()
                .map(|difference| {
                    Ok(Difference {
                        what: text(&difference.what, NAME, "differences")?,
                        base: text(&difference.base, NAME, "differences")?,
                        head: text(&difference.head, NAME, "differences")?,
                    })
                })
                .collect::<Result<_, Refused>>()?,
            remarks: self
                .remarks
                .iter()
                .map(|remark| text(remark, SENTENCE, "remarks"))
                .collect::<Result<_, Refused>>()?,
        })
    }
}

/// The thing that is written like this.
fn word<T: Copy, const N: usize>(
    written: &str,
    all: [T; N],
    key: impl Fn(T) -> &'static str,
    place: &str,
) -> Result<T, Refused> {
    all.into_iter()
        .find(|one| key(*one) == written)
        .ok_or_else(|| Refused::new(place, "a word is none of those that may be there"))
}

fn side(document: &SideDocument, place: &str) -> Result<Side, Refused> {
    Ok(Side {
        commit: hash(&document.commit, &format!("{place}.commit"))?,
        name: document
            .name
            .as_deref()
            .map(|name| text(name, NAME, &format!("{place}.name")))
            .transpose()?,
        machine: text(&document.machine, NAME, &format!("{place}.machine"))?,
        environment: text(&document.environment, NAME, &format!("{place}.environment"))?,
    })
}

fn row(
    document: &RowDocument,
    (has_base, of_pairs): (bool, bool),
    place: &str,
) -> Result<Row, Refused> {
    count(document.params.len(), MOST_PARAMETERS, place)?;
    count(document.flags.len(), MOST_FLAGS, place)?;
    count(document.combination, MOST_COMBINATIONS, place)?;
    let kinds = [
        MetricKind::Time,
        MetricKind::Memory,
        MetricKind::GpuMemory,
        MetricKind::Compile,
        MetricKind::Count,
        MetricKind::Track,
    ];
    let kind = word(&document.metric, kinds, MetricKind::key, place)?;
    let marks = [
        Mark::Better,
        Mark::Fixed,
        Mark::Blank,
        Mark::Worse,
        Mark::Broken,
        Mark::Incomparable,
    ];
    let base = cell(&document.base, kind, place)?;
    let head = cell(&document.head, kind, place)?;
    if !has_base && base != Cell::Missing {
        return Err(Refused::new(
            place,
            "it has a base, and the comparison has none",
        ));
    }
    let estimator = word(
        &document.estimator,
        [Estimator::Median, Estimator::Floor],
        Estimator::key,
        place,
    )?;
    let ratio = document
        .ratio
        .map(|ratio| number(ratio, 1.0 / LARGEST_RATIO, LARGEST_RATIO, place))
        .transpose()?;
    if let Some(ratio) = ratio
        && !of_pairs
    {
        belongs(ratio, &base, &head, estimator, place)?;
    }
    let better = match document.better.as_str() {
        "lower" => Better::Lower,
        "higher" => Better::Higher,
        _ => {
            return Err(Refused::new(
                place,
                "a word is none of those that may be there",
            ));
        }
    };
    Ok(Row {
        benchmark: text(&document.benchmark, NAME, place)?,
        combination: document.combination,
        params: document
            .params
            .iter()
            .map(|(name, value)| {
                Ok((
                    text(name, PARAMETER, place)?,
                    text(value, PARAMETER, place)?,
                ))
            })
            .collect::<Result<_, Refused>>()?,
        kind,
        unit: text(&document.unit, WORD, place)?,
        better,
        base,
        head,
        ratio,
        estimator,
        verdict: word(&document.verdict, Verdict::ALL, Verdict::key, place)?,
        reason: text(&document.reason, SENTENCE, place)?,
        confidence: document
            .confidence
            .as_ref()
            .map(|document| confidence(document, place))
            .transpose()?,
        alert: document
            .alert
            .map(|limit| {
                let limit = number(limit, 1.0, LARGEST_RATIO, place)?;
                Ok::<_, Refused>(Alert { limit })
            })
            .transpose()?,
        mark: word(&document.mark, marks, Mark::key, place)?,
        uncertain: document.uncertain,
        flags: document
            .flags
            .iter()
            .map(|flag| text(flag, WORD, place))
            .collect::<Result<_, Refused>>()?,
    })
}

/// A ratio that is not that of its values would show one thing and judge another.
fn belongs(
    ratio: f64,
    base: &Cell,
    head: &Cell,
    estimator: Estimator,
    place: &str,
) -> Result<(), Refused> {
    let (Some(base), Some(head)) = (base.as_f64(), head.as_f64()) else {
        return Err(Refused::new(place, "it has a ratio without two numbers"));
    };
    let expected = head / base;
    let differs = (ratio / expected - 1.0).abs() > ROUNDING;
    // The floor estimator's ratio is of other numbers than the medians that are shown.
    if estimator == Estimator::Median && (differs || !expected.is_finite()) {
        return Err(Refused::new(place, "the ratio is not that of the values"));
    }
    Ok(())
}

fn confidence(document: &ConfidenceDocument, place: &str) -> Result<Confidence, Refused> {
    count(document.history, MOST_HISTORY, place)?;
    let low = number(document.low, 0.0, LARGEST_RATIO, place)?;
    Ok(Confidence {
        low,
        high: number(document.high, low, LARGEST_RATIO, place)?,
        level: number(document.level, 0.0, 1.0, place)?,
        resolution: number(document.resolution, 0.0, LARGEST_RATIO, place)?,
        strength: word(
            &document.strength,
            [Strength::Firm, Strength::Weak],
            Strength::key,
            place,
        )?,
        history: document.history,
    })
}

fn cell(document: &CellDocument, kind: MetricKind, place: &str) -> Result<Cell, Refused> {
    let reason = |reason: &Option<String>| {
        reason
            .as_deref()
            .map(|reason| text(reason, REASON, place))
            .transpose()
    };
    let (low, high) = range(kind);
    Ok(match document {
        CellDocument::Number { value, spread } => {
            let float = value.as_f64().unwrap_or(f64::NAN);
            number(float, low, high, place)?;
            let spread = spread
                .map(|spread| number(spread, 0.0, high, place))
                .transpose()?;
            let value = value.as_i64().map_or(Json::Float(float), Json::Int);
            Cell::Number { value, spread }
        }
        CellDocument::NotFinite { value } => {
            let float = match value.as_str() {
                "nan" => f64::NAN,
                "inf" => f64::INFINITY,
                "-inf" => f64::NEG_INFINITY,
                _ => {
                    let what = "a word is none of those that may be there";
                    return Err(Refused::new(place, what));
                }
            };
            Cell::Number {
                value: Json::Float(float),
                spread: None,
            }
        }
        CellDocument::Other { value } => Cell::Other(Json::String(text(value, PARAMETER, place)?)),
        CellDocument::Failed { reason: of } => Cell::Failed {
            reason: reason(of)?,
        },
        CellDocument::Skipped { reason: of } => Cell::Skipped {
            reason: reason(of)?,
        },
        CellDocument::Missing {} => Cell::Missing,
    })
}
