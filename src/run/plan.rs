//! In which order what is run: groups that share a `setup_cache`, units that share a process.

use indexmap::IndexMap;

use crate::suite::{Benchmark, Selected};

use super::attributes::Attributes;

/// Everything that is going to be measured, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// Rounds are counted down from here to 1.
    pub rounds: usize,
    /// In order of the first appearance of their key.
    pub groups: Vec<Group>,
}

/// Benchmarks that use the result of one `setup_cache`, or none.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    pub setup_cache: Option<SetupCache>,
    /// Sorted by the name of their first member.
    pub units: Vec<Unit>,
}

/// One `setup_cache` to be run.
#[derive(Debug, Clone, PartialEq)]
pub struct SetupCache {
    pub key: String,
    /// Seconds: the longest that any user allows.
    pub timeout: f64,
    /// A benchmark that uses it; the worker finds the function by it.
    pub user: String,
}

/// What is run together: one benchmark, or several that share one set-up.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    pub members: Vec<Planned>,
    pub rounds: usize,
}

/// A benchmark with what the plan decided about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Planned {
    pub benchmark: Benchmark,
    /// Positions of the selected combinations, ascending.
    pub combinations: Vec<usize>,
    /// Seconds that one combination may take in one round.
    pub timeout: f64,
}

/// What the order depends on.
#[derive(Debug, Clone, Default)]
pub struct PlanOptions {
    pub attributes: Attributes,
    /// Seconds, for benchmarks without a time-out of their own.
    pub default_timeout: f64,
    /// Measure the benchmarks of one class after one set-up.
    pub share_setup: bool,
}

impl Plan {
    /// Orders `selected` (sorted by name) as asv does: grouped by the key of `setup_cache`, the groups
    /// in order of first appearance, by name within.
    pub fn new(selected: &[Selected], options: &PlanOptions) -> Self {
        let mut by_key: IndexMap<Option<String>, Vec<Planned>> = IndexMap::new();
        for one in selected {
            by_key
                .entry(one.benchmark.setup_cache_key.clone())
                .or_default()
                .push(Planned {
                    benchmark: one.benchmark.clone(),
                    combinations: one.combinations.clone(),
                    timeout: timeout_of(&one.benchmark, options),
                });
        }
        let groups: Vec<Group> = by_key
            .into_iter()
            .map(|(key, members)| Group {
                setup_cache: key.map(|key| setup_cache_of(key, &members)),
                units: units_of(members, options),
            })
            .collect();
        let units = groups.iter().flat_map(|group| &group.units);
        Self {
            rounds: units.map(|unit| unit.rounds).max().unwrap_or(0),
            groups,
        }
    }

    /// All benchmarks, in the order of the last round.
    pub fn benchmarks(&self) -> impl Iterator<Item = &Planned> {
        self.groups
            .iter()
            .flat_map(|group| &group.units)
            .flat_map(|unit| &unit.members)
    }

    /// How many processes will be started if nothing fails, cache set-ups left out.
    pub fn processes(&self) -> usize {
        self.groups
            .iter()
            .flat_map(|group| &group.units)
            .map(|unit| unit.rounds * unit.combinations().len())
            .sum()
    }
}

impl Unit {
    /// The combinations for which a process must be started, ascending.
    pub fn combinations(&self) -> Vec<usize> {
        let all: std::collections::BTreeSet<usize> = self
            .members
            .iter()
            .flat_map(|member| {
                let skipped = &member.benchmark.skipped;
                let chosen = member.combinations.iter();
                chosen.filter(|index| !skipped.contains(index)).copied()
            })
            .collect();
        all.into_iter().collect()
    }
}

/// A benchmark's own time-out wins over `-a timeout=`, which wins over the configuration.
fn timeout_of(benchmark: &Benchmark, options: &PlanOptions) -> f64 {
    benchmark
        .timeout
        .or_else(|| options.attributes.timeout())
        .unwrap_or(options.default_timeout)
}

fn setup_cache_of(key: String, members: &[Planned]) -> SetupCache {
    let timeout = members
        .iter()
        .map(|member| {
            let own = member.benchmark.setup_cache_timeout;
            own.unwrap_or(member.timeout)
        })
        .fold(0.0, f64::max);
    let user = members
        .first()
        .map(|member| member.benchmark.name().to_owned());
    SetupCache {
        key,
        timeout,
        user: user.unwrap_or_default(),
    }
}

/// One unit a benchmark; with `share_setup` one for all the benchmarks of a class that have the same
/// parameters and need no process of their own.
///
/// A shared unit has one round unless the user asks for more: the point of sharing is that what
/// takes long is set up once.
fn units_of(members: Vec<Planned>, options: &PlanOptions) -> Vec<Unit> {
    type Shared = (String, String, Vec<Vec<String>>);
    let mut units: IndexMap<(Option<Shared>, usize), Vec<Planned>> = IndexMap::new();
    for (position, member) in members.into_iter().enumerate() {
        let benchmark = &member.benchmark;
        let class = benchmark
            .class
            .clone()
            .filter(|_| options.share_setup && !benchmark.isolated());
        let key = match class {
            Some(class) => {
                let params = benchmark.record.params.clone();
                (Some((benchmark.module.clone(), class, params)), 0)
            }
            None => (None, position),
        };
        units.entry(key).or_default().push(member);
    }
    units
        .into_values()
        .map(|members| Unit {
            rounds: rounds_of(&members, options),
            members,
        })
        .collect()
}

fn rounds_of(members: &[Planned], options: &PlanOptions) -> usize {
    let asked = options.attributes.rounds();
    asked.unwrap_or(match members {
        [only] => only.benchmark.rounds,
        _ => 1,
    })
}

#[cfg(test)]
mod tests;
