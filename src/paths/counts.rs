//! How often a fit evaluates what a fixture counts, by stage.

use serde::Serialize;

use super::bench::{Bench, Trouble};
use super::fit::{NO_FIT, request};
use super::report::Problem;
use super::request::Watch;
use super::runner::RunnerError;

/// The mode's result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// The path that the fit ran on.
    pub path: String,
    /// What is counted.
    pub counters: Vec<String>,
    pub stages: Vec<StageCounts>,
    pub problem: Option<Problem>,
}

/// Calls within one stage, in the order of the counters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct StageCounts {
    pub label: String,
    pub calls: Vec<i64>,
}

impl Counts {
    /// Calls up to and with each stage, in the order of the counters.
    pub fn running_totals(&self) -> Vec<Vec<i64>> {
        let mut totals = vec![0; self.counters.len()];
        self.stages
            .iter()
            .map(|stage| {
                for (total, calls) in totals.iter_mut().zip(&stage.calls) {
                    *total += calls;
                }
                totals.clone()
            })
            .collect()
    }
}

/// One fit that counts.
pub(super) fn measure(
    bench: &mut Bench<'_>,
    tell: &mut dyn FnMut(&str),
) -> (Counts, Option<RunnerError>) {
    let loaded = bench.loaded().clone();
    let mut result = Counts {
        path: loaded.fit_path().to_owned(),
        counters: loaded.counted.clone(),
        ..Counts::default()
    };
    if !loaded.fits {
        result.problem = Some(Problem::skipped(NO_FIT));
    } else if loaded.counted.is_empty() {
        result.problem = Some(Problem::skipped("the fixture declares nothing to count"));
    }
    if result.problem.is_some() {
        return (result, None);
    }
    tell(&format!("counting in a fit: {}", result.path));
    match bench.fit(request(&result.path, Watch::Counted)) {
        Ok(fitted) => {
            result.stages = fitted
                .stages
                .into_iter()
                .map(|stage| StageCounts {
                    label: stage.label,
                    calls: stage.watched.iter().map(|watched| watched.calls).collect(),
                })
                .collect();
        }
        Err(Trouble::Skipped(reason)) => result.problem = Some(Problem::skipped(reason)),
        Err(Trouble::Failed(failure)) => result.problem = Some(failure.into()),
        Err(Trouble::Stop(error)) => return (result, Some(error)),
    }
    (result, None)
}
