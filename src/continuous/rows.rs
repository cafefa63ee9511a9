//! Verdicts of pairs in the rows of a comparison.

use crate::config::Better;
use crate::report::units::{percent, ratio};
use crate::report::{
    Cell, Comparison, Confidence, Estimator, Mark, Row, Strength, Verdict as Word,
};
use crate::results::{BenchmarkIndex, BenchmarkRecord};
use crate::stats::{Conclusion, PairedEvidence, PairedVerdict, e_discoveries};

use super::schedule::FALSE_DISCOVERY_RATE;
use super::track::{Track, Verdict};

/// The verdict of every track, corrected for their number: a change counts if it survives e-BH over
/// all of them.
pub fn judge(tracks: &[Track]) -> Vec<(Verdict, bool)> {
    let verdicts: Vec<Verdict> = tracks.iter().map(Track::verdict).collect();
    let e_values: Vec<f64> = verdicts
        .iter()
        .map(|verdict| match verdict {
            Verdict::Statistical(evidence, _) => evidence.change.e_value(),
            _ => 1.0,
        })
        .collect();
    let survive = e_discoveries(&e_values, FALSE_DISCOVERY_RATE);
    verdicts.into_iter().zip(survive).collect()
}

/// Puts what the pairs say in place of what the stored results would. Rows of exact metrics keep their
/// own verdict. A benchmark of which every pair was disturbed has no result, and gets a row that says so;
/// `index` knows its parameters.
pub fn with_verdicts(
    mut comparison: Comparison,
    tracks: &[Track],
    index: &BenchmarkIndex,
) -> Comparison {
    let judged = judge(tracks);
    for row in &mut comparison.rows {
        let found = tracks.iter().zip(&judged).find(|(track, _)| {
            track.benchmark == row.benchmark && track.combination == row.combination
        });
        if let Some((track, (verdict, survives))) = found {
            settle(row, track, verdict, *survives);
        }
    }
    let without_a_row = tracks.iter().zip(&judged).filter(|(track, (verdict, _))| {
        let is_its =
            |row: &Row| row.benchmark == track.benchmark && row.combination == track.combination;
        *verdict == Verdict::Contended && !comparison.rows.iter().any(is_its)
    });
    let more: Vec<Row> = without_a_row
        .map(|(track, (verdict, survives))| {
            let mut row = empty_row(track, index.benchmarks.get(&track.benchmark));
            settle(&mut row, track, verdict, *survives);
            row
        })
        .collect();
    if !more.is_empty() {
        comparison.rows.extend(more);
        let place = |row: &Row| (row.benchmark.clone(), row.combination);
        comparison.rows.sort_by_key(place);
    }
    comparison
}

/// The row of what has no result on either side.
fn empty_row(track: &Track, record: Option<&BenchmarkRecord>) -> Row {
    let params = record.map_or_else(Vec::new, |record| {
        let values = record.combination(track.combination);
        let name = |at: usize| {
            let known = record.param_names.get(at).cloned();
            known.unwrap_or_else(|| format!("param{}", at + 1))
        };
        let named = values.iter().enumerate();
        named
            .map(|(at, value)| (name(at), (*value).to_owned()))
            .collect()
    });
    Row {
        benchmark: track.benchmark.clone(),
        combination: track.combination,
        params,
        kind: track.kind,
        unit: record.map_or_else(String::new, |record| record.unit.clone()),
        better: if track.higher_is_better {
            Better::Higher
        } else {
            Better::Lower
        },
        base: Cell::Missing,
        head: Cell::Missing,
        ratio: None,
        estimator: Estimator::Median,
        verdict: Word::Inconclusive,
        reason: String::new(),
        confidence: None,
        alert: None,
        mark: Mark::Blank,
        uncertain: false,
        flags: Vec::new(),
    }
}

fn settle(row: &mut Row, track: &Track, verdict: &Verdict, survives: bool) {
    match verdict {
        Verdict::Statistical(evidence, conclusion) => {
            statistical(row, track, evidence, conclusion, survives);
        }
        Verdict::Exact { equal, base, head } => {
            let numbers = base.as_f64().zip(head.as_f64());
            row.ratio = numbers
                .filter(|(base, _)| *base != 0.0)
                .map(|(base, head)| head / base);
            row.estimator = Estimator::Median;
            row.confidence = None;
            let all = format!("in all {} pairs", track.pairs);
            (row.verdict, row.reason) = match (equal, numbers) {
                (true, _) => (Word::Same, format!("equal on both sides {all}")),
                (false, Some((base, head))) => {
                    let worse = (head > base) != track.higher_is_better;
                    let word = if worse { Word::Slower } else { Word::Faster };
                    (
                        word,
                        format!("compared exactly: the two sides differ {all}"),
                    )
                }
                (false, None) => (
                    Word::Inconclusive,
                    format!(
                        "another value than base {all}; it is no number, so nothing says which is better"
                    ),
                ),
            };
        }
        Verdict::Contended => {
            row.verdict = Word::Inconclusive;
            row.confidence = None;
            row.reason = format!(
                "{} of {} pairs were disturbed, so that they do not count: {}",
                track.voids,
                track.voids + track.pairs,
                track.void_reason.as_deref().unwrap_or("by the host")
            );
        }
        Verdict::Nothing => {}
    }
}

fn statistical(
    row: &mut Row,
    track: &Track,
    evidence: &PairedEvidence,
    conclusion: &Conclusion,
    survives: bool,
) {
    // The ratio is that of the values: for what is better when larger it was turned over.
    let sign = if track.higher_is_better { -1.0 } else { 1.0 };
    row.ratio = Some((sign * evidence.estimate).exp());
    row.estimator = Estimator::Floor;
    row.confidence = Some(confidence(evidence, conclusion, sign));
    let size = percent(evidence.estimate.exp_m1().abs());
    let limit = percent(track.rule.minimum_effect);
    let pairs = format!("{} pairs", evidence.pairs);
    (row.verdict, row.reason) = match conclusion.verdict {
        PairedVerdict::Slower | PairedVerdict::Faster if !survives => (
            Word::Inconclusive,
            format!(
                "changed by {size} over {pairs}, but not clearly enough among so many benchmarks; \
                 more pairs of it alone would tell"
            ),
        ),
        PairedVerdict::Slower => (Word::Slower, format!("slower by {size} over {pairs}")),
        PairedVerdict::Faster => (Word::Faster, format!("faster by {size} over {pairs}")),
        PairedVerdict::Same if conclusion.small => {
            let word = if conclusion.shown > 0 {
                "slower"
            } else {
                "faster"
            };
            (
                Word::Same,
                format!("{word} by {size} over {pairs}, which is below the limit of {limit}"),
            )
        }
        PairedVerdict::Same => (
            Word::Same,
            format!("within {limit} of each other over {pairs}"),
        ),
        PairedVerdict::Inconclusive => (
            Word::Inconclusive,
            format!(
                "{pairs} were not enough: the estimate is {}, and about {} more would show {limit}",
                ratio(row.ratio),
                conclusion.more_pairs.unwrap_or_default()
            ),
        ),
    };
}

fn confidence(evidence: &PairedEvidence, conclusion: &Conclusion, sign: f64) -> Confidence {
    let (low, high) = match evidence.interval {
        Some(interval) if sign > 0.0 => (interval.low.exp(), interval.high.exp()),
        Some(interval) => ((-interval.high).exp(), (-interval.low).exp()),
        None => (0.0, f64::INFINITY),
    };
    Confidence {
        low,
        high,
        level: evidence.interval.map_or(0.99, |interval| interval.level),
        resolution: conclusion.resolution,
        strength: if evidence.interval.is_some() {
            Strength::Firm
        } else {
            Strength::Weak
        },
        history: 0,
    }
}
