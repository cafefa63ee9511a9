//! One job: its process, and what its end means for the benchmarks in it.

use std::time::Duration;

use crate::run::event::RunEvent;
use crate::run::failure;
use crate::run::plan::Planned;
use crate::run::reading::{launch_word, measured, report_of, worker_failure};
use crate::run::tally::Measured;
use crate::worker::{Ending, Job, JobOutcome, JobReport, WorkerError};

use super::{Run, Stop};

impl Run<'_, '_> {
    /// Runs one job and enters what it found out. Returns how many of its benchmarks are done.
    pub(super) fn one_job(
        &mut self,
        job: &Job,
        members: &[&Planned],
        combination: usize,
    ) -> Result<usize, Stop> {
        let outcome = match self.world.executor.execute(job) {
            Ok(outcome) => outcome,
            Err(WorkerError::Interrupted(signal)) => return Err(Stop(signal)),
            Err(error) => {
                let failure = worker_failure(&error);
                for member in members {
                    let measured = Measured::Failed(failure.clone());
                    self.tally(member).enter(combination, measured);
                }
                self.job_finished(Duration::ZERO);
                return Ok(members.len());
            }
        };
        self.outcome.leftovers += outcome.leftovers;
        let mut done = 0;
        for member in members {
            let last = done + 1 == members.len();
            if let Some(measured) = measured(member, &outcome, last) {
                self.enter(member, combination, measured, &outcome);
                done += 1;
                continue;
            }
            if let Ending::Interrupted(signal) = outcome.ending {
                return Err(Stop(signal));
            }
            let failure = failure::ended(&outcome, member.timeout);
            self.enter(member, combination, Measured::Failed(failure), &outcome);
            done += 1;
            break;
        }
        let share = outcome.wall / u32::try_from(done.max(1)).unwrap_or(1);
        let launch = launch_word(outcome.launch);
        let output = failure::output_of(&outcome);
        for member in &members[..done] {
            self.tally(member).ran(share, launch, &output);
        }
        self.job_finished(outcome.wall);
        Ok(done)
    }

    fn enter(
        &mut self,
        member: &Planned,
        combination: usize,
        measured: Measured,
        outcome: &JobOutcome,
    ) {
        let name = member.benchmark.name();
        self.tally(member).flag(&outcome.flags);
        let profile = match report_of(name, outcome) {
            Some(
                JobReport::Value {
                    flags,
                    facts,
                    profile,
                    ..
                }
                | JobReport::Samples {
                    flags,
                    facts,
                    profile,
                    ..
                },
            ) => {
                self.tally(member).flag(flags);
                self.tally(member).learn(facts);
                profile.clone()
            }
            _ => None,
        };
        self.tally(member).profiled(profile);
        self.tally(member).enter(combination, measured);
    }

    fn job_finished(&mut self, wall: Duration) {
        let event = RunEvent::JobFinished { wall };
        self.world.reporter.report(&event);
    }
}
