//! Who is measured next.

use std::time::Duration;

use crate::stats::{PairedVerdict, as_float, hodges_lehmann, sign_flip};

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

/// The largest p of the first pairs of a candidate.
const CANDIDATE_P: f64 = 0.06;

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
        Stage::Candidates => is_candidate(track, limits.first) && !is_settled(track, all),
        Stage::Open => !is_settled(track, all),
    }
}

/// Whether the first pairs hint at a change that would matter. Their number was fixed beforehand, so that
/// the test for a fixed number is the one that misses least; whatever it lets through, the evidence holds.
/// The pairs after them change nothing: who is a candidate stays one until it is settled.
fn is_candidate(track: &Track, first: usize) -> bool {
    let pairs = &track.differences[..first.min(track.differences.len())];
    let worth = (track.rule.minimum_effect / 2.0).ln_1p();
    hodges_lehmann(pairs).is_some_and(|estimate| estimate.abs() >= worth)
        && sign_flip(pairs, 0) < CANDIDATE_P
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::MetricKind;
    use crate::stats::{LowEstimator, Rule};

    fn track(differences: &[f64]) -> Track {
        Track {
            benchmark: "time_a".to_owned(),
            combination: 0,
            kind: MetricKind::Time,
            rule: Rule::default(),
            estimator: LowEstimator::Minimum,
            higher_is_better: false,
            differences: differences.to_vec(),
            values: Vec::new(),
            pairs: differences.len(),
            voids: 0,
            void_reason: None,
            ended: false,
            without_logarithm: false,
        }
    }

    fn goes_on(differences: &[f64]) -> bool {
        let limits = Limits::default();
        wants_more(&track(differences), Stage::Candidates, &limits, 300)
    }

    #[test]
    fn candidates_are_who_looks_changed_after_the_first_pairs() {
        let hint = [0.03, 0.02, 0.04, -0.01, 0.05, 0.03, 0.02, 0.04];
        assert!(goes_on(&hint));
        // Without direction, and in one direction by less than half the limit.
        let mixed = [0.03, -0.02, 0.04, -0.04, 0.05, -0.03, 0.02, -0.04];
        assert!(!goes_on(&mixed));
        assert!(!goes_on(&hint.map(|difference| difference / 10.0)));
        // Pairs that point elsewhere make no candidate, and no longer a candidate of none.
        let on = |tail: f64| [&hint[..], &[tail; 3]].concat();
        assert!(goes_on(&on(-0.03)));
        assert!(!goes_on(&[&mixed[..], &[0.05; 3]].concat()));
        // Settled, and at the most.
        assert!(!goes_on(&[0.05; 20]));
        assert!(!goes_on(
            &[&hint[..], &mixed[..], &mixed[..], &mixed[..], &hint[..]].concat()
        ));
    }
}
