//! What a search finds.

use std::ops::Range;

use crate::stats::median;

/// A level lasts for at least this many points; a shorter one is an outlier.
pub const SHORTEST_SEGMENT: usize = 5;

/// Fewer points than this hold no change: two levels need two segments.
pub const FEWEST_POINTS: usize = 2 * SHORTEST_SEGMENT;

/// A point at which the level of a series changed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChangePoint {
    /// The first point of the new level: the best estimate.
    pub at: usize,
    /// The first point of the new level is not before this one.
    pub earliest: usize,
    /// The first point of the new level is not after this one.
    pub latest: usize,
    /// Probability that neighbours on one level differ as much as those before and after the point.
    pub p: f64,
}

/// The medians between change points, one more than there are points: `levels[i]` holds before
/// `points[i]` and `levels[i + 1]` from there on.
pub fn levels(series: &[f64], points: &[ChangePoint]) -> Vec<f64> {
    segments(series.len(), points.iter().map(|point| point.at))
        .into_iter()
        .map(|segment| median(&mut series[segment].to_vec()).unwrap_or(f64::NAN))
        .collect()
}

/// The segments that begin at zero and at each of `starts`, which are in order.
pub(super) fn segments(
    length: usize,
    starts: impl IntoIterator<Item = usize>,
) -> Vec<Range<usize>> {
    let mut segments = Vec::new();
    let mut from = 0;
    for start in starts.into_iter().chain([length]) {
        segments.push(from..start);
        from = start;
    }
    segments
}
