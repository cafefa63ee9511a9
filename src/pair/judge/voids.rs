//! Pairs that do not count.

use crate::pair::summary::VoidPair;

use super::Judged;

impl Judged<'_> {
    /// Pairs that were disturbed, and a remark about those that never could be measured.
    pub(super) fn voids(&mut self, repeats: usize) {
        let name = &self.entry.name;
        for repeat in 0..repeats {
            let mut reasons = self.raw.set_aside(name, repeat);
            let last = self.raw.void(name, repeat);
            let replaced = last.is_none();
            reasons.extend(last);
            if reasons.is_empty() {
                continue;
            }
            if !replaced {
                self.summary.remarks.push(format!(
                    "repeat {repeat} counts for no time: disturbed in every attempt ({}), at last {}",
                    reasons.len(),
                    reasons.last().map_or("", String::as_str)
                ));
            }
            self.summary.voids.push(VoidPair {
                repeat,
                reasons,
                replaced,
            });
        }
    }

    /// Whether a repeat was disturbed in every attempt.
    pub(super) fn is_void(&self, repeat: usize) -> bool {
        let mut voids = self.summary.voids.iter();
        voids.any(|void| void.repeat == repeat && !void.replaced)
    }
}
