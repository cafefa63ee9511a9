//! Time of one evaluation on each path, in interleaved blocks.

use serde::Serialize;

use super::bench::{Bench, Built, Trouble};
use super::orders::{blocks, orders};
use super::report::Problem;
use super::runner::RunnerError;
use super::spread::{Ratio, interval, median, paired_ratio};

/// Untimed calls of each path before the first round, beside the one that the plan is checked with.
pub(super) const WARM_UPS: u32 = 5;

/// The mode's result.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PerCall {
    /// Shape of the output; `None` where no path has one.
    pub grid: Option<Vec<i64>>,
    /// Timed calls of each path that are done, warm-ups before them, and rounds.
    pub calls: u32,
    pub warm_ups: u32,
    pub rounds: usize,
    pub reference: String,
    pub compiled: String,
    pub paths: Vec<PathTimes>,
    /// Why nothing of it was measured.
    pub problem: Option<Problem>,
}

/// One path.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PathTimes {
    pub label: String,
    /// Its first call compiles.
    pub compiles: bool,
    /// Seconds of making the plan and of the first evaluation.
    pub build: Option<f64>,
    pub first: Option<f64>,
    /// Seconds per call, one value a block, in the order of the rounds.
    pub samples: Vec<f64>,
    /// Median of the blocks, and the bounds of its 99 % interval.
    pub median: Option<f64>,
    pub interval: Option<(f64, f64)>,
    /// How many times faster than the reference and the compiled path.
    pub speed_ups: Vec<SpeedUp>,
    /// Largest absolute difference from the output of the reference and of the compiled path.
    pub differences: Vec<Difference>,
    pub problem: Option<Problem>,
}

/// How many times faster than another path.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SpeedUp {
    pub over: String,
    #[serde(flatten)]
    pub ratio: Ratio,
}

/// The largest absolute difference from another path's output.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    pub from: String,
    pub largest: f64,
}

impl PathTimes {
    fn is_live(&self) -> bool {
        self.problem.is_none()
    }

    /// What is paid once a plan: making it and the first evaluation, for a path that compiles.
    pub(super) fn once(&self) -> Option<f64> {
        self.build
            .zip(self.first)
            .filter(|_| self.compiles)
            .map(|(build, first)| build + first)
    }
}

impl PerCall {
    pub(super) fn path(&self, label: &str) -> Option<&PathTimes> {
        self.paths.iter().find(|path| path.label == label)
    }
}

/// Measures all paths that can be had. What is done when a signal comes is in the result.
pub(super) fn measure(
    bench: &mut Bench<'_>,
    calls: u32,
    tell: &mut dyn FnMut(&str),
) -> (PerCall, Option<RunnerError>) {
    let loaded = bench.loaded().clone();
    let mut result = PerCall {
        warm_ups: WARM_UPS,
        reference: loaded.reference.clone(),
        compiled: loaded.compiled.clone(),
        ..PerCall::default()
    };
    if let Some(reason) = loaded.unavailable(&loaded.compiled) {
        result.problem = Some(Problem::skipped(reason));
        return (result, None);
    }
    result.paths = loaded
        .paths
        .iter()
        .map(|path| PathTimes {
            label: path.label.clone(),
            compiles: path.compiles,
            problem: path.unavailable.as_deref().map(Problem::skipped),
            ..PathTimes::default()
        })
        .collect();
    let stopped = run(bench, &mut result, calls, tell).err();
    conclude(&mut result);
    (result, stopped)
}

fn run(
    bench: &mut Bench<'_>,
    result: &mut PerCall,
    calls: u32,
    tell: &mut dyn FnMut(&str),
) -> Result<(), RunnerError> {
    build_all(bench, result, true)?;
    if !result.paths.iter().any(PathTimes::is_live) {
        return Ok(());
    }
    let blocks = blocks(calls);
    tell(&format!(
        "per call: {} rounds of {}",
        blocks.len(),
        names_of_live(result)
    ));
    for (order, calls) in orders(result.paths.len(), blocks.len()).iter().zip(&blocks) {
        let mut times = vec![None; result.paths.len()];
        for &place in order {
            if bench.is_fresh() {
                // A path took the process with it; the others need new plans.
                build_all(bench, result, false)?;
            }
            let path = &mut result.paths[place];
            if path.is_live() {
                let block = bench.block(&path.label, *calls);
                times[place] = keep(path, block)?.map(|seconds| seconds / f64::from(*calls));
            }
        }
        for (path, time) in result.paths.iter_mut().zip(times) {
            path.samples.extend(time);
        }
        result.rounds += 1;
        result.calls += calls;
    }
    compare_all(bench, result)
}

/// Compares outputs: the reference, first, with its own at the beginning; all others with those of the
/// reference and of the compiled path, as far as these are of use.
fn compare_all(bench: &mut Bench<'_>, result: &mut PerCall) -> Result<(), RunnerError> {
    for place in reference_first(result) {
        if bench.is_fresh() {
            build_all(bench, result, false)?;
        }
        let anchors: Vec<String> = [&result.reference, &result.compiled]
            .into_iter()
            .filter(|label| result.path(label).is_some_and(PathTimes::is_live))
            .cloned()
            .collect();
        let path = &mut result.paths[place];
        if !path.is_live() {
            continue;
        }
        let compared = bench.compare(&path.label, &anchors);
        let differences = keep(path, compared)?.unwrap_or_default();
        let is_reference = path.label == result.reference;
        path.differences = differences
            .into_iter()
            .filter(|(from, largest)| {
                if is_reference {
                    // That it is what it was goes without saying.
                    *from == path.label && *largest > 0.0
                } else {
                    *from != path.label
                }
            })
            .map(|(from, largest)| Difference { from, largest })
            .collect();
    }
    Ok(())
}

/// The places of all paths, that of the reference first: the others are checked against it.
fn reference_first(result: &PerCall) -> Vec<usize> {
    let mut places: Vec<usize> = (0..result.paths.len()).collect();
    places.sort_by_key(|place| result.paths[*place].label != result.reference);
    places
}

/// Makes the plans of all live paths, the reference first.
fn build_all(
    bench: &mut Bench<'_>,
    result: &mut PerCall,
    first_time: bool,
) -> Result<(), RunnerError> {
    let places = reference_first(result);
    loop {
        let mut lost = false;
        for &place in &places {
            let path = &mut result.paths[place];
            if !path.is_live() {
                continue;
            }
            let Built {
                build,
                first,
                shape,
            } = {
                let built = bench.build(&path.label);
                let Some(built) = keep(path, built)? else {
                    // Its end may have been that of the process.
                    lost |= bench.is_fresh();
                    continue;
                };
                built
            };
            if first_time && path.build.is_none() {
                path.build = Some(build);
                path.first = Some(first);
            }
            // The first of them is the reference, if that can be had.
            result.grid.get_or_insert(shape);
            let warmed = bench.warm(&path.label, WARM_UPS);
            if keep(path, warmed)?.is_none() {
                lost |= bench.is_fresh();
            }
        }
        if !lost {
            return Ok(());
        }
    }
}

/// The answer, or `None` with the problem noted on the path.
fn keep<T>(path: &mut PathTimes, answer: Result<T, Trouble>) -> Result<Option<T>, RunnerError> {
    match answer {
        Ok(value) => Ok(Some(value)),
        Err(trouble) => {
            path.problem = Some(trouble.problem()?);
            Ok(None)
        }
    }
}

/// Medians, intervals and speed-ups from the samples.
fn conclude(result: &mut PerCall) {
    // What a path that failed took says nothing.
    for path in result.paths.iter_mut().filter(|path| path.is_live()) {
        path.median = median(&path.samples);
        path.interval = interval(&path.samples);
    }
    let mut anchors = vec![&result.reference];
    anchors.extend(Some(&result.compiled).filter(|label| *label != &result.reference));
    let samples: Vec<(String, Vec<f64>)> = anchors
        .iter()
        .filter_map(|label| result.path(label))
        .filter(|path| path.is_live())
        .map(|path| (path.label.clone(), path.samples.clone()))
        .collect();
    let reference = result.reference.clone();
    let others = |path: &&mut PathTimes| path.is_live() && path.label != reference;
    for path in result.paths.iter_mut().filter(others) {
        path.speed_ups = samples
            .iter()
            .filter(|(label, _)| *label != path.label)
            .filter_map(|(label, other)| {
                Some(SpeedUp {
                    over: label.clone(),
                    ratio: paired_ratio(other, &path.samples)?,
                })
            })
            .collect();
    }
}

fn names_of_live(result: &PerCall) -> String {
    let names: Vec<&str> = result
        .paths
        .iter()
        .filter(|path| path.is_live())
        .map(|path| path.label.as_str())
        .collect();
    names.join(", ")
}
