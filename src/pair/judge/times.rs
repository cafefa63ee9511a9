//! What the timed calls of all pairs say.

use crate::pair::checkout::Role;
use crate::pair::measure::head_first;
use crate::pair::summary::{PairRatio, TimeChange};
use crate::stats::{
    LowEstimator, PairedVerdict, Rule, conclude, log_low, median_of_sorted, paired_evidence, sorted,
};

use super::{Judged, Process};

impl Judged<'_> {
    pub(super) fn times(&mut self, pairs: &[(usize, Process, Process)]) {
        let low = |process: &Process| log_low(&process.measured.samples, LowEstimator::Minimum);
        let mut logs = Vec::new();
        let mut firsts = Vec::new();
        for (repeat, base, head) in pairs {
            if self.is_void(*repeat) {
                continue;
            }
            if let (Some(base), Some(head)) = (base.measured.first, head.measured.first) {
                firsts.push((head / base).ln());
            }
            let (Some(base), Some(head)) = (low(base), low(head)) else {
                self.reject(format!("repeat {repeat} has no timed calls"));
                continue;
            };
            logs.push(head - base);
            let first = if head_first(*repeat) {
                Role::Head
            } else {
                Role::Base
            };
            self.summary.pairs.push(PairRatio {
                repeat: *repeat,
                first: first.word().to_owned(),
                base_seconds: base.exp(),
                head_seconds: head.exp(),
                ratio: (head - base).exp(),
            });
        }
        let rule = Rule::default();
        self.summary.first_call_ratio = median_of_sorted(&sorted(&firsts)).map(f64::exp);
        let lost = self.summary.voids.iter().filter(|void| !void.replaced);
        let contended = lost.count() > logs.len();
        self.summary.time = paired_evidence(&logs, &rule).map(|evidence| {
            let conclusion = conclude(&evidence, &rule);
            TimeChange {
                ratio: evidence.estimate.exp(),
                interval: evidence
                    .interval
                    .map(|interval| [interval.low.exp(), interval.high.exp()]),
                level: 1.0 - rule.alpha,
                verdict: match conclusion.verdict {
                    _ if contended => "disturbed",
                    PairedVerdict::Slower => "slower",
                    PairedVerdict::Faster => "faster",
                    PairedVerdict::Same => "same",
                    PairedVerdict::Inconclusive => "inconclusive",
                }
                .to_owned(),
                p: evidence.change.p(),
                more_pairs: conclusion.more_pairs.filter(|_| !contended),
            }
        });
    }
}
