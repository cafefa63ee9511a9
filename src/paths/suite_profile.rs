//! A loop of one benchmark of a suite under a profiler.

use std::path::PathBuf;
use std::time::Duration;

use super::bench::{Trouble, settle};
use super::py_spy::Sampling;
use super::reply::{Failure, Reply};
use super::report::Problem;
use super::request::{Length, Request, SuiteBenchmark};
use super::runner::{Runner, RunnerError};
use super::sampled::{ProfileOptions, finish, of_profiler};
use crate::json::{Json, Object};

/// What came of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SuiteProfile {
    /// The benchmark's name with the values of its parameters.
    pub benchmark: String,
    pub warm_ups: i64,
    /// Calls of the loop and the seconds that they took, setups between them included.
    pub calls: i64,
    pub seconds: Option<f64>,
    /// Samples a second; `None` for the bare loop.
    pub rate: Option<u32>,
    /// Samples that were taken, where the profiler tells.
    pub samples: Option<u64>,
    /// The flame graph.
    pub output: Option<PathBuf>,
    pub problem: Option<Problem>,
}

/// Sets the benchmark up, calls it in a loop under the profiler, and tears it down. An error is what
/// ended everything, an interruption among them.
pub fn profile_benchmark(
    runner: &mut dyn Runner,
    deadline: Duration,
    benchmark: &SuiteBenchmark,
    length: Length,
    options: &ProfileOptions,
    tell: &mut dyn FnMut(&str),
) -> (SuiteProfile, Option<RunnerError>) {
    let mut result = SuiteProfile {
        benchmark: benchmark.shown.clone(),
        rate: (!options.bare).then_some(options.rate),
        ..SuiteProfile::default()
    };
    let mut asking = Asking { runner, deadline };
    let outcome = run(&mut asking, benchmark, length, options, &mut result, tell);
    let stopped = settle(outcome, &mut result.problem);
    (result, stopped)
}

/// A runner that is asked, and what its answers mean.
struct Asking<'r> {
    runner: &'r mut dyn Runner,
    deadline: Duration,
}

impl Asking<'_> {
    fn ask(&mut self, request: &Request) -> Result<Object, Trouble> {
        match self.runner.ask(request, self.deadline)? {
            Reply::Answer(fields) => Ok(fields),
            Reply::Skipped(reason) => Err(Trouble::Skipped(reason)),
            Reply::Failed(failure) => Err(Trouble::Failed(failure)),
            Reply::Refused(message) => Err(Trouble::Failed(Failure::new(message))),
        }
    }
}

fn run(
    asking: &mut Asking<'_>,
    benchmark: &SuiteBenchmark,
    length: Length,
    options: &ProfileOptions,
    result: &mut SuiteProfile,
    tell: &mut dyn FnMut(&str),
) -> Result<(), Trouble> {
    asking.ask(&Request::Hello)?;
    // What is missing is said before anything is set up for it.
    let picture = if options.bare {
        None
    } else {
        asking.runner.require_profiler().map_err(of_profiler)?;
        Some(options.picture(&benchmark.shown)?)
    };
    tell("setting up");
    let prepared = asking.ask(&Request::Prepare(benchmark.clone()))?;
    result.warm_ups = whole(&prepared, "warm_ups");
    let process = whole(&asking.ask(&Request::Trace)?, "pid");
    let repeat = Request::Repeat(length);
    if let Length::Lasting(duration) = length {
        asking.deadline = asking.deadline.saturating_add(duration);
    }
    let looped = if let Some(picture) = picture {
        let sampling = Sampling {
            output: picture.path().to_owned(),
            rate: options.rate,
        };
        let attached = asking.runner.attach(process, &sampling);
        let attached = attached.map_err(of_profiler)?;
        tell(&format!(
            "{} under py-spy, {} samples a second",
            of_length(length),
            options.rate
        ));
        let looped = asking.ask(&repeat);
        let (looped, graph) = finish(attached, picture, looped)?;
        result.samples = graph.samples;
        result.output = Some(graph.output);
        looped
    } else {
        tell(&format!("{} in process {process}", of_length(length)));
        asking.ask(&repeat)?
    };
    result.calls = whole(&looped, "calls");
    result.seconds = looped.get("seconds").and_then(Json::as_f64);
    asking.ask(&Request::Release).map(drop)
}

fn of_length(length: Length) -> String {
    match length {
        Length::Calls(1) => "1 call".to_owned(),
        Length::Calls(calls) => format!("{calls} calls"),
        Length::Lasting(duration) => format!("calls for {} s", duration.as_secs_f64()),
    }
}

fn whole(fields: &Object, key: &str) -> i64 {
    fields.get(key).and_then(Json::as_i64).unwrap_or(0)
}
