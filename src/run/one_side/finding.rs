//! What one process found out, in the form that pairs keep.

use crate::json::Json;
use crate::results::{Failure, Value};
use crate::run::plan::Planned;
use crate::run::tally::Measured;

/// What one process found out about one benchmark.
#[derive(Debug, Clone, PartialEq)]
pub enum Taken {
    /// Seconds per call, and the calls of each sample.
    Samples(Vec<f64>, i64),
    Number(Json),
    /// A value that is no number.
    Other(Json),
    Failed(Failure),
    Skipped(Failure),
}

/// What one process found out about one of its benchmarks, by name.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    pub benchmark: String,
    pub taken: Taken,
    pub noticed: Noticed,
}

/// What is known of a process but for what it measured.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Noticed {
    /// JAX compiled inside a timed call.
    pub compiled: bool,
    /// What was noticed within and around the process.
    pub flags: Vec<String>,
    /// Share of its time that it waited for a processor; not kept with the pair.
    pub run_queue_delay: Option<f64>,
}

pub(super) fn all_failed(members: &[&Planned], failure: &Failure) -> Vec<Finding> {
    members
        .iter()
        .map(|member| Finding {
            benchmark: member.benchmark.name().to_owned(),
            taken: Taken::Failed(failure.clone()),
            noticed: Noticed::default(),
        })
        .collect()
}

pub(super) fn taken(measured: Measured) -> Taken {
    match measured {
        Measured::Samples(samples, number) => Taken::Samples(samples, number),
        Measured::Plain(Value::Number(number)) => Taken::Number(number),
        Measured::Plain(Value::Other(value)) => Taken::Other(value),
        Measured::Plain(Value::Failed | Value::Skipped) => Taken::Other(Json::Null),
        Measured::Failed(failure) => Taken::Failed(failure),
        Measured::Skipped(failure) => Taken::Skipped(failure),
    }
}

pub(super) fn measured_of(taken: &Taken) -> Measured {
    match taken {
        Taken::Samples(samples, number) => Measured::Samples(samples.clone(), *number),
        Taken::Number(number) => Measured::Plain(Value::Number(number.clone())),
        Taken::Other(value) => Measured::Plain(Value::Other(value.clone())),
        Taken::Failed(failure) => Measured::Failed(failure.clone()),
        Taken::Skipped(failure) => Measured::Skipped(failure.clone()),
    }
}
