//! The best cut of a series into segments of one level each.

use std::ops::Range;

use crate::stats::quantile::as_float;

use super::model::SHORTEST_SEGMENT;

/// Sums over the beginnings of a series, from which the cost of any segment follows at once.
#[derive(Debug)]
pub(super) struct Costs {
    sums: Vec<f64>,
    squares: Vec<f64>,
}

impl Costs {
    /// `series` should have its median at zero, or digits are lost.
    pub(super) fn of(series: &[f64]) -> Self {
        let running = |value: &dyn Fn(f64) -> f64| {
            let mut sum = 0.0;
            let mut sums = vec![0.0];
            sums.extend(series.iter().map(|point| {
                sum += value(*point);
                sum
            }));
            sums
        };
        Self {
            sums: running(&|point| point),
            squares: running(&|point| point * point),
        }
    }

    fn sum(&self, segment: &Range<usize>) -> f64 {
        self.sums[segment.end] - self.sums[segment.start]
    }

    fn square(&self, segment: &Range<usize>) -> f64 {
        self.squares[segment.end] - self.squares[segment.start]
    }

    /// The mean of a segment that is not empty.
    pub(super) fn mean(&self, segment: &Range<usize>) -> f64 {
        self.sum(segment) / as_float(segment.len())
    }

    /// The sum of squared distances to the mean of a segment that is not empty.
    pub(super) fn cost(&self, segment: &Range<usize>) -> f64 {
        let sum = self.sum(segment);
        (self.square(segment) - sum * sum / as_float(segment.len())).max(0.0)
    }
}

/// Levels, from `low` to `high`, for which the last segment best begins at `start`.
#[derive(Debug, Clone, Copy)]
struct Piece {
    low: f64,
    high: f64,
    start: usize,
}

/// Where the segments of the best cut begin, zero left out: the cut with the smallest sum of costs
/// and `penalty` for each beginning, every segment having at least [`SHORTEST_SEGMENT`] points.
///
/// Optimal partitioning with functional pruning (Maidstone, Hocking, Rigaill and Fearnhead 2017):
/// a beginning is kept only while it is the best one for some level. It becomes a candidate when its
/// segment is long enough; from then on all candidates get the same new points, so that what
/// separates two of them never changes. The result is exact, and the work does not grow with the
/// length of the segments.
pub(super) fn best_cut(series: &[f64], costs: &Costs, penalty: f64) -> Vec<usize> {
    let length = series.len();
    let lowest = series.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = series.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut best = vec![f64::INFINITY; length + 1];
    best[0] = -penalty;
    let mut starts = vec![0; length + 1];
    let mut pieces: Vec<Piece> = Vec::new();
    let mut spare: Vec<Piece> = Vec::new();
    for end in SHORTEST_SEGMENT..=length {
        let start = end - SHORTEST_SEGMENT;
        if best[start].is_finite() {
            if pieces.is_empty() {
                pieces.push(Piece {
                    low: lowest,
                    high: highest,
                    start,
                });
            } else {
                spare.clear();
                add_candidate(&pieces, start, &best, costs, &mut spare);
                std::mem::swap(&mut pieces, &mut spare);
            }
        }
        for piece in &pieces {
            let total = best[piece.start] + penalty + costs.cost(&(piece.start..end));
            if total < best[end] {
                best[end] = total;
                starts[end] = piece.start;
            }
        }
    }
    let mut cut = Vec::new();
    let mut end = length;
    while starts[end] > 0 {
        end = starts[end];
        cut.push(end);
    }
    cut.reverse();
    cut
}

/// Takes from each piece the levels for which `start` is better.
fn add_candidate(
    pieces: &[Piece],
    start: usize,
    best: &[f64],
    costs: &Costs,
    output: &mut Vec<Piece>,
) {
    let mut push = |low: f64, high: f64, start: usize| match output.last_mut() {
        Some(last) if last.start == start => last.high = high,
        _ => output.push(Piece { low, high, start }),
    };
    for piece in pieces {
        // The older beginning is better where
        //   count level^2 - 2 sum level + square + (its cost - the other's) <= 0.
        let between = piece.start..start;
        let count = as_float(between.len());
        let sum = costs.sum(&between);
        let rest = costs.square(&between) + best[piece.start] - best[start];
        let discriminant = sum * sum - count * rest;
        let width = discriminant.max(0.0).sqrt();
        let low = piece.low.max((sum - width) / count);
        let high = piece.high.min((sum + width) / count);
        if discriminant < 0.0 || low >= high {
            push(piece.low, piece.high, start);
            continue;
        }
        if piece.low < low {
            push(piece.low, low, start);
        }
        push(low, high, piece.start);
        if high < piece.high {
            push(high, piece.high, start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same by trying every beginning.
    fn by_trying(costs: &Costs, length: usize, penalty: f64) -> Vec<usize> {
        let mut best = vec![(f64::INFINITY, 0); length + 1];
        best[0] = (-penalty, 0);
        for end in SHORTEST_SEGMENT..=length {
            for start in 0..=end - SHORTEST_SEGMENT {
                let total = best[start].0 + penalty + costs.cost(&(start..end));
                if total < best[end].0 {
                    best[end] = (total, start);
                }
            }
        }
        let mut cut = Vec::new();
        let mut end = length;
        while best[end].1 > 0 {
            end = best[end].1;
            cut.push(end);
        }
        cut.reverse();
        cut
    }

    #[test]
    fn pruning_changes_nothing() {
        let mut seed = 12_345_u64;
        for round in 0..60_u32 {
            let length = 20 + usize::try_from(round).unwrap() * 3;
            let series: Vec<f64> = (0..length)
                .map(|index| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let noise = f64::from(u32::try_from(seed >> 40).unwrap() % 1000) / 500.0 - 1.0;
                    let jump = if index / 17 % 2 == 1 {
                        f64::from(round % 4)
                    } else {
                        0.0
                    };
                    noise + jump
                })
                .collect();
            let costs = Costs::of(&series);
            for penalty in [0.5, 3.0, 12.0] {
                assert_eq!(
                    best_cut(&series, &costs, penalty),
                    by_trying(&costs, length, penalty),
                    "{round} {penalty}"
                );
            }
        }
    }

    #[test]
    fn a_clean_step_is_cut_where_it_is() {
        let mut series = vec![-1.0; 30];
        series[12..].fill(1.0);
        let costs = Costs::of(&series);
        assert_eq!(best_cut(&series, &costs, 1.0), [12]);
        assert_eq!(best_cut(&series, &costs, 1000.0), Vec::<usize>::new());
        assert!((costs.mean(&(12..30)) - 1.0).abs() < 1e-12);
        assert!(costs.cost(&(0..12)) < 1e-12);
    }
}
