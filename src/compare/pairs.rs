//! Which result of the base belongs to which result of HEAD.

use std::collections::HashMap;

use crate::gpu::void_reason;
use crate::results::{BenchmarkProvenance, BenchmarkResult, ResultSet};

use super::entry::{SeriesKey, combination_key};
use super::measured::Stored;

/// One combination of parameters of one benchmark on both sides.
#[derive(Debug, Clone)]
pub(super) struct Pair<'a> {
    /// Position among HEAD's combinations; those of the base alone come after them.
    pub(super) combination: usize,
    pub(super) params: Vec<&'a str>,
    pub(super) base: Stored<'a>,
    pub(super) head: Stored<'a>,
    pub(super) key: SeriesKey,
}

/// A benchmark that HEAD ran, with what the base has of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Both<'a> {
    name: &'a str,
    head: &'a BenchmarkResult,
    head_facts: Option<&'a BenchmarkProvenance>,
    base: Option<&'a BenchmarkResult>,
    base_facts: Option<&'a BenchmarkProvenance>,
}

impl<'a> Both<'a> {
    pub(super) fn new(
        name: &'a str,
        base: Option<&'a ResultSet>,
        head: &'a ResultSet,
    ) -> Option<Self> {
        Some(Self {
            name,
            head: head.results.get(name)?,
            head_facts: facts_of(head, name),
            base: base.and_then(|base| base.results.get(name)),
            base_facts: base.and_then(|base| facts_of(base, name)),
        })
    }

    /// Whether both versions are known and differ.
    pub(super) fn versions_differ(self) -> bool {
        let base = self.base.and_then(|base| base.version.as_ref());
        match (base, &self.head.version) {
            (Some(base), Some(head)) => base != head,
            _ => false,
        }
    }

    /// Why both values mean different things, if they do: device memory under another mode of the
    /// allocator, or compiling with another kind of cache. What one side does not know is no difference.
    pub(super) fn modes_differ(self) -> Option<String> {
        let (base, head) = (self.base_facts?, self.head_facts?);
        ["allocator", "compile_cache"].into_iter().find_map(|mode| {
            let (before, after) = (base.facts.get(mode)?, head.facts.get(mode)?);
            let (before, after) = (before.as_str()?, after.as_str()?);
            let what = mode.replace('_', " ");
            (before != after)
                .then(|| format!("the {what} was {before} on the base and {after} on HEAD"))
        })
    }

    /// Why the times of both sides do not count by what was seen of the GPUs around them, if they do not.
    pub(super) fn disturbance(self) -> Option<String> {
        let flags = |facts: Option<&'a BenchmarkProvenance>| {
            facts.map_or(&[][..], |facts| facts.flags.as_slice())
        };
        void_reason(flags(self.base_facts), flags(self.head_facts))
    }

    /// Remarks of the record on either side.
    pub(super) fn flags(self) -> Vec<String> {
        let mut flags = Vec::new();
        for facts in [self.base_facts, self.head_facts].into_iter().flatten() {
            for flag in &facts.flags {
                if !flags.contains(flag) {
                    flags.push(flag.clone());
                }
            }
        }
        flags
    }

    /// All combinations: HEAD's in their order, then those that only the base has. Combinations are
    /// matched by the strings of their parameters, as positions change with the suite.
    pub(super) fn pairs(self) -> Vec<Pair<'a>> {
        let version = (self.head.version.as_deref())
            .or_else(|| self.base.and_then(|base| base.version.as_deref()));
        let key = SeriesKey::of(self.name, version);
        let mut unmatched = BaseCombinations::new(self.base, &self.head.params);
        let mut pairs: Vec<Pair<'a>> = (0..self.head.values.len())
            .map(|index| {
                let params = self.head.combination(index);
                Pair {
                    combination: index,
                    base: self.base_at(unmatched.take(index, &params)),
                    head: Stored::of(self.head, self.head_facts, index),
                    key: combination_key(key, self.head, index),
                    params,
                }
            })
            .collect();
        for index in unmatched.rest() {
            if let Some(base) = self.base {
                pairs.push(Pair {
                    combination: pairs.len(),
                    params: base.combination(index),
                    base: self.base_at(Some(index)),
                    head: Stored::Missing,
                    key: combination_key(key, base, index),
                });
            }
        }
        pairs
    }

    fn base_at(self, index: Option<usize>) -> Stored<'a> {
        match (self.base, index) {
            (Some(base), Some(index)) => Stored::of(base, self.base_facts, index),
            _ => Stored::Missing,
        }
    }
}

fn facts_of<'a>(set: &'a ResultSet, name: &str) -> Option<&'a BenchmarkProvenance> {
    set.provenance.as_ref()?.benchmarks.get(name)
}

/// The base's combinations that have not found a partner yet.
enum BaseCombinations<'a> {
    /// The axes are the same on both sides: positions are, too.
    SameAxes(usize),
    ByStrings(HashMap<Vec<&'a str>, usize>),
}

impl<'a> BaseCombinations<'a> {
    fn new(base: Option<&'a BenchmarkResult>, head_params: &[Vec<String>]) -> Self {
        match base {
            Some(base) if base.params == head_params => Self::SameAxes(base.values.len()),
            Some(base) => Self::ByStrings(
                (0..base.values.len())
                    .map(|index| (base.combination(index), index))
                    .collect(),
            ),
            None => Self::SameAxes(0),
        }
    }

    fn take(&mut self, index: usize, params: &[&'a str]) -> Option<usize> {
        match self {
            Self::SameAxes(count) => (index < *count).then_some(index),
            Self::ByStrings(places) => places.remove(params),
        }
    }

    fn rest(self) -> Vec<usize> {
        match self {
            Self::SameAxes(_) => Vec::new(),
            Self::ByStrings(places) => {
                let mut rest: Vec<usize> = places.into_values().collect();
                rest.sort_unstable();
                rest
            }
        }
    }
}
