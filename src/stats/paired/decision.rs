//! From evidence to a verdict.

use crate::stats::quantile::as_float;

use super::e_process::PRIOR_SCALE;
use super::pair_evidence::PairedEvidence;

/// The constants of the decision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rule {
    /// Chance of ever calling a benchmark that did not change (two-sided); 0.01.
    pub alpha: f64,
    /// Chance of calling a benchmark the same that changed by the limit; 0.05.
    pub alpha_same: f64,
    /// Smallest relative change of interest, and limit of equivalence; 0.02.
    pub minimum_effect: f64,
    /// Scale of log ratios that is assumed for the first three pairs.
    pub prior_scale: f64,
}

impl Default for Rule {
    fn default() -> Self {
        Self {
            alpha: 0.01,
            alpha_same: 0.05,
            minimum_effect: 0.02,
            prior_scale: PRIOR_SCALE,
        }
    }
}

/// What pairs can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairedVerdict {
    /// Head is larger.
    Slower,
    /// Head is smaller.
    Faster,
    /// Within the limits of equivalence.
    Same,
    Inconclusive,
}

/// A verdict and what stands behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Conclusion {
    pub verdict: PairedVerdict,
    /// The direction of a difference that was shown, whatever its size: 1, -1 or 0.
    pub shown: i8,
    /// The difference was shown and is below the limit.
    pub small: bool,
    /// Smallest relative change that so many pairs of this spread would have shown.
    pub resolution: f64,
    /// Further pairs that it would take, where nothing could be said.
    pub more_pairs: Option<usize>,
}

/// Pairs that it takes to see a log ratio of `effect` where differences have the standard deviation
/// `spread`: 2 (2.6 s / delta)^2, and never fewer than the nine that the evidence needs.
pub fn pairs_needed(spread: f64, effect: f64) -> usize {
    let pairs = 2.0 * (2.6 * spread / effect.max(1e-9)).powi(2);
    rounded_up(pairs.clamp(9.0, 1e6))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number was clamped to a million"
)]
fn rounded_up(pairs: f64) -> usize {
    pairs.ceil() as usize
}

/// The verdict of one benchmark. A difference counts once the evidence has reached 2 / alpha in its
/// direction; it is called slower or faster if the estimate is at least half the limit and the
/// interval reaches the limit. A difference that is shown and small is the same if the equivalence is
/// shown too.
pub fn conclude(evidence: &PairedEvidence, rule: &Rule) -> Conclusion {
    let limit = rule.minimum_effect.ln_1p();
    let bound = 2.0 / rule.alpha;
    let up = evidence.change.most_up() >= bound;
    let down = evidence.change.most_down() >= bound;
    let shown = match (up, down) {
        (true, false) => 1,
        (false, true) => -1,
        _ => 0,
    };
    let towards = f64::from(shown) * evidence.estimate;
    let far_end = evidence.interval.map_or(towards, |interval| {
        if shown > 0 {
            interval.high
        } else {
            -interval.low
        }
    });
    let large = towards >= limit / 2.0 && far_end >= limit;
    let verdict = if shown > 0 && large {
        PairedVerdict::Slower
    } else if shown < 0 && large {
        PairedVerdict::Faster
    } else if evidence.is_equivalent(rule.alpha_same) {
        PairedVerdict::Same
    } else {
        PairedVerdict::Inconclusive
    };
    let resolution = 2.6 * evidence.spread * (2.0 / as_float(evidence.pairs.max(1))).sqrt();
    Conclusion {
        verdict,
        shown,
        small: shown != 0 && !large,
        resolution: resolution.exp_m1(),
        more_pairs: (verdict == PairedVerdict::Inconclusive).then(|| {
            let needed = pairs_needed(evidence.spread, limit);
            // The formula is an average: somebody who has had as many already needs as many again.
            if needed > evidence.pairs {
                needed - evidence.pairs
            } else {
                evidence.pairs
            }
        }),
    }
}
