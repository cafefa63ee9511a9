//! What is measured together, and what is known of it between its pairs.

use std::collections::HashMap;
use std::time::Duration;

use crate::report::MetricKind;
use crate::run::{Group, Plan, Planned, Unit};
use crate::stats::{LowEstimator, Rule};

use super::track::Track;

/// What a track needs to know of a benchmark.
pub type Facts<'a> = &'a dyn Fn(&Planned) -> (MetricKind, Rule, bool);

/// What is run together: the members of a unit with one combination.
pub(super) struct Target<'p> {
    pub(super) group: &'p Group,
    pub(super) unit: &'p Unit,
    pub(super) combination: usize,
    pub(super) members: Vec<&'p Planned>,
    /// Positions in `tracks`.
    pub(super) tracks: Vec<usize>,
    pub(super) name: String,
    /// Calls of each sample, settled by the first pair.
    pub(super) numbers: HashMap<String, i64>,
    /// Both sides have been run once for nothing.
    pub(super) warm: bool,
    /// Pairs begun, void ones too: the number of the next toss.
    pub(super) tosses: usize,
    /// Seconds of the last pair.
    pub(super) last: Duration,
}

/// Everything that a plan holds, with a track for each benchmark and combination.
pub(super) fn targets<'a>(
    plan: &'a Plan,
    estimator: LowEstimator,
    facts: Facts<'_>,
) -> (Vec<Target<'a>>, Vec<Track>) {
    let mut tracks = Vec::new();
    let mut targets = Vec::new();
    for group in &plan.groups {
        for unit in &group.units {
            for combination in unit.combinations() {
                let members: Vec<&Planned> = unit
                    .members
                    .iter()
                    .filter(|member| {
                        member.combinations.contains(&combination)
                            && !member.benchmark.skipped.contains(&combination)
                    })
                    .collect();
                let mut own = Vec::new();
                for member in &members {
                    let (kind, rule, higher_is_better) = facts(member);
                    own.push(tracks.len());
                    tracks.push(Track {
                        benchmark: member.benchmark.name().to_owned(),
                        combination,
                        kind,
                        rule,
                        estimator,
                        higher_is_better,
                        differences: Vec::new(),
                        values: Vec::new(),
                        pairs: 0,
                        voids: 0,
                        void_reason: None,
                        ended: false,
                        without_logarithm: false,
                    });
                }
                let names: Vec<String> = members
                    .iter()
                    .map(|member| member.benchmark.record.display_name(combination))
                    .collect();
                targets.push(Target {
                    group,
                    unit,
                    combination,
                    members,
                    tracks: own,
                    name: names.join(" + "),
                    numbers: HashMap::new(),
                    warm: false,
                    tosses: 0,
                    last: Duration::ZERO,
                });
            }
        }
    }
    (targets, tracks)
}
