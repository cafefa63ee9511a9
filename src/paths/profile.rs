//! A loop of the compiled path alone, under a profiler.

use std::path::PathBuf;

use serde::Serialize;

use super::bench::{Bench, Trouble, settle};
use super::py_spy::Sampling;
use super::report::Problem;
use super::runner::RunnerError;
use super::sampled::{ProfileOptions, finish, of_profiler};

/// Untimed calls before the loop.
pub(super) const WARM_UPS: u32 = 50;

/// Calls of the loop unless another number is asked for.
const CALLS: u32 = 5000;

/// The mode's result.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Profile {
    pub path: String,
    pub calls: u32,
    pub warm_ups: u32,
    /// Samples a second; `None` for the bare loop.
    pub rate: Option<u32>,
    /// Samples that were taken, where the profiler tells.
    pub samples: Option<u64>,
    /// Seconds of the loop.
    pub seconds: Option<f64>,
    /// The flame graph.
    pub output: Option<PathBuf>,
    pub problem: Option<Problem>,
}

/// Profiles the compiled path, if it can be had.
pub(super) fn measure(
    bench: &mut Bench<'_>,
    calls: Option<u32>,
    options: &ProfileOptions,
    tell: &mut dyn FnMut(&str),
) -> (Profile, Option<RunnerError>) {
    let loaded = bench.loaded().clone();
    let mut result = Profile {
        path: loaded.compiled.clone(),
        calls: calls.unwrap_or(CALLS),
        warm_ups: WARM_UPS,
        rate: (!options.bare).then_some(options.rate),
        ..Profile::default()
    };
    if let Some(reason) = loaded.unavailable(&loaded.compiled) {
        result.problem = Some(Problem::skipped(reason));
        return (result, None);
    }
    let outcome = run(bench, &mut result, options, tell);
    let stopped = settle(outcome, &mut result.problem);
    (result, stopped)
}

fn run(
    bench: &mut Bench<'_>,
    result: &mut Profile,
    options: &ProfileOptions,
    tell: &mut dyn FnMut(&str),
) -> Result<(), Trouble> {
    let path = result.path.clone();
    // What is missing is said before anything is built for it.
    let picture = if options.bare {
        None
    } else {
        bench.require_profiler().map_err(of_profiler)?;
        Some(options.picture(&bench.loaded().entry.name)?)
    };
    bench.build(&path)?;
    bench.warm(&path, WARM_UPS)?;
    let process = bench.trace()?;
    let Some(picture) = picture else {
        tell(&format!(
            "the loop of {} calls runs in process {process}",
            result.calls
        ));
        result.seconds = Some(bench.bare_loop(&path, result.calls)?);
        return Ok(());
    };
    let sampling = Sampling {
        output: picture.path().to_owned(),
        rate: options.rate,
    };
    let attached = bench.attach(process, &sampling).map_err(of_profiler)?;
    tell(&format!(
        "{} calls under py-spy, {} samples a second",
        result.calls, options.rate
    ));
    let looped = bench.bare_loop(&path, result.calls);
    let (seconds, graph) = finish(attached, picture, looped)?;
    result.seconds = Some(seconds);
    result.samples = graph.samples;
    result.output = Some(graph.output);
    Ok(())
}
