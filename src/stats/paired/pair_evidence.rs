//! Everything that a sequence of differences says.

use crate::stats::noise::robust_sd;

use super::decision::Rule;
use super::e_process::{EProcess, RunningScale};
use super::hodges_lehmann::{Interval, hodges_lehmann, signed_rank_interval};

/// What the pairs of one benchmark say; all on the scale of log head - log base.
#[derive(Debug, Clone, PartialEq)]
pub struct PairedEvidence {
    pub pairs: usize,
    /// The Hodges-Lehmann estimate.
    pub estimate: f64,
    /// At 1 - alpha of the rule; `None` with too few pairs.
    pub interval: Option<Interval>,
    /// Robust standard deviation of the differences.
    pub spread: f64,
    /// Against "no difference".
    pub change: EProcess,
    /// Upwards: against "head is smaller by the limit or more".
    pub above_lower: EProcess,
    /// Downwards: against "head is larger by the limit or more".
    pub below_upper: EProcess,
}

impl PairedEvidence {
    /// Whether both one-sided tests of equivalence have rejected, at `alpha` each.
    pub fn is_equivalent(&self, alpha: f64) -> bool {
        self.above_lower.most_up() >= 1.0 / alpha && self.below_upper.most_down() >= 1.0 / alpha
    }
}

/// The evidence of differences in the order in which they were measured. `None` without any.
///
/// The scale of each bet comes from the differences before it, for the shifted ones too: the median
/// of what is not shifted, so that an agreement far inside the limits is bet on in full.
pub fn paired_evidence(differences: &[f64], rule: &Rule) -> Option<PairedEvidence> {
    let estimate = hodges_lehmann(differences)?;
    let limit = rule.minimum_effect.ln_1p();
    let mut scale = RunningScale::default();
    let mut change = EProcess::default();
    let mut above_lower = EProcess::default();
    let mut below_upper = EProcess::default();
    for difference in differences {
        let known = scale.next(rule.prior_scale);
        change.push(*difference, known);
        above_lower.push(difference + limit, known);
        below_upper.push(difference - limit, known);
        scale.push(*difference);
    }
    Some(PairedEvidence {
        pairs: differences.len(),
        estimate,
        interval: signed_rank_interval(differences, rule.alpha),
        spread: robust_sd(&mut differences.to_vec())?,
        change,
        above_lower,
        below_upper,
    })
}
