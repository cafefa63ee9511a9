//! What a run says while it goes on. Reporters consume it; nothing flows back.

use std::time::Duration;

use crate::results::{BenchmarkProvenance, BenchmarkResult, Failure};
use crate::suite::Benchmark;

use super::plan::Plan;

/// Listens to a run.
pub trait Reporter {
    /// Something happened. Called between jobs only, never while a sample is taken.
    fn report(&mut self, event: &RunEvent<'_>);
}

/// One thing that happened.
#[derive(Debug)]
pub enum RunEvent<'a> {
    /// The plan is made; nothing was run yet.
    Started { plan: &'a Plan },
    /// A round begins, counted from 1 upwards; so many benchmarks take part in it.
    RoundStarted {
        round: usize,
        rounds: usize,
        benchmarks: usize,
    },
    /// `setup_cache` is about to run.
    CacheStarted { key: &'a str },
    /// `setup_cache` ended; `failure` says whether it worked.
    CacheFinished {
        key: &'a str,
        wall: Duration,
        failure: Option<&'a Failure>,
        /// What it printed.
        output: &'a str,
    },
    /// A process is about to be started for these benchmarks.
    JobStarted {
        names: &'a [&'a str],
        /// Position of the combination.
        combination: usize,
        /// Counted from 1 upwards, for people.
        round: usize,
        rounds: usize,
    },
    /// That process ended.
    JobFinished { wall: Duration },
    /// The last round of a benchmark is over.
    BenchmarkFinished(&'a Finished),
    /// The run is over, or was ended by this signal.
    Finished { interrupted: Option<i32> },
}

/// A benchmark with the outcome of its rounds so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    pub benchmark: Benchmark,
    /// The combinations that were selected, ascending.
    pub combinations: Vec<usize>,
    pub result: BenchmarkResult,
    pub provenance: BenchmarkProvenance,
    /// The end of what its processes printed, both streams.
    pub output: String,
}
