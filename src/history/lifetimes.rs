//! From when to when each benchmark has results.

use std::collections::BTreeMap;

/// Time of the first and the last commit with a result, in any unit that orders commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lifetime {
    pub(super) first: i64,
    pub(super) last: i64,
}

/// The lifetimes of all benchmarks, by name.
#[derive(Debug, Clone, Default)]
pub(super) struct Lifetimes {
    pub(super) by_name: BTreeMap<String, Lifetime>,
}

impl Lifetimes {
    /// Notes a result of the benchmark at this time.
    pub(super) fn add(&mut self, name: &str, time: i64) {
        if let Some(known) = self.by_name.get_mut(name) {
            known.first = known.first.min(time);
            known.last = known.last.max(time);
        } else {
            let lifetime = Lifetime {
                first: time,
                last: time,
            };
            self.by_name.insert(name.to_owned(), lifetime);
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<Lifetime> {
        self.by_name.get(name).copied()
    }
}
