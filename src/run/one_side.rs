//! One side of a paired measurement: runs single processes and adds up what they find.

mod finding;

use std::collections::HashMap;
use std::path::PathBuf;

use indexmap::IndexMap;

use crate::json::{Json, Object};
use crate::results::Failure;
use crate::suite::Kind;
use crate::worker::{Ending, Executor, JobReport, WorkerError};

use super::attributes::Attributes;
use super::caches::{Caches, Made, duration_key, fill, new_folder};
use super::engine::Outcome;
use super::event::Finished;
use super::failure;
use super::jobs::{Known, benchmark_job};
use super::plan::{Group, Plan, Planned, SetupCache, Unit};
use super::reading::{launch_word, measured, report_of, worker_failure};
use super::tally::{Measured, SampleOptions, Tally};

use finding::{all_failed, measured_of, taken};

pub use finding::{Finding, Noticed, Taken};

/// A process was ended by this signal to us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped(pub i32);

/// How samples of timings are taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    /// Seconds that a sample should last: short enough that many of them are undisturbed.
    pub sample_time: f64,
    pub warmup_time: f64,
    /// Samples of a process, at most.
    pub most: i64,
    /// Seconds after which no more are taken than one.
    pub seconds: f64,
}

impl Default for Sampling {
    fn default() -> Self {
        Self {
            sample_time: 0.0005,
            warmup_time: 0.02,
            most: 60,
            seconds: 0.2,
        }
    }
}

/// One side of a paired measurement.
pub struct OneSide<'a> {
    executor: &'a mut dyn Executor,
    attributes: &'a Attributes,
    sampling: Sampling,
    tallies: IndexMap<String, Tally>,
    caches: Caches,
    durations: IndexMap<String, f64>,
    leftovers: usize,
}

impl<'a> OneSide<'a> {
    /// A side on which nothing was measured yet.
    pub fn new(
        executor: &'a mut dyn Executor,
        plan: &Plan,
        attributes: &'a Attributes,
        sampling: Sampling,
    ) -> Self {
        let samples = SampleOptions {
            record: true,
            append: false,
        };
        let tallies = plan
            .benchmarks()
            .map(|planned| {
                let tally = Tally::new(planned.clone(), None, samples);
                (planned.benchmark.name().to_owned(), tally)
            })
            .collect();
        Self {
            executor,
            attributes,
            sampling,
            tallies,
            caches: Caches::default(),
            durations: IndexMap::new(),
            leftovers: 0,
        }
    }

    /// Sets an environment variable of the processes from now on.
    pub fn set_variable(&mut self, name: &str, value: &str) {
        self.executor.set_variable(name, value);
    }

    /// Runs one process for `members` of a unit. `numbers` holds the calls of each sample where they
    /// are settled.
    pub fn take(
        &mut self,
        group: &Group,
        unit: &Unit,
        members: &[&Planned],
        combination: usize,
        numbers: &HashMap<String, i64>,
    ) -> Result<Vec<Finding>, Stopped> {
        let cache = match self.cache(group.setup_cache.as_ref())? {
            Ok(cache) => cache,
            Err(failure) => return Ok(all_failed(members, &failure)),
        };
        let known: Vec<Known> = members
            .iter()
            .map(|member| Known {
                number: numbers.get(member.benchmark.name()).copied(),
                profile: None,
            })
            .collect();
        let mut job = benchmark_job(
            unit,
            members,
            &known,
            combination,
            self.attributes,
            cache.as_deref(),
        );
        for member in members {
            let own = job
                .attributes_by_benchmark
                .entry(member.benchmark.name().to_owned())
                .or_default();
            self.shorten(member, own);
        }
        let outcome = match self.executor.execute(&job) {
            Ok(outcome) => outcome,
            Err(WorkerError::Interrupted(signal)) => return Err(Stopped(signal)),
            Err(error) => return Ok(all_failed(members, &worker_failure(&error))),
        };
        self.leftovers += outcome.leftovers;
        if let Ending::Interrupted(signal) = outcome.ending {
            return Err(Stopped(signal));
        }
        let share = outcome.wall / u32::try_from(members.len().max(1)).unwrap_or(1);
        let mut findings = Vec::with_capacity(members.len());
        for (at, member) in members.iter().enumerate() {
            let name = member.benchmark.name();
            let found = measured(member, &outcome, at + 1 == members.len())
                .unwrap_or_else(|| Measured::Failed(failure::ended(&outcome, member.timeout)));
            let (mut flags, facts) = match report_of(name, &outcome) {
                Some(
                    JobReport::Value { flags, facts, .. } | JobReport::Samples { flags, facts, .. },
                ) => (flags.clone(), facts.clone()),
                _ => Default::default(),
            };
            flags.extend(outcome.flags.iter().cloned());
            if let Some(tally) = self.tallies.get_mut(name) {
                tally.learn(&facts);
                tally.ran(share, launch_word(outcome.launch), "");
            }
            findings.push(Finding {
                benchmark: name.to_owned(),
                taken: taken(found),
                noticed: Noticed {
                    compiled: flags.iter().any(|flag| flag == "compiled-while-timed"),
                    flags,
                    run_queue_delay: outcome.run_queue_delay,
                },
            });
        }
        Ok(findings)
    }

    /// Adds a finding to the results of its benchmark.
    pub fn enter(&mut self, combination: usize, finding: &Finding, unix_millis: i64) {
        let Some(tally) = self.tallies.get_mut(&finding.benchmark) else {
            return;
        };
        if !tally.begun() {
            tally.start(unix_millis);
        }
        tally.flag(&finding.noticed.flags);
        tally.enter(combination, measured_of(&finding.taken));
    }

    /// What there is by now, for the result file.
    pub fn outcome(&self, interrupted: Option<i32>) -> Outcome {
        let reason = interrupted.map(failure::interrupted);
        let finished: Vec<Finished> = self
            .tallies
            .values()
            .filter(|tally| tally.begun())
            .map(|tally| tally.finished(reason.as_ref()))
            .collect();
        Outcome {
            finished,
            durations: self.durations.clone(),
            interrupted,
            leftovers: self.leftovers,
        }
    }

    /// Short samples for timings, unless the suite or the user has set them.
    fn shorten(&self, member: &Planned, own: &mut Object) {
        if member.benchmark.kind != Kind::Time {
            return;
        }
        let raw = &member.benchmark.record.raw;
        let given = self.attributes.for_jobs();
        let is = |key: &str, usual: f64| {
            !given.contains_key(key)
                && raw
                    .get(key)
                    .and_then(Json::as_f64)
                    .is_none_or(|value| (value - usual).abs() < 1e-12)
        };
        if is("sample_time", 0.01) {
            own.insert("sample_time".to_owned(), self.sampling.sample_time.into());
        }
        if is("warmup_time", -1.0) {
            own.insert("warmup_time".to_owned(), self.sampling.warmup_time.into());
        }
        if is("repeat", 0.0) && !matches!(raw.get("repeat"), Some(Json::Array(_))) {
            let repeat = vec![
                Json::Int(1),
                Json::Int(self.sampling.most),
                Json::Float(self.sampling.seconds),
            ];
            own.insert("repeat".to_owned(), Json::Array(repeat));
        }
    }

    /// The folder with the result of `setup_cache`, made once for this side.
    fn cache(
        &mut self,
        wanted: Option<&SetupCache>,
    ) -> Result<Result<Option<PathBuf>, Failure>, Stopped> {
        let Some(wanted) = wanted else {
            return Ok(Ok(None));
        };
        if !self.caches.knows(wanted) {
            let made = self.make_cache(wanted)?;
            self.caches.keep(wanted, made);
        }
        Ok(self.caches.folder(wanted))
    }

    fn make_cache(&mut self, wanted: &SetupCache) -> Result<Made, Stopped> {
        let folder = match new_folder() {
            Ok(folder) => folder,
            Err(failure) => return Ok(Err(failure)),
        };
        let (made, ended) = fill(self.executor, wanted, folder).map_err(Stopped)?;
        if let Some(ended) = ended {
            self.leftovers += ended.leftovers;
            self.durations
                .insert(duration_key(wanted), ended.wall.as_secs_f64());
        }
        Ok(made)
    }
}
