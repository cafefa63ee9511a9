//! The steps that asv finds in a series: pieces of constant level with the least weighted absolute
//! deviation and a price for each, where the price is the one that a score like BIC likes best.
//!
//! `changes` finds changes by its own, better rule (`docs/history.md`); this one is here so that files
//! for readers of asv's sites say what asv would.

use std::cell::RefCell;
use std::collections::HashMap;

/// Pieces are at most this long until they are joined, and a border moves at most this far.
const REACH: usize = 20;

/// The golden ratio, the smaller one.
const RATIO: f64 = 0.618_033_988_749_894_9;

/// A level of a series. Positions are those in the list that was searched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Step {
    pub(super) left: usize,
    /// The first position after it.
    pub(super) right: usize,
    pub(super) value: f64,
    pub(super) least: f64,
    /// Mean absolute deviation.
    pub(super) error: f64,
}

/// The steps of a series; what is no number, or has a weight that is not positive, is left out.
pub(super) fn steps(values: &[f64], weights: &[Option<f64>]) -> Vec<Step> {
    let kept: Vec<usize> = (0..values.len())
        .filter(|at| !values[*at].is_nan() && weights[*at].is_none_or(|weight| weight > 0.0))
        .collect();
    if kept.is_empty() {
        return Vec::new();
    }
    let known = values
        .iter()
        .zip(weights)
        .filter(|(value, _)| !value.is_nan());
    let typical = middle(known.filter_map(|(_, weight)| *weight).collect());
    let series = Series {
        values: kept.iter().map(|at| values[*at]).collect(),
        weights: kept
            .iter()
            .map(|at| weights[*at].map_or(1.0, |weight| weight / typical))
            .collect(),
        known: RefCell::default(),
    };
    let pieces = series.best_pieces();
    let mut left = 0;
    pieces
        .into_iter()
        .map(|right| {
            let of = &series.values[left..right];
            let (value, distance) = series.level(left, right - 1);
            let step = Step {
                left: kept[left],
                right: kept[right - 1] + 1,
                value,
                least: of.iter().copied().fold(f64::INFINITY, f64::min),
                error: distance / count(right - left),
            };
            left = right;
            step
        })
        .collect()
}

fn middle(mut values: Vec<f64>) -> f64 {
    let median = crate::stats::median(&mut values);
    median.filter(|median| *median > 0.0).unwrap_or(1.0)
}

#[expect(clippy::cast_precision_loss, reason = "a number of commits")]
fn count(number: usize) -> f64 {
    number as f64
}

struct Series {
    values: Vec<f64>,
    weights: Vec<f64>,
    /// Level and deviation of ranges that were asked for.
    known: RefCell<HashMap<(usize, usize), (f64, f64)>>,
}

impl Series {
    /// Weighted median of the values from `left` to `right`, and the deviation from it.
    fn level(&self, left: usize, right: usize) -> (f64, f64) {
        if let Some(known) = self.known.borrow().get(&(left, right)) {
            return *known;
        }
        let mut order: Vec<usize> = (left..=right).collect();
        order.sort_by(|one, other| self.values[*one].total_cmp(&self.values[*other]));
        let half = order.iter().map(|at| self.weights[*at]).sum::<f64>() / 2.0;
        let mut sum = 0.0;
        let mut value = self.values[order[order.len() - 1]];
        for (place, at) in order.iter().enumerate() {
            sum += self.weights[*at];
            if sum >= half {
                value = self.values[*at];
                if let Some(next) = order.get(place + 1)
                    && (sum - half).abs() <= f64::EPSILON * half
                {
                    value = f64::midpoint(value, self.values[*next]);
                }
                break;
            }
        }
        let distance = (left..=right)
            .map(|at| self.weights[at] * (self.values[at] - value).abs())
            .sum();
        self.known
            .borrow_mut()
            .insert((left, right), (value, distance));
        (value, distance)
    }

    fn distance(&self, left: usize, right: usize) -> f64 {
        self.level(left, right).1
    }

    /// Where the best pieces end.
    fn best_pieces(&self) -> Vec<usize> {
        let length = self.values.len();
        let whole = self.distance(0, length - 1);
        let unit = if whole > 0.0 { whole } else { 1.0 };
        let lowest = (0.1 / count(length)).ln();
        let mut best: Option<(f64, Vec<usize>)> = None;
        let mut score = |exponent: f64| {
            let pieces = self.pieces(unit * exponent.exp());
            let score = self.score(&pieces);
            if best.as_ref().is_none_or(|(least, _)| score < *least) {
                best = Some((score, pieces));
            }
            score
        };
        golden(&mut score, (lowest, 0.0), 0.1 * lowest.abs(), 0.0, true);
        best.map_or_else(|| vec![length], |(_, pieces)| pieces)
    }

    /// The pieces at this price for each.
    fn pieces(&self, price: f64) -> Vec<usize> {
        let mut ends = self.short_pieces(price);
        self.join(price, &mut ends);
        self.move_borders(&mut ends);
        ends
    }

    fn short_pieces(&self, price: f64) -> Vec<usize> {
        let length = self.values.len();
        let mut least = vec![-price];
        let mut lefts = vec![0];
        for right in 1..=length {
            let (mut best, mut left) = (f64::INFINITY, 0);
            let first = right.saturating_sub(REACH);
            for (from, cost) in least.iter().enumerate().take(right).skip(first) {
                let cost = cost + price + self.distance(from, right - 1);
                if cost <= best {
                    (best, left) = (cost, from);
                }
            }
            least.push(best);
            lefts.push(left);
        }
        let mut ends = Vec::new();
        let mut right = length;
        while right > 0 {
            ends.push(right);
            right = lefts[right];
        }
        ends.reverse();
        ends
    }

    /// Joins neighbours while that pays.
    fn join(&self, price: f64, ends: &mut Vec<usize>) {
        loop {
            let mut best = 0.0;
            let mut place = None;
            let mut left = 0;
            for at in 1..ends.len() {
                if place.is_some_and(|place| at > place + 2) {
                    break;
                }
                let (border, right) = (ends[at - 1], ends[at]);
                let apart = self.distance(left, border - 1) + self.distance(border, right - 1);
                let change = self.distance(left, right - 1) - (apart + price);
                if change <= best {
                    (best, place) = (change, Some(at - 1));
                }
                left = border;
            }
            match place {
                Some(place) => {
                    ends.remove(place);
                }
                None => return,
            }
        }
    }

    /// Moves each border to where both pieces fit best.
    fn move_borders(&self, ends: &mut [usize]) {
        for at in 1..ends.len() {
            let left = at.checked_sub(2).map_or(0, |before| ends[before]);
            let (border, right) = (ends[at - 1], ends[at]);
            let cost =
                |border: usize| self.distance(left, border - 1) + self.distance(border, right - 1);
            let first = border.saturating_sub(REACH).max(left + 1);
            let last = (border + REACH).min(right - 1);
            let (mut best, mut least) = (border, cost(border));
            for candidate in first..=last {
                let cost = cost(candidate);
                if cost < least {
                    (best, least) = (candidate, cost);
                }
            }
            ends[at - 1] = best;
        }
    }

    /// The score of pieces: a price for each, and what is left over, neighbours being alike.
    fn score(&self, ends: &[usize]) -> f64 {
        let length = count(self.values.len());
        let mut levels = Vec::new();
        let mut residuals = Vec::with_capacity(self.values.len());
        let mut left = 0;
        for right in ends {
            let (level, _) = self.level(left, *right - 1);
            levels.push(level);
            residuals.extend(self.values[left..*right].iter().map(|value| value - level));
            left = *right;
        }
        let floor = if levels.len() > 2 {
            let steps = levels.windows(2).map(|pair| (pair[1] - pair[0]).abs());
            0.1 * steps.fold(f64::INFINITY, f64::min)
        } else {
            let sizes = self.values.iter().map(|value| value.abs());
            0.001 * sizes.fold(f64::INFINITY, f64::min)
        };
        let mut least = f64::INFINITY;
        let mut left_over = |rho: f64| {
            let rest: f64 = (1..residuals.len())
                .map(|at| self.weights[at] * (residuals[at] - rho * residuals[at - 1]).abs())
                .sum();
            let sum = residuals[0].abs() * self.weights[0] + rest;
            least = least.min(sum);
            sum
        };
        golden(&mut left_over, (-1.0, 1.0), 0.05, 1e-8, true);
        let beta = 4.0 * length.ln() / length;
        beta * count(ends.len()) + (floor + least).max(1e-300).ln()
    }
}

/// Looks for the least value of a function between bounds by golden sections.
fn golden(
    function: &mut dyn FnMut(f64) -> f64,
    (low, high): (f64, f64),
    width: f64,
    difference: f64,
    at_bounds: bool,
) {
    let (mut outer_low, mut outer_high) = (low, high);
    if at_bounds {
        // So that the first two places are the bounds themselves.
        let spread = 2.0 * RATIO - 1.0;
        outer_low = (RATIO * low - (1.0 - RATIO) * high) / spread;
        outer_high = (RATIO * high - (1.0 - RATIO) * low) / spread;
    }
    let inner = |near: f64, far: f64| RATIO * near + (1.0 - RATIO) * far;
    let mut one = inner(outer_low, outer_high);
    let mut other = inner(outer_high, outer_low);
    let (mut at_one, mut at_other) = (function(one), function(other));
    while (outer_high - outer_low).abs() >= width {
        let size = at_one.abs().max(at_other.abs());
        if difference > 0.0 && (at_one - at_other).abs() < difference * size {
            break;
        }
        if at_other < at_one {
            outer_low = one;
            one = other;
            other = inner(other, outer_high);
            at_one = at_other;
            at_other = function(other);
        } else {
            outer_high = other;
            other = one;
            one = inner(one, outer_low);
            at_other = at_one;
            at_one = function(one);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(values: &[f64]) -> Vec<(usize, usize, f64, f64, f64)> {
        let steps = steps(values, &vec![None; values.len()]);
        let parts = |step: &Step| (step.left, step.right, step.value, step.least, step.error);
        steps.iter().map(parts).collect()
    }

    #[test]
    fn steps_are_those_that_asv_finds() {
        let plain = [1.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0, 1.0, 3.0, 3.0, 3.0];
        let expected = [
            (0, 3, 1.0, 1.0, 0.0),
            (3, 4, 2.0, 2.0, 0.0),
            (4, 8, 1.0, 1.0, 0.0),
            (8, 11, 3.0, 3.0, 0.0),
        ];
        assert_eq!(found(&plain), expected);
        let gap = [1.0, 1.0, 1.0, 1.0, 1.0, f64::NAN, 1.0, 3.0, 3.0, 3.0];
        assert_eq!(found(&gap), [(0, 7, 1.0, 1.0, 0.0), (7, 10, 3.0, 3.0, 0.0)]);
        assert_eq!(found(&[]), []);
        assert_eq!(found(&[f64::NAN]), []);
        assert_eq!(found(&[2.5]), [(0, 1, 2.5, 2.5, 0.0)]);
    }

    #[test]
    fn what_has_no_weight_is_left_out() {
        let values = [1.0, 9.0, 1.0, 1.0];
        let weights = [None, Some(0.0), Some(2.0), None];
        let steps = steps(&values, &weights);
        assert_eq!((steps.len(), steps[0].right, steps[0].value), (1, 4, 1.0));
    }
}
