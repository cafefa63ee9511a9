//! Looks at the GPUs around every process run, flags what was disturbed, and sums up for the record.

use crate::gpu::{Journal, Observer, Target};
use crate::json::Json;
use crate::worker::{Discovery, Executor, Job, JobOutcome, JobReport, LaunchChoice, WorkerError};

/// Runs jobs as `inner` does, with an eye on the GPUs. The flags go with the outcome of the job, so that
/// they end in the records of its benchmarks.
pub struct GpuWatch<'a> {
    inner: &'a mut dyn Executor,
    observer: Observer<'a>,
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
            observer: Observer::new(targets, journal),
        }
    }
}

impl Executor for GpuWatch<'_> {
    fn discover(&mut self) -> Result<Discovery, WorkerError> {
        self.inner.discover()
    }

    fn execute(&mut self, job: &Job) -> Result<JobOutcome, WorkerError> {
        let work = format!("{:?} {:?}", job.benchmarks, job.combination);
        let inner = &mut self.inner;
        let (result, around) = self
            .observer
            .around(&work, || inner.execute(job))
            .map_err(WorkerError::Prepare)?;
        let mut outcome = result?;
        let Some(around) = around else {
            return Ok(outcome);
        };
        outcome.flags.extend(around.flags);
        let Some(energy) = around.observation.energy() else {
            return Ok(outcome);
        };
        for report in &mut outcome.reports {
            if let JobReport::Value { facts, .. } | JobReport::Samples { facts, .. } = report {
                let joules = Json::Float(thousandths(energy));
                facts.insert("gpu_energy_joules".to_owned(), joules);
            }
        }
        Ok(outcome)
    }

    fn set_variable(&mut self, name: &str, value: &str) {
        self.inner.set_variable(name, value);
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
