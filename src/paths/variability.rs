//! How a fit depends on where it starts: a diagnosis, no test.

use serde::Serialize;

use super::bench::Bench;
use super::fit::NO_FIT;
use super::fixture::Bounds;
use super::report::Problem;
use super::request::{FitRequest, Watch};
use super::runner::RunnerError;
use crate::json::Json;

/// A reduced chi-square above this multiple of the best one belongs to a worse optimum.
const SAME_OPTIMUM: f64 = 1.01;

/// A parameter whose relative spread is above this depends on the start.
pub(super) const SENSITIVE: f64 = 0.01;

/// Values whose largest is below this share of the bounds' span are compared with that instead, so
/// that rounding errors around zero are no spread.
const NEGLIGIBLE: f64 = 1e-6;

/// The mode's result.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Variability {
    /// The path that the fits ran on.
    pub path: String,
    /// How many starts beside the reference were asked for.
    pub starts: usize,
    /// In their order; the first is the reference.
    pub runs: Vec<StartRun>,
    /// Spread of each free parameter over the runs that reached the best optimum.
    pub parameters: Vec<Spread>,
    /// The parameter with the largest relative spread.
    pub worst: Option<usize>,
    pub problem: Option<Problem>,
}

/// The fit from one start.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct StartRun {
    /// 0 is the reference.
    pub run: usize,
    /// Wall time of all stages, seconds.
    pub seconds: Option<f64>,
    pub reduced_chi_square: Option<f64>,
    /// Initial values of the free parameters.
    pub start: Vec<(String, f64)>,
    /// Fitted values of the free parameters.
    pub values: Vec<(String, f64)>,
    /// Whether it reached the best optimum.
    pub best: bool,
    pub problem: Option<Problem>,
}

/// The spread of one parameter.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Spread {
    pub name: String,
    /// The reference's fitted value, if that has one.
    pub reference: Option<f64>,
    pub low: f64,
    pub high: f64,
    /// `(high - low)` over the largest magnitude.
    pub relative: f64,
    pub start_sensitive: bool,
}

impl StartRun {
    /// `reference`, or `start 3`.
    pub(super) fn name(&self) -> String {
        if self.run == 0 {
            "reference".to_owned()
        } else {
            format!("start {}", self.run)
        }
    }
}

impl Variability {
    /// The runs that reached the best optimum.
    pub(super) fn best(&self) -> impl Iterator<Item = &StartRun> {
        self.runs.iter().filter(|run| run.best)
    }

    /// The runs that converged to a worse optimum.
    pub(super) fn off_optimum(&self) -> impl Iterator<Item = &StartRun> {
        self.runs
            .iter()
            .filter(|run| !run.best && run.problem.is_none())
    }
}

/// One fit from the model's own values, and one from each start.
pub(super) fn measure(
    bench: &mut Bench<'_>,
    starts: usize,
    tell: &mut dyn FnMut(&str),
) -> (Variability, Option<RunnerError>) {
    let loaded = bench.loaded().clone();
    let mut result = Variability {
        path: loaded.fit_path().to_owned(),
        starts,
        ..Variability::default()
    };
    if !loaded.fits {
        result.problem = Some(Problem::skipped(NO_FIT));
        return (result, None);
    }
    let mut known = Vec::new();
    let mut stopped = None;
    for run in 0..=starts {
        tell(&match run {
            0 => format!("reference fit: {}", result.path),
            run => format!("fit from start {run} of {starts}: {}", result.path),
        });
        match one(bench, &result.path, run, &known) {
            Ok((done, start)) => {
                known.push(start);
                result.runs.push(done);
            }
            Err(error) => {
                stopped = Some(error);
                break;
            }
        }
    }
    conclude(&mut result, &loaded.parameters);
    (result, stopped)
}

fn one(
    bench: &mut Bench<'_>,
    path: &str,
    run: usize,
    known: &[Json],
) -> Result<(StartRun, Json), RunnerError> {
    let mut done = StartRun {
        run,
        ..StartRun::default()
    };
    let request = FitRequest {
        path: path.to_owned(),
        watch: Watch::Nothing,
        start: run,
        known: known.to_vec(),
    };
    let fitted = match bench.fit(request) {
        Ok(fitted) => fitted,
        Err(trouble) => {
            done.problem = Some(trouble.problem()?);
            return Ok((done, Json::Null));
        }
    };
    done.seconds = Some(fitted.stages.iter().map(|stage| stage.seconds).sum());
    if fitted.reduced_chi_square.is_finite() {
        done.reduced_chi_square = Some(fitted.reduced_chi_square);
    } else {
        done.problem = Some(Problem::Failed {
            reason: "its reduced chi-square is no number".to_owned(),
            details: String::new(),
        });
    }
    let starts = fitted.start.as_object();
    done.start = starts
        .into_iter()
        .flatten()
        .filter_map(|(name, value)| Some((name.clone(), value.as_f64()?)))
        .collect();
    done.values = fitted.values;
    Ok((done, fitted.start))
}

/// Sorts out the runs of a worse optimum, and works out the spread of each parameter over the others.
fn conclude(result: &mut Variability, bounds: &[Bounds]) {
    let best = result
        .runs
        .iter()
        .filter_map(|run| run.reduced_chi_square)
        .fold(f64::INFINITY, f64::min);
    for run in &mut result.runs {
        let reached = |chi: f64| chi <= best * SAME_OPTIMUM;
        run.best = run.problem.is_none() && run.reduced_chi_square.is_some_and(reached);
    }
    let names: Vec<String> = result.best().next().map_or_else(Vec::new, |run| {
        run.values.iter().map(|(name, _)| name.clone()).collect()
    });
    result.parameters = names
        .iter()
        .filter_map(|name| spread(name, result, bounds))
        .collect();
    result.worst = result
        .parameters
        .iter()
        .enumerate()
        .max_by(|(_, a), (_, b)| a.relative.total_cmp(&b.relative))
        .map(|(place, _)| place);
}

fn spread(name: &str, result: &Variability, bounds: &[Bounds]) -> Option<Spread> {
    let value_of = |run: &StartRun| {
        let found = run.values.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| *value)
    };
    let values: Vec<f64> = result.best().filter_map(value_of).collect();
    let low = values.iter().copied().min_by(f64::total_cmp)?;
    let high = values.iter().copied().max_by(f64::total_cmp)?;
    let span = bounds
        .iter()
        .find(|bounds| bounds.name == name)
        .map(|bounds| bounds.high - bounds.low)
        .filter(|span| span.is_finite());
    let scale = low
        .abs()
        .max(high.abs())
        .max(span.unwrap_or(0.0) * NEGLIGIBLE);
    let relative = if scale > 0.0 {
        (high - low) / scale
    } else {
        0.0
    };
    let reference = result.runs.first().filter(|run| run.run == 0);
    Some(Spread {
        name: name.to_owned(),
        reference: reference.and_then(value_of),
        low,
        high,
        relative,
        start_sensitive: relative > SENSITIVE,
    })
}

#[cfg(test)]
mod tests;
