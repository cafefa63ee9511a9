//! Who is measured next.

use std::time::Duration;

use crate::stats::PairedVerdict;

use super::track::{Track, Verdict};

/// How many pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Of all; 8.
    pub first: usize,
    /// Of candidates; 40.
    pub most: usize,
    /// Time for everything; `None` for as long as it takes.
    pub budget: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            first: 8,
            most: 40,
            budget: None,
        }
    }
}

/// Pairs of what is compared as it is: the second shows whether it changes from process to process.
const EXACT_PAIRS: usize = 2;

/// Level of e-BH over all.
pub(super) const FALSE_DISCOVERY_RATE: f64 = 0.05;

/// Where the measurement stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// The first pairs of all.
    First,
    /// More pairs for what looks changed.
    Candidates,
    /// What is left of the budget goes to what is still open.
    Open,
}

/// Whether `track` wants another pair in `stage`; `all` is the number of tracks.
pub(super) fn wants_more(track: &Track, stage: Stage, limits: &Limits, all: usize) -> bool {
    if track.ended || track.pairs >= limits.most {
        return false;
    }
    // A benchmark that is disturbed all the time is given up.
    if track.voids > limits.first.max(track.pairs) {
        return false;
    }
    let exact = track.is_exact();
    match stage {
        Stage::First if exact => track.pairs < EXACT_PAIRS,
        Stage::First => track.pairs < limits.first,
        _ if exact => false,
        Stage::Candidates => is_candidate(track) && !is_settled(track, all),
        Stage::Open => !is_settled(track, all),
    }
}

/// Evidence that something changed, and a change that would matter.
fn is_candidate(track: &Track) -> bool {
    track.evidence().is_some_and(|evidence| {
        let worth = (track.rule.minimum_effect / 2.0).ln_1p();
        evidence.change.p() < 0.06 && evidence.estimate.abs() >= worth
    })
}

/// Whether more pairs would not change the verdict: the same, or changed with enough evidence to
/// survive the correction for all alone.
fn is_settled(track: &Track, all: usize) -> bool {
    match track.verdict() {
        Verdict::Statistical(evidence, conclusion) => match conclusion.verdict {
            PairedVerdict::Same => true,
            PairedVerdict::Slower | PairedVerdict::Faster => {
                evidence.change.e_value() >= as_float(all) / FALSE_DISCOVERY_RATE
            }
            PairedVerdict::Inconclusive => false,
        },
        Verdict::Exact { .. } | Verdict::Contended | Verdict::Nothing => true,
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "numbers of benchmarks are small"
)]
fn as_float(count: usize) -> f64 {
    count as f64
}
