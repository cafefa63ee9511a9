//! Runs a plan: rounds, groups, benchmarks, combinations, each in a process of its own.

mod caches;
mod one_job;

use std::collections::HashMap;
use std::path::Path;

use indexmap::{IndexMap, IndexSet};

use crate::results::ResultSet;
use crate::worker::{Executor, Job};

use super::attributes::Attributes;
use super::caches::Caches;
use super::clock::Clock;
use super::earlier::Earlier;
use super::event::{Finished, Reporter, RunEvent};
use super::failure;
use super::jobs::{Known, benchmark_job};
use super::plan::{Group, Plan, Planned, Unit};
use super::tally::{SampleOptions, Tally};

/// What the engine needs of the world.
pub struct Engine<'a> {
    pub executor: &'a mut dyn Executor,
    pub clock: &'a dyn Clock,
    pub reporter: &'a mut dyn Reporter,
    /// Is given each benchmark after each of its rounds, for the journal.
    pub keep: &'a mut dyn FnMut(&Finished),
}

/// How the engine runs.
#[derive(Debug, Clone, Default)]
pub struct EngineOptions {
    pub attributes: Attributes,
    pub samples: SampleOptions,
    /// Profile one more call of every benchmark.
    pub profile: bool,
}

/// Everything a run found out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// In order of first completion: what has several rounds comes first.
    pub finished: Vec<Finished>,
    /// Seconds of each `setup_cache`, by the key that asv stores (`<setup_cache mod:12>`).
    pub durations: IndexMap<String, f64>,
    /// The signal that ended the run early.
    pub interrupted: Option<i32>,
    /// Processes that outlived their job and were ended.
    pub leftovers: usize,
}

impl Engine<'_> {
    /// Runs `plan`. `earlier` is what the result file holds already.
    pub fn run(self, plan: &Plan, earlier: Option<&ResultSet>, options: &EngineOptions) -> Outcome {
        let tallies = plan
            .benchmarks()
            .map(|planned| {
                let earlier = earlier.and_then(|set| Earlier::of(set, &planned.benchmark));
                let tally = Tally::new(planned.clone(), earlier, options.samples);
                (planned.benchmark.name().to_owned(), tally)
            })
            .collect();
        let mut run = Run {
            world: self,
            options,
            tallies,
            order: IndexSet::new(),
            caches: Caches::default(),
            outcome: Outcome::default(),
        };
        run.world.reporter.report(&RunEvent::Started { plan });
        if let Err(Stop(signal)) = run.rounds(plan) {
            run.outcome.interrupted = Some(signal);
        }
        run.into_outcome()
    }
}

/// The run was ended by this signal.
struct Stop(i32);

struct Run<'a, 'w> {
    world: Engine<'w>,
    options: &'a EngineOptions,
    tallies: HashMap<String, Tally>,
    /// Names in order of first completion.
    order: IndexSet<String>,
    caches: Caches,
    outcome: Outcome,
}

impl Run<'_, '_> {
    fn rounds(&mut self, plan: &Plan) -> Result<(), Stop> {
        for round in (1..=plan.rounds).rev() {
            let taking_part = plan.groups.iter().flat_map(|group| &group.units);
            let event = RunEvent::RoundStarted {
                round: plan.rounds + 1 - round,
                rounds: plan.rounds,
                benchmarks: taking_part
                    .filter(|unit| round <= unit.rounds)
                    .map(|unit| unit.members.len())
                    .sum(),
            };
            self.world.reporter.report(&event);
            for group in &plan.groups {
                for unit in &group.units {
                    if round <= unit.rounds {
                        self.unit_round(group, unit, round)?;
                    }
                }
                if let Some(cache) = group.setup_cache.as_ref().filter(|_| round == 1) {
                    self.caches.remove(cache);
                }
            }
        }
        Ok(())
    }

    /// One round of one unit.
    fn unit_round(&mut self, group: &Group, unit: &Unit, round: usize) -> Result<(), Stop> {
        let active: Vec<&Planned> = unit
            .members
            .iter()
            .filter(|member| !self.tally(member).failed())
            .collect();
        if !active.is_empty() {
            let now = self.world.clock.unix_millis();
            for member in &active {
                self.tally(member).start(now);
            }
            match self.cache(group.setup_cache.as_ref())? {
                Ok(cache) => self.combinations(unit, &active, round, cache.as_deref())?,
                Err(failure) => {
                    for member in &active {
                        self.tally(member).fail(&failure);
                    }
                }
            }
            for member in &active {
                self.tally(member).finish_round();
                let finished = self.tally(member).finished(None);
                (self.world.keep)(&finished);
                self.remember(member);
            }
        }
        if round == 1 {
            for member in &unit.members {
                let finished = self.tally(member).finished(None);
                let event = RunEvent::BenchmarkFinished(&finished);
                self.world.reporter.report(&event);
                self.tally(member).forget_output();
            }
        }
        Ok(())
    }

    fn remember(&mut self, member: &Planned) {
        self.order.insert(member.benchmark.name().to_owned());
    }

    /// All combinations of a unit, one process each.
    fn combinations(
        &mut self,
        unit: &Unit,
        active: &[&Planned],
        round: usize,
        cache: Option<&Path>,
    ) -> Result<(), Stop> {
        for combination in unit.combinations() {
            let mut members: &[&Planned] = &active
                .iter()
                .filter(|member| {
                    member.combinations.contains(&combination)
                        && !member.benchmark.skipped.contains(&combination)
                })
                .copied()
                .collect::<Vec<&Planned>>();
            // Of a shared job that crashed, what comes behind the crash gets a process of its own.
            while !members.is_empty() {
                let names: Vec<&str> = members.iter().map(|m| m.benchmark.name()).collect();
                self.world.reporter.report(&RunEvent::JobStarted {
                    names: &names,
                    combination,
                    round: unit.rounds + 1 - round,
                    rounds: unit.rounds,
                });
                let job = self.job(unit, members, combination, cache);
                let done = self.one_job(&job, members, combination)?;
                members = &members[done.min(members.len())..];
            }
        }
        Ok(())
    }

    fn job(
        &mut self,
        unit: &Unit,
        members: &[&Planned],
        combination: usize,
        cache: Option<&Path>,
    ) -> Job {
        let known: Vec<Known> = members
            .iter()
            .map(|member| self.tally(member).known(combination))
            .collect();
        let attributes = &self.options.attributes;
        Job {
            profile: self.options.profile,
            ..benchmark_job(unit, members, &known, combination, attributes, cache)
        }
    }

    fn tally(&mut self, member: &Planned) -> &mut Tally {
        let name = member.benchmark.name();
        self.tallies
            .entry(name.to_owned())
            .or_insert_with(|| Tally::new(member.clone(), None, SampleOptions::default()))
    }

    /// Collects what there is, partly measured benchmarks included.
    fn into_outcome(mut self) -> Outcome {
        let reason = self.outcome.interrupted.map(failure::interrupted);
        let begun: Vec<String> = self
            .tallies
            .iter()
            .filter(|(name, tally)| tally.begun() && !self.order.contains(*name))
            .map(|(name, _)| name.clone())
            .collect();
        self.order.extend(begun);
        let order = std::mem::take(&mut self.order);
        let finished = order.iter().filter_map(|name| self.tallies.get(name));
        self.outcome.finished = finished
            .map(|tally| tally.finished(reason.as_ref()))
            .collect();
        let event = RunEvent::Finished {
            interrupted: self.outcome.interrupted,
        };
        self.world.reporter.report(&event);
        self.outcome
    }
}

#[cfg(test)]
mod tests;
