//! The search: clip, cut, measure the noise again, cut again, weigh.

use std::ops::Range;

use crate::stats::quantile::as_float;
use crate::stats::{median, robust_sd};

use super::clip::{clipped, noise};
use super::evidence::evidence;
use super::model::{ChangePoint, FEWEST_POINTS, SHORTEST_SEGMENT, segments};
use super::segmentation::{Costs, best_cut};

/// Penalty of the first pass, in units of the usual 2 sigma^2 ln n.
const FIRST_PENALTY: f64 = 6.0;

/// The same of the second pass.
const PENALTY: f64 = 3.0;

/// A place is possible if its cost is within this share of the penalty of the best place's.
const SLACK: f64 = 1.0 / 3.0;

/// Smallest noise, as a share of the range: below it sums of squares lose their digits.
const SMALLEST_NOISE: f64 = 1e-4;

/// Largest correlation of neighbours that is believed.
const LARGEST_CORRELATION: f64 = 0.95;

/// The change points of a series of finite values (for times: their logarithms), in order; changes
/// of the level by less than `minimum_effect` are no change. Nothing is random: the same series
/// always gives the same points.
///
/// The algorithm: the noise sigma from the differences of neighbours; the series clipped to its
/// running median of 11 points, 3 sigma up and down, so that single spikes do not count; the best
/// cut into segments of five or more points under squared error with a penalty of 6 x 2 sigma^2 ln n
/// for each; from the residuals a robust scale s and the correlation rho of neighbours, since noise
/// that drifts looks like steps; the best cut under 3 x 2 sigma^2 ln n x max(1, (s/sigma)^2 (1 + rho) /
/// (1 - rho)). The penalty is that of Yao (1988) with room for what is not normal.
///
/// Which of the points are believed depends on how many were looked at: see `discoveries`.
pub fn change_points(series: &[f64], minimum_effect: f64) -> Vec<ChangePoint> {
    if series.len() < FEWEST_POINTS || series.iter().any(|value| !value.is_finite()) {
        return Vec::new();
    }
    let clean = clipped(series, noise(series));
    let lowest = clean.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = clean.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let range = highest - lowest;
    if range <= 0.0 || !range.is_finite() {
        return Vec::new();
    }
    // In units of the noise around the median: penalties are then plain numbers.
    let sigma = noise(series).max(SMALLEST_NOISE * range);
    let centre = median(&mut clean.clone()).unwrap_or(0.0);
    let scaled: Vec<f64> = clean.iter().map(|value| (value - centre) / sigma).collect();
    let costs = Costs::of(&scaled);
    let unit = 2.0 * as_float(scaled.len()).ln();
    let first = best_cut(&scaled, &costs, FIRST_PENALTY * unit);
    let penalty = PENALTY * unit * inflation(&scaled, &costs, &first);
    let mut cut = best_cut(&scaled, &costs, penalty);
    drop_short(series.len(), &costs, &mut cut);
    drop_small(series, &mut cut, minimum_effect);
    let segments = segments(series.len(), cut);
    segments
        .windows(2)
        .map(|pair| evidence(&scaled, &costs, &pair[0], &pair[1], SLACK * penalty))
        .collect()
}

/// How much larger than for independent noise of size one the penalty must be.
fn inflation(series: &[f64], costs: &Costs, cut: &[usize]) -> f64 {
    let mut residuals = Vec::with_capacity(series.len());
    let (mut products, mut squares) = (0.0, 0.0);
    for segment in segments(series.len(), cut.iter().copied()) {
        let mean = costs.mean(&segment);
        let from = residuals.len();
        residuals.extend(series[segment].iter().map(|value| value - mean));
        let own = &residuals[from..];
        products += own.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>();
        squares += own.iter().map(|value| value * value).sum::<f64>();
    }
    let rho = if squares > 0.0 {
        (products / squares).clamp(0.0, LARGEST_CORRELATION)
    } else {
        0.0
    };
    let scale = robust_sd(&mut residuals).unwrap_or(0.0);
    (scale * scale * (1.0 + rho) / (1.0 - rho)).max(1.0)
}

/// Takes out what would better begin or end within fewer points than a segment must have: a large
/// step that is too new drags points of the old level along, and its commit would be named wrongly.
fn drop_short(length: usize, costs: &Costs, cut: &mut Vec<usize>) {
    let mut index = 0;
    while index < cut.len() {
        let from = index.checked_sub(1).map_or(0, |before| cut[before]);
        let to = cut.get(index + 1).copied().unwrap_or(length);
        let cost = |place: &usize| costs.cost(&(from..*place)) + costs.cost(&(*place..to));
        let best = (from + 1..to).min_by(|one, other| cost(one).total_cmp(&cost(other)));
        let possible = from + SHORTEST_SEGMENT..=to - SHORTEST_SEGMENT;
        if best.is_some_and(|best| !possible.contains(&best) && cost(&best) < cost(&cut[index])) {
            cut.remove(index);
            // The neighbour before has a longer segment behind it now.
            index = index.saturating_sub(1);
        } else {
            index += 1;
        }
    }
}

/// Takes out the smallest change as long as it is below the minimum; what it separated becomes one
/// segment with a level of its own.
fn drop_small(series: &[f64], cut: &mut Vec<usize>, minimum_effect: f64) {
    let level = |segment: Range<usize>| median(&mut series[segment].to_vec()).unwrap_or(0.0);
    let segments = segments(series.len(), cut.iter().copied());
    let mut levels: Vec<f64> = segments.into_iter().map(level).collect();
    loop {
        let smallest = levels
            .windows(2)
            .map(|pair| (pair[1] - pair[0]).abs())
            .enumerate()
            .min_by(|one, other| one.1.total_cmp(&other.1));
        let Some((index, size)) = smallest else {
            return;
        };
        if size >= minimum_effect {
            return;
        }
        cut.remove(index);
        let from = index.checked_sub(1).map_or(0, |before| cut[before]);
        let to = cut.get(index).copied().unwrap_or(series.len());
        levels[index] = level(from..to);
        levels.remove(index + 1);
    }
}
