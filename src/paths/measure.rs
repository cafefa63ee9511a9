//! From a choice of examples and modes to a report.

use std::time::Duration;

use super::bench::{Bench, LoadError};
use super::fixture::Entry;
use super::reply::Reply;
use super::report::{ExampleReport, Report, Section};
use super::request::Request;
use super::runner::{Runner, RunnerError};
use super::sampled::ProfileOptions;
use super::{counts, fit, per_call, planning, profile, variability};
use crate::json::Json;

/// Calls of each path unless another number is asked for.
const CALLS: u32 = 200;

/// What to measure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Modes {
    pub per_call: bool,
    pub fit: bool,
    pub counts: bool,
    pub plan_time: bool,
    pub variability: bool,
    pub profile: bool,
}

/// How to measure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    pub modes: Modes,
    /// `--calls`; each mode has its default.
    pub calls: Option<u32>,
    /// Fits of each path.
    pub repetitions: usize,
    /// Starts beside the reference.
    pub starts: usize,
    /// Wall-clock limit of each step: building, a block of calls, a fit.
    pub deadline: Duration,
    pub profile: ProfileOptions,
}

/// Why nothing was measured.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// There are no fixtures, or none of this number; a sentence for the user.
    #[error("{0}")]
    Refused(String),
    /// The module of the fixtures, or the adapter, failed.
    #[error("the fixtures cannot be had: {reason}")]
    Failed { reason: String, details: String },
    #[error(transparent)]
    Runner(#[from] RunnerError),
}

/// All fixtures, and what stands among them and is none.
pub fn list(runner: &mut dyn Runner, deadline: Duration) -> Result<Vec<Entry>, MeasureError> {
    match runner.ask(&Request::List, deadline)? {
        Reply::Answer(fields) => {
            let entries = fields.get("fixtures").and_then(Json::as_array);
            Ok(entries
                .unwrap_or_default()
                .iter()
                .filter_map(Json::as_object)
                .map(Entry::read)
                .collect())
        }
        Reply::Refused(message) | Reply::Skipped(message) => Err(MeasureError::Refused(message)),
        Reply::Failed(failure) => Err(MeasureError::Failed {
            reason: failure.reason,
            details: failure.details,
        }),
    }
}

/// Measures one example. One that there is not is an error.
pub fn measure_one(
    runner: &mut dyn Runner,
    number: i64,
    options: &Options,
    tell: &mut dyn FnMut(&str),
) -> Result<Report, MeasureError> {
    let (example, stopped) = match example(runner, number, options, tell) {
        Ok(measured) => measured,
        Err(LoadError::Refused(message)) => return Err(MeasureError::Refused(message)),
        Err(LoadError::Stop(error)) => return Err(error.into()),
        Err(LoadError::Failed(failure)) => {
            // A module that cannot be imported has no example at all.
            let entries = list(runner, options.deadline)?;
            let found = entries.into_iter().find(|entry| entry.number == number);
            let example = ExampleReport {
                entry: found.unwrap_or_default(),
                problem: Some(failure.into()),
                ..ExampleReport::default()
            };
            (example, None)
        }
    };
    let mut report = Report {
        examples: vec![example],
        interrupted: None,
    };
    note_stop(&mut report, stopped)?;
    Ok(report)
}

/// Measures all fixtures, one after the other, each in a process of its own.
pub fn measure_all(
    runner: &mut dyn Runner,
    options: &Options,
    tell: &mut dyn FnMut(&str),
) -> Result<Report, MeasureError> {
    let mut report = Report::default();
    let entries = list(runner, options.deadline)?;
    for entry in entries.into_iter().filter(|entry| entry.reason.is_none()) {
        let (example, stopped) = match example(runner, entry.number, options, tell) {
            Ok(measured) => measured,
            Err(trouble) => {
                let problem = match trouble {
                    LoadError::Refused(message) => super::reply::Failure::new(message),
                    LoadError::Failed(failure) => failure,
                    LoadError::Stop(error) => {
                        note_stop(&mut report, Some(error))?;
                        break;
                    }
                };
                let example = ExampleReport {
                    entry,
                    problem: Some(problem.into()),
                    ..ExampleReport::default()
                };
                (example, None)
            }
        };
        report.examples.push(example);
        runner.end();
        if note_stop(&mut report, stopped)? {
            break;
        }
    }
    Ok(report)
}

/// Notes an interruption, and returns whether it was one. Everything else that ends the measurement
/// is an error, unless there is something to report.
fn note_stop(report: &mut Report, stopped: Option<RunnerError>) -> Result<bool, MeasureError> {
    match stopped {
        None => Ok(false),
        Some(RunnerError::Interrupted(signal)) => {
            report.interrupted = Some(signal);
            Ok(true)
        }
        Some(error) => Err(error.into()),
    }
}

fn example(
    runner: &mut dyn Runner,
    number: i64,
    options: &Options,
    tell: &mut dyn FnMut(&str),
) -> Result<(ExampleReport, Option<RunnerError>), LoadError> {
    tell(&format!("loading example {number}"));
    let mut bench = Bench::load(runner, number, options.deadline)?;
    let loaded = bench.loaded();
    let mut example = ExampleReport {
        entry: loaded.entry.clone(),
        notes: loaded.notes.clone(),
        definition: loaded.definition.clone(),
        ..ExampleReport::default()
    };
    let name = example.entry.name.clone();
    let mut tell = |line: &str| tell(&format!("{name}: {line}"));
    for mode in chosen(options.modes) {
        let (section, stopped) = run_mode(mode, &mut bench, options, &mut tell);
        example.sections.push(section);
        if stopped.is_some() {
            return Ok((example, stopped));
        }
    }
    Ok((example, None))
}

#[derive(Debug, Clone, Copy)]
enum Mode {
    PerCall,
    Fit,
    Counts,
    PlanTime,
    Variability,
    Profile,
}

/// The chosen modes in the order of the report.
fn chosen(modes: Modes) -> Vec<Mode> {
    [
        (modes.per_call, Mode::PerCall),
        (modes.fit, Mode::Fit),
        (modes.counts, Mode::Counts),
        (modes.plan_time, Mode::PlanTime),
        (modes.variability, Mode::Variability),
        (modes.profile, Mode::Profile),
    ]
    .into_iter()
    .filter_map(|(chosen, mode)| chosen.then_some(mode))
    .collect()
}

fn run_mode(
    mode: Mode,
    bench: &mut Bench<'_>,
    options: &Options,
    tell: &mut dyn FnMut(&str),
) -> (Section, Option<RunnerError>) {
    match mode {
        Mode::PerCall => {
            let calls = options.calls.unwrap_or(CALLS);
            let (result, stopped) = per_call::measure(bench, calls, tell);
            (Section::PerCall(result), stopped)
        }
        Mode::Fit => {
            let (result, stopped) = fit::measure(bench, options.repetitions, tell);
            (Section::Fit(result), stopped)
        }
        Mode::Counts => {
            let (result, stopped) = counts::measure(bench, tell);
            (Section::Counts(result), stopped)
        }
        Mode::PlanTime => {
            let (result, stopped) = planning::measure(bench, tell);
            (Section::PlanTime(result), stopped)
        }
        Mode::Variability => {
            let (result, stopped) = variability::measure(bench, options.starts, tell);
            (Section::Variability(result), stopped)
        }
        Mode::Profile => {
            let (result, stopped) = profile::measure(bench, options.calls, &options.profile, tell);
            (Section::Profile(result), stopped)
        }
    }
}
