//! One benchmark with one combination of parameters, pair after pair.

use crate::json::Json;
use crate::report::MetricKind;
use crate::run::{Finding, Taken};
use crate::stats::{
    Conclusion, LowEstimator, PairedEvidence, Rule, conclude, log_low, paired_evidence,
};

/// The two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Base,
    Head,
}

impl Side {
    /// `base` or `head`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Head => "head",
        }
    }
}

/// What was measured of one combination.
#[derive(Debug, Clone)]
pub struct Track {
    pub benchmark: String,
    pub combination: usize,
    pub kind: MetricKind,
    pub rule: Rule,
    pub estimator: LowEstimator,
    /// Larger values are better: the ratio is turned over before it is judged.
    pub higher_is_better: bool,
    /// log head - log base of every pair that counts, in order.
    pub differences: Vec<f64>,
    /// Plain values of every pair that counts.
    pub values: Vec<(Json, Json)>,
    /// Pairs that count.
    pub pairs: usize,
    /// Pairs that were void.
    pub voids: usize,
    /// Why the last of them was.
    pub void_reason: Option<String>,
    /// It failed or was skipped on a side; the pair that showed it ends the track.
    pub ended: bool,
    /// A value without a logarithm was seen.
    pub without_logarithm: bool,
}

/// What a track comes to.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Statistics over the pairs.
    Statistical(Box<PairedEvidence>, Conclusion),
    /// Every process of a side said the same; the two sides are compared as they are.
    Exact { equal: bool, base: Json, head: Json },
    /// More than half of the pairs were void.
    Contended,
    /// Nothing to judge: a failure, a skip, or no pair.
    Nothing,
}

impl Track {
    /// Takes in a pair that counts.
    pub fn push(&mut self, base: &Finding, head: &Finding) {
        self.pairs += 1;
        match (&base.taken, &head.taken) {
            (Taken::Samples(base, _), Taken::Samples(head, _)) => {
                let low = |samples: &[f64]| log_low(samples, self.estimator);
                self.difference(low(base), low(head));
            }
            (Taken::Number(base), Taken::Number(head)) => {
                let log = |number: &Json| {
                    let value = number.as_f64()?;
                    (value > 0.0 && value.is_finite()).then(|| value.ln())
                };
                self.difference(log(base), log(head));
                self.values.push((base.clone(), head.clone()));
            }
            (
                Taken::Number(base) | Taken::Other(base),
                Taken::Number(head) | Taken::Other(head),
            ) => self.values.push((base.clone(), head.clone())),
            _ => self.ended = true,
        }
    }

    fn difference(&mut self, base: Option<f64>, head: Option<f64>) {
        match (base, head) {
            (Some(base), Some(head)) if self.higher_is_better => self.differences.push(base - head),
            (Some(base), Some(head)) => self.differences.push(head - base),
            _ => self.without_logarithm = true,
        }
    }

    /// The evidence so far; `None` without any difference.
    pub fn evidence(&self) -> Option<PairedEvidence> {
        paired_evidence(&self.differences, &self.rule)
    }

    /// The value of each side if it never changed from process to process, and if this is no timing.
    fn constant(&self) -> Option<(&Json, &Json)> {
        let (base, head) = self.values.first()?;
        let same = self.values.iter().all(|(b, h)| b == base && h == head);
        (same && self.values.len() == self.pairs).then_some((base, head))
    }

    /// Whether this is compared as it is: counts, and what says the same in every process.
    pub fn is_exact(&self) -> bool {
        self.kind == MetricKind::Count || self.constant().is_some()
    }

    /// The verdict as it stands.
    pub fn verdict(&self) -> Verdict {
        if self.ended || self.pairs == 0 {
            return if self.voids > 0 && !self.ended {
                Verdict::Contended
            } else {
                Verdict::Nothing
            };
        }
        if let Some((base, head)) = self.constant() {
            return Verdict::Exact {
                equal: base == head,
                base: base.clone(),
                head: head.clone(),
            };
        }
        if self.kind == MetricKind::Count || self.without_logarithm {
            // Neither constant nor fit for a ratio: the last pair is shown, and nothing is claimed.
            return match self.values.last() {
                Some((base, head)) => Verdict::Exact {
                    equal: base == head,
                    base: base.clone(),
                    head: head.clone(),
                },
                None => Verdict::Nothing,
            };
        }
        if self.voids > self.pairs {
            return Verdict::Contended;
        }
        match self.evidence() {
            Some(evidence) => {
                let conclusion = conclude(&evidence, &self.rule);
                Verdict::Statistical(Box::new(evidence), conclusion)
            }
            None => Verdict::Nothing,
        }
    }
}
