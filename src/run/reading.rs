//! What the end of a job means for its benchmarks: asv's encoding of values, skips and failures.

use crate::json::{Json, Object};
use crate::results::{Failure, FailureKind, Value};
use crate::worker::{Ending, JobOutcome, JobReport, Launch, PythonError, WorkerError};

use super::failure;
use super::plan::{Planned, SetupCache};
use super::tally::Measured;

/// What the report of a benchmark comes to; `None` if it has none, or if its process ended badly
/// behind it (`last` says that nobody else can be meant).
pub(super) fn measured(member: &Planned, outcome: &JobOutcome, last: bool) -> Option<Measured> {
    if last && outcome.ending != Ending::Exited(0) {
        let said = report_of(member.benchmark.name(), outcome);
        if !matches!(said, Some(JobReport::Failed { .. })) {
            return None;
        }
    }
    Some(match report_of(member.benchmark.name(), outcome)? {
        JobReport::Value { value, .. } => plain(value, outcome),
        JobReport::Samples {
            samples, number, ..
        } => Measured::Samples(samples.clone(), *number),
        JobReport::Skipped { reason, .. } => Measured::Skipped(failure::skipped(reason)),
        JobReport::Failed { kind, error, .. } => {
            Measured::Failed(failure::reported(kind, error, outcome))
        }
        JobReport::Cached => return None,
    })
}

/// A returned value as asv understands it: nothing failed, `NaN` was skipped, `samples` with
/// `number` are timings.
fn plain(value: &Json, outcome: &JobOutcome) -> Measured {
    match value {
        Json::Null => Measured::Failed(failure::reported(
            "no-value",
            &PythonError::default(),
            outcome,
        )),
        Json::Float(number) if number.is_nan() => {
            Measured::Skipped(failure::skipped("returned NaN"))
        }
        Json::Int(_) | Json::BigInt(_) | Json::Float(_) => {
            Measured::Plain(Value::Number(value.clone()))
        }
        Json::Object(members) => match timings(members) {
            Some((samples, number)) => Measured::Samples(samples, number),
            None => Measured::Plain(Value::Other(value.clone())),
        },
        Json::Bool(_) | Json::String(_) | Json::Array(_) => {
            Measured::Plain(Value::Other(value.clone()))
        }
    }
}

fn timings(members: &Object) -> Option<(Vec<f64>, i64)> {
    let samples: Option<Vec<f64>> = members
        .get("samples")?
        .as_array()?
        .iter()
        .map(Json::as_f64)
        .collect();
    Some((samples?, members.get("number")?.as_i64()?))
}

pub(super) fn report_of<'a>(name: &str, outcome: &'a JobOutcome) -> Option<&'a JobReport> {
    outcome.reports.iter().find(|report| match report {
        JobReport::Value { benchmark, .. }
        | JobReport::Samples { benchmark, .. }
        | JobReport::Skipped { benchmark, .. }
        | JobReport::Failed { benchmark, .. } => benchmark == name,
        JobReport::Cached => false,
    })
}

/// Why a `setup_cache` job came to nothing; `None` if it worked.
pub(super) fn cache_failure(outcome: &JobOutcome, wanted: &SetupCache) -> Option<Failure> {
    let reported = outcome.reports.iter().find_map(|report| match report {
        JobReport::Failed { kind, error, .. } => Some(failure::reported(kind, error, outcome)),
        _ => None,
    });
    let worked = outcome.ending == Ending::Exited(0)
        && outcome
            .reports
            .iter()
            .any(|report| matches!(report, JobReport::Cached));
    match reported {
        Some(failure) => Some(failure),
        None if worked => None,
        None => Some(failure::ended(outcome, wanted.timeout)),
    }
}

pub(super) fn worker_failure(error: &WorkerError) -> Failure {
    let mut message = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(source) = cause {
        message = format!("{message}: {source}");
        cause = source.source();
    }
    let (first, rest) = message.split_once('\n').unwrap_or((&message, ""));
    Failure {
        kind: FailureKind::Exit,
        message: first.to_owned(),
        details: rest.to_owned(),
    }
}

pub(super) fn launch_word(launch: Launch) -> &'static str {
    match launch {
        Launch::Fork => "fork",
        Launch::Spawn => "spawn",
    }
}
