//! Evidence that may be looked at after every pair.

use crate::stats::noise::NORMAL_CONSISTENCY;
use crate::stats::quantile::median_of_sorted;

use super::sign_flip::clipped;

/// The bets: each lambda is a strategy, and the evidence is the mean of all.
const LAMBDAS: [f64; 5] = [0.15, 0.4, 0.8, 1.6, 3.2];

/// Pairs for which the scale comes from the prior.
const PRIOR_PAIRS: usize = 3;

/// Scale of log ratios that is assumed before there are any: what a quiet machine shows.
pub const PRIOR_SCALE: f64 = 0.002;

/// A test martingale of the hypothesis that the sign of each difference is a fair coin (de la Pena,
/// 1999; Ville, 1939).
///
/// With x = clip(d / s, -1, 1) and s known before d, E(lambda) is the product of
/// exp(lambda x) / cosh(lambda x); its mean is 1 whatever |x| is, so that the chance to ever see it
/// reach 1 / alpha is at most alpha. `up` is the mean over all lambda, `down` that over all
/// -lambda.
#[derive(Debug, Clone, PartialEq)]
pub struct EProcess {
    log_up: [f64; 5],
    log_down: [f64; 5],
    most_up: f64,
    most_down: f64,
    most: f64,
}

impl Default for EProcess {
    fn default() -> Self {
        Self {
            log_up: [0.0; 5],
            log_down: [0.0; 5],
            most_up: 1.0,
            most_down: 1.0,
            most: 1.0,
        }
    }
}

impl EProcess {
    /// Takes in a difference; `scale` may depend on everything before it, and on nothing else.
    pub fn push(&mut self, difference: f64, scale: f64) {
        let x = clipped(difference, scale);
        for (at, lambda) in LAMBDAS.iter().enumerate() {
            let even = log_cosh(lambda * x);
            self.log_up[at] += lambda * x - even;
            self.log_down[at] += -lambda * x - even;
        }
        self.most_up = self.most_up.max(self.up());
        self.most_down = self.most_down.max(self.down());
        self.most = self.most.max(self.e_value());
    }

    /// Evidence now that differences are positive: head is larger.
    pub fn up(&self) -> f64 {
        mean_exp(&self.log_up)
    }

    /// Evidence now that differences are negative.
    pub fn down(&self) -> f64 {
        mean_exp(&self.log_down)
    }

    /// The largest evidence upwards so far.
    pub fn most_up(&self) -> f64 {
        self.most_up
    }

    /// The largest evidence downwards so far.
    pub fn most_down(&self) -> f64 {
        self.most_down
    }

    /// The two-sided e-value now: the mean of both directions.
    pub fn e_value(&self) -> f64 {
        f64::midpoint(self.up(), self.down())
    }

    /// The anytime-valid two-sided p: 1 over the largest e-value so far.
    pub fn p(&self) -> f64 {
        (1.0 / self.most).min(1.0)
    }
}

/// The scale of differences from those seen so far.
#[derive(Debug, Clone, Default)]
pub(super) struct RunningScale {
    /// Absolute values, sorted.
    sizes: Vec<f64>,
}

impl RunningScale {
    /// For the next difference: 1.4826 times the median of the absolute ones before it, the prior for
    /// the first three. Clipping that hard keeps a process in a slow state from undoing the rest.
    pub(super) fn next(&self, prior: f64) -> f64 {
        if self.sizes.len() < PRIOR_PAIRS {
            return prior;
        }
        median_of_sorted(&self.sizes).map_or(prior, |median| NORMAL_CONSISTENCY * median)
    }

    pub(super) fn push(&mut self, difference: f64) {
        let size = difference.abs();
        let place = self.sizes.partition_point(|other| *other < size);
        self.sizes.insert(place, size);
    }
}

/// ln cosh x without overflow.
fn log_cosh(x: f64) -> f64 {
    let x = x.abs();
    x + (-2.0 * x).exp().ln_1p() - std::f64::consts::LN_2
}

fn mean_exp(logs: &[f64; 5]) -> f64 {
    logs.iter().map(|log| log.exp()).sum::<f64>() / 5.0
}
