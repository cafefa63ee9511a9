//! Looks at the GPUs around every process run, flags what was disturbed, and sums up for the record.

use std::collections::BTreeMap;

use crate::gpu::{Journal, Observation, Target, Watch};
use crate::json::Json;
use crate::worker::{Discovery, Executor, Job, JobOutcome, JobReport, LaunchChoice, WorkerError};

/// A clock under load that differs by more than this share from that of earlier runs has drifted.
const DRIFT: f64 = 0.05;

/// So many earlier runs make a clock that others are compared with.
const ENOUGH: usize = 2;

/// Runs jobs as `inner` does, with an eye on the GPUs.
///
/// Nothing is asked of the driver more often than once a second while a job runs. The flags go with the
/// reports of the job, so that they end in the record of the benchmark.
pub struct GpuWatch<'a> {
    inner: &'a mut dyn Executor,
    targets: &'a [Target],
    journal: &'a mut Journal,
    clocks: Clocks,
}

impl<'a> GpuWatch<'a> {
    /// Watches `targets`; without any it does nothing. What is seen is added to `journal`.
    pub fn new(
        inner: &'a mut dyn Executor,
        targets: &'a [Target],
        journal: &'a mut Journal,
    ) -> Self {
        Self {
            inner,
            targets,
            journal,
            clocks: Clocks::default(),
        }
    }
}

impl Executor for GpuWatch<'_> {
    fn discover(&mut self) -> Result<Discovery, WorkerError> {
        self.inner.discover()
    }

    fn execute(&mut self, job: &Job) -> Result<JobOutcome, WorkerError> {
        if self.targets.is_empty() {
            return self.inner.execute(job);
        }
        let watch = Watch::begin(self.targets).map_err(WorkerError::Prepare)?;
        let result = self.inner.execute(job);
        let observation = watch.end();
        let mut flags: Vec<String> = observation.flags().into_iter().map(str::to_owned).collect();
        if self.clocks.drifted(job, &observation) {
            flags.push(crate::gpu::CLOCK_DRIFT.to_owned());
        }
        self.journal.add(&observation, &flags);
        let mut outcome = result?;
        for report in &mut outcome.reports {
            if let JobReport::Value {
                flags: own, facts, ..
            }
            | JobReport::Samples {
                flags: own, facts, ..
            } = report
            {
                own.extend(flags.iter().cloned());
                if let Some(energy) = observation.energy() {
                    let joules = Json::Float(thousandths(energy));
                    facts.insert("gpu_energy_joules".to_owned(), joules);
                }
            }
        }
        Ok(outcome)
    }

    fn launch(&self) -> Option<&LaunchChoice> {
        self.inner.launch()
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "an energy in millijoules is far below 2^53"
)]
fn thousandths(millijoules: u64) -> f64 {
    millijoules as f64 / 1000.0
}

/// The clocks under load of earlier runs, by benchmark and combination: other work has other clocks.
#[derive(Debug, Default)]
struct Clocks(BTreeMap<(Vec<String>, Option<usize>, usize), Vec<u32>>);

impl Clocks {
    /// Whether a clock of this run is far from those of earlier runs of the same job. One that is not
    /// enters the memory.
    fn drifted(&mut self, job: &Job, observation: &Observation) -> bool {
        let mut drifted = false;
        for (index, seen) in observation.devices.iter().enumerate() {
            let Some(clock) = seen.busy_clock() else {
                continue;
            };
            let key = (job.benchmarks.clone(), job.combination, index);
            let earlier = self.0.entry(key).or_default();
            if is_far(clock, earlier) {
                drifted = true;
            } else {
                earlier.push(clock);
            }
        }
        drifted
    }
}

fn is_far(clock: u32, earlier: &[u32]) -> bool {
    if earlier.len() < ENOUGH {
        return false;
    }
    let mut sorted = earlier.to_vec();
    sorted.sort_unstable();
    let usual = f64::from(sorted[sorted.len() / 2]);
    usual > 0.0 && (f64::from(clock) / usual - 1.0).abs() > DRIFT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_far_from_those_that_are_known() {
        assert!(!is_far(1200, &[1980]));
        assert!(is_far(1200, &[1980, 1965]));
        assert!(!is_far(1950, &[1980, 1965]));
        assert!(is_far(1980, &[1200, 1215, 1200]));
    }
}
