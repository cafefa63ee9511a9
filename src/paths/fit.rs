//! Whole fits on each path, in alternating order.

use serde::Serialize;

use super::bench::{Bench, Fitted, Trouble};
use super::orders::orders;
use super::per_call::SpeedUp;
use super::report::Problem;
use super::request::{FitRequest, Watch};
use super::runner::RunnerError;
use super::spread::{median, paired_ratio};

/// Said where a fixture has no fit.
pub(super) const NO_FIT: &str = "the fixture declares no fit";

/// The mode's result.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct FitTimes {
    pub repetitions: usize,
    pub reference: String,
    pub compiled: String,
    /// The stage that is compared: the last one.
    pub stage: String,
    pub paths: Vec<PathFits>,
    pub problem: Option<Problem>,
}

/// The fits of one path.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PathFits {
    pub label: String,
    pub runs: Vec<FitRun>,
    /// Median seconds of the compared stage.
    pub median: Option<f64>,
    pub speed_ups: Vec<SpeedUp>,
    pub problem: Option<Problem>,
}

/// One fit.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct FitRun {
    /// Seconds of each stage by label, in their order.
    pub stages: Vec<(String, f64)>,
    pub reduced_chi_square: f64,
    /// Programs that JAX compiled.
    pub compilations: i64,
}

impl FitRun {
    /// Seconds of the compared stage.
    pub fn seconds(&self) -> f64 {
        self.stages.last().map_or(f64::NAN, |(_, seconds)| *seconds)
    }
}

impl From<Fitted> for FitRun {
    fn from(fitted: Fitted) -> Self {
        Self {
            stages: fitted
                .stages
                .into_iter()
                .map(|stage| (stage.label, stage.seconds))
                .collect(),
            reduced_chi_square: fitted.reduced_chi_square,
            compilations: fitted.compilations,
        }
    }
}

impl FitTimes {
    pub(super) fn path(&self, label: &str) -> Option<&PathFits> {
        self.paths.iter().find(|path| path.label == label)
    }
}

/// Runs the fits of all paths that can be had.
pub(super) fn measure(
    bench: &mut Bench<'_>,
    repetitions: usize,
    tell: &mut dyn FnMut(&str),
) -> (FitTimes, Option<RunnerError>) {
    let loaded = bench.loaded().clone();
    let mut result = FitTimes {
        repetitions,
        reference: loaded.reference.clone(),
        compiled: loaded.compiled.clone(),
        ..FitTimes::default()
    };
    if !loaded.fits {
        result.problem = Some(Problem::skipped(NO_FIT));
        return (result, None);
    }
    result.paths = loaded
        .paths
        .iter()
        .map(|path| PathFits {
            label: path.label.clone(),
            problem: path.unavailable.as_deref().map(Problem::skipped),
            ..PathFits::default()
        })
        .collect();
    let stopped = run(bench, &mut result, tell).err();
    conclude(&mut result);
    (result, stopped)
}

fn run(
    bench: &mut Bench<'_>,
    result: &mut FitTimes,
    tell: &mut dyn FnMut(&str),
) -> Result<(), RunnerError> {
    for (repetition, order) in orders(result.paths.len(), result.repetitions)
        .iter()
        .enumerate()
    {
        for &place in order {
            let path = &mut result.paths[place];
            if path.problem.is_some() {
                continue;
            }
            tell(&format!(
                "fit {} of {}: {}",
                repetition + 1,
                result.repetitions,
                path.label
            ));
            match bench.fit(request(&path.label, Watch::Nothing)) {
                Ok(fitted) => path.runs.push(fitted.into()),
                Err(trouble) => path.problem = Some(trouble.problem()?),
            }
        }
    }
    Ok(())
}

/// One fit from the model's own initial values with some functions watched, `declared` by name.
/// Skipped where there is no fit, or for the reason `nothing` where no function is declared.
pub(super) fn watched(
    bench: &mut Bench<'_>,
    path: &str,
    watch: Watch,
    nothing: &str,
    tell: &mut dyn FnMut(&str),
) -> Result<Fitted, Trouble> {
    let loaded = bench.loaded();
    let (declared, doing) = match watch {
        Watch::Nothing | Watch::Counted => (&loaded.counted, "counting in a fit"),
        Watch::Planning => (&loaded.planning, "timing the planning of a fit"),
    };
    if !loaded.fits {
        return Err(Trouble::Skipped(NO_FIT.to_owned()));
    }
    if declared.is_empty() {
        return Err(Trouble::Skipped(nothing.to_owned()));
    }
    tell(&format!("{doing}: {}", loaded.fit_path()));
    bench.fit(request(path, watch))
}

/// A fit from the model's own initial values.
fn request(path: &str, watch: Watch) -> FitRequest {
    FitRequest {
        path: path.to_owned(),
        watch,
        start: 0,
        known: Vec::new(),
    }
}

fn conclude(result: &mut FitTimes) {
    let seconds = |path: &PathFits| -> Vec<f64> { path.runs.iter().map(FitRun::seconds).collect() };
    let last = |run: &FitRun| run.stages.last().map(|(label, _)| label.clone());
    let mut runs = result.paths.iter().flat_map(|path| &path.runs);
    result.stage = runs.find_map(last).unwrap_or_default();
    let reference = result.reference.clone();
    let of_anchors: Vec<(String, Vec<f64>)> = [&result.reference, &result.compiled]
        .into_iter()
        .filter_map(|label| result.path(label))
        .map(|path| (path.label.clone(), seconds(path)))
        .collect();
    for path in &mut result.paths {
        let own = seconds(path);
        path.median = median(&own);
        if path.label == reference {
            continue;
        }
        path.speed_ups = of_anchors
            .iter()
            .filter(|(label, _)| *label != path.label)
            .filter_map(|(label, other)| {
                Some(SpeedUp {
                    over: label.clone(),
                    ratio: paired_ratio(other, &own)?,
                })
            })
            .collect();
    }
}
