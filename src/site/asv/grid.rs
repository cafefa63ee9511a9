//! The one line for a benchmark in asv's grid of small pictures.

use std::collections::BTreeMap;

use crate::json::Json;
use crate::stats::as_float;

use super::graphs::{Graph, number, revision_json};

/// More points than this are thinned.
const MOST_POINTS: usize = 384;

/// Gaps of at most this share of the points are bridged.
const BRIDGED: f64 = 0.1;

/// The geometric mean of all series of a benchmark, gaps bridged; nothing where no series has a number.
pub(super) fn summary(graphs: &[&Graph<'_>]) -> Json {
    let mut revisions: Vec<usize> = graphs
        .iter()
        .flat_map(|graph| graph.points.iter().map(|(revision, ..)| *revision))
        .collect();
    revisions.sort_unstable();
    revisions.dedup();
    let mut all: Vec<Vec<f64>> = Vec::new();
    for graph in graphs {
        for place in 0..graph.width() {
            let known: BTreeMap<usize, f64> = graph
                .points
                .iter()
                .map(|(revision, values, _)| (*revision, values[place]))
                .collect();
            let of = |revision| known.get(revision).copied().unwrap_or(f64::NAN);
            all.push(revisions.iter().map(of).collect());
        }
    }
    let bridged: Vec<Vec<f64>> = all.iter().map(|series| bridged(series)).collect();
    let points: Vec<(usize, f64)> = (0..revisions.len())
        .map(|at| {
            let is_known = all.iter().any(|series| !series[at].is_nan());
            let values = bridged.iter().map(|series| series[at]);
            let mean = geometric_mean(values.filter(|value| !value.is_nan()));
            (revisions[at], if is_known { mean } else { f64::NAN })
        })
        .collect();
    let points = thinned(points);
    let points = points
        .into_iter()
        .map(|(revision, value)| vec![revision_json(revision), number(value)].into());
    points.collect::<Vec<Json>>().into()
}

fn geometric_mean(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    if values.is_empty() {
        return f64::NAN;
    }
    let share = 1.0 / as_float(values.len());
    let size: f64 = values.iter().map(|value| value.abs().powf(share)).product();
    if values.iter().sum::<f64>() >= 0.0 {
        size
    } else {
        -size
    }
}

/// Short gaps between numbers filled by straight lines.
fn bridged(series: &[f64]) -> Vec<f64> {
    let mut filled = series.to_vec();
    let known: Vec<usize> = (0..series.len())
        .filter(|at| !series[*at].is_nan())
        .collect();
    let longest = (BRIDGED * as_float(known.len())).ceil();
    for pair in known.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let gap = to - from - 1;
        if gap == 0 || as_float(gap) > longest {
            continue;
        }
        for (at, value) in filled.iter_mut().enumerate().take(to).skip(from + 1) {
            let share = as_float(at - from) / as_float(to - from);
            *value = series[from] + (series[to] - series[from]) * share;
        }
    }
    filled
}

/// Means of neighbours, under the last revision of their stretch, where there are many points.
fn thinned(points: Vec<(usize, f64)>) -> Vec<(usize, f64)> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return points;
    };
    let width = (last.0 - first.0) / MOST_POINTS;
    if points.len() < MOST_POINTS || width < 1 {
        return points;
    }
    let mut out: Vec<(usize, f64)> = Vec::new();
    let mut start = first.0;
    let mut bin: Vec<f64> = Vec::new();
    let mut flush = |end: usize, bin: &mut Vec<f64>| {
        let count = as_float(bin.len());
        if !bin.is_empty() {
            out.push((end, bin.iter().sum::<f64>() / count));
        }
        bin.clear();
    };
    for (revision, value) in points {
        while revision >= start + width {
            start += width;
            flush(start, &mut bin);
        }
        if !value.is_nan() {
            bin.push(value);
        }
    }
    flush(start + width, &mut bin);
    out
}
