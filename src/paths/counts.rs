//! How often a fit evaluates what a fixture counts, by stage.

use serde::Serialize;

use super::bench::{Bench, Trouble, settle};
use super::fit::watched;
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
    let loaded = bench.loaded();
    let mut result = Counts {
        path: loaded.fit_path().to_owned(),
        counters: loaded.counted.clone(),
        ..Counts::default()
    };
    let outcome = run(bench, &mut result, tell);
    let stopped = settle(outcome, &mut result.problem);
    (result, stopped)
}

fn run(
    bench: &mut Bench<'_>,
    result: &mut Counts,
    tell: &mut dyn FnMut(&str),
) -> Result<(), Trouble> {
    let nothing = "the fixture declares nothing to count";
    let fitted = watched(bench, &result.path, Watch::Counted, nothing, tell)?;
    result.stages = fitted
        .stages
        .into_iter()
        .map(|stage| StageCounts {
            label: stage.label,
            calls: stage.watched.iter().map(|watched| watched.calls).collect(),
        })
        .collect();
    Ok(())
}
