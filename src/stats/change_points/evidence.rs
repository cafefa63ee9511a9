//! What speaks for one change point: its neighbours, and where else it could be.

use std::ops::Range;

use crate::stats::mann_whitney;

use super::model::{ChangePoint, SHORTEST_SEGMENT};
use super::segmentation::Costs;

/// So many points on either side say whether there is a change.
const NEIGHBOURS: usize = 10;

/// The change between two neighbouring segments of `series`; `slack` is how much worse than the
/// best place another may be.
///
/// The probability is that of the exact permutation test of ranks of up to ten points on either
/// side: how often points on one level, dealt to the two sides at random, differ as much.
pub(super) fn evidence(
    series: &[f64],
    costs: &Costs,
    before: &Range<usize>,
    after: &Range<usize>,
    slack: f64,
) -> ChangePoint {
    let at = after.start;
    let left = before.start.max(at.saturating_sub(NEIGHBOURS))..at;
    let right = at..after.end.min(at + NEIGHBOURS);
    let p = mann_whitney(&series[left], &series[right]).map_or(1.0, |test| test.p);
    let cost = |place: usize| costs.cost(&(before.start..place)) + costs.cost(&(place..after.end));
    let bound = cost(at) + slack;
    let possible = |place: &usize| cost(*place) <= bound;
    let first = before.start + SHORTEST_SEGMENT;
    let last = after.end.saturating_sub(SHORTEST_SEGMENT);
    ChangePoint {
        at,
        earliest: (first..at).find(possible).unwrap_or(at),
        latest: (at + 1..=last).rev().find(possible).unwrap_or(at),
        p: p.min(1.0),
    }
}
