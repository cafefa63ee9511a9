//! One loaded fixture: requests and what their answers mean.

use std::time::Duration;

use super::fixture::Loaded;
use super::py_spy::{Attached, PySpyError, Sampling};
use super::reply::{Failure, Reply};
use super::report::Problem;
use super::request::{FitRequest, Request};
use super::runner::{Runner, RunnerError};
use crate::json::{Json, Object};

/// Why a request brought nothing.
#[derive(Debug)]
pub(super) enum Trouble {
    /// It does not apply here.
    Skipped(String),
    /// It went wrong; others may still work.
    Failed(Failure),
    /// Nothing more can be asked.
    Stop(RunnerError),
}

/// A fixture in a process that may have to be started again.
pub(super) struct Bench<'r> {
    runner: &'r mut dyn Runner,
    number: i64,
    generation: u64,
    deadline: Duration,
    loaded: Loaded,
}

/// What a plan and its first evaluation cost, in seconds, and the shape of the output.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Built {
    pub(super) build: f64,
    pub(super) first: f64,
    pub(super) shape: Vec<i64>,
}

/// One fit.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fitted {
    pub(super) stages: Vec<Stage>,
    pub(super) values: Vec<(String, f64)>,
    pub(super) reduced_chi_square: f64,
    /// The start as the Python side has it, to be given back to it.
    pub(super) start: Json,
    pub(super) compilations: i64,
}

/// A stage of a fit: its wall time in seconds, and the functions that were watched.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Stage {
    pub(super) label: String,
    pub(super) seconds: f64,
    pub(super) watched: Vec<Watched>,
}

/// Calls of a watched function, and their seconds.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Watched {
    pub(super) label: String,
    pub(super) calls: i64,
    pub(super) seconds: f64,
}

/// Why a fixture could not be loaded.
#[derive(Debug)]
pub(super) enum LoadError {
    /// There is none of this number, or it cannot be used; a sentence for the user.
    Refused(String),
    Failed(Failure),
    Stop(RunnerError),
}

impl Trouble {
    /// The problem of what was asked; an error where nothing more can be asked.
    pub(super) fn problem(self) -> Result<Problem, RunnerError> {
        match self {
            Self::Skipped(reason) => Ok(Problem::skipped(reason)),
            Self::Failed(failure) => Ok(failure.into()),
            Self::Stop(error) => Err(error),
        }
    }
}

/// Notes the trouble of a mode as its problem; returns what ends everything.
pub(super) fn settle(
    outcome: Result<(), Trouble>,
    problem: &mut Option<Problem>,
) -> Option<RunnerError> {
    match outcome.err()?.problem() {
        Ok(found) => {
            *problem = Some(found);
            None
        }
        Err(error) => Some(error),
    }
}

impl From<RunnerError> for Trouble {
    /// A process that ended or took too long is the failure of what it was asked; all else ends
    /// everything.
    fn from(error: RunnerError) -> Self {
        let reason = error.to_string();
        match error {
            RunnerError::Died { output, .. } | RunnerError::TimedOut { output, .. } => {
                Self::Failed(Failure {
                    reason,
                    details: output,
                })
            }
            other => Self::Stop(other),
        }
    }
}

impl<'r> Bench<'r> {
    /// Loads the fixture of this number.
    pub(super) fn load(
        runner: &'r mut dyn Runner,
        number: i64,
        deadline: Duration,
    ) -> Result<Self, LoadError> {
        let loaded = match runner.ask(&Request::Load(number), deadline) {
            Ok(Reply::Answer(fields)) => Loaded::read(&fields),
            Ok(Reply::Refused(message)) => return Err(LoadError::Refused(message)),
            Ok(Reply::Skipped(reason)) => return Err(LoadError::Failed(Failure::new(reason))),
            Ok(Reply::Failed(failure)) => return Err(LoadError::Failed(failure)),
            Err(error) => {
                return Err(match Trouble::from(error) {
                    Trouble::Stop(error) => LoadError::Stop(error),
                    Trouble::Failed(failure) => LoadError::Failed(failure),
                    Trouble::Skipped(reason) => LoadError::Failed(Failure::new(reason)),
                });
            }
        };
        Ok(Self {
            generation: runner.generation(),
            runner,
            number,
            deadline,
            loaded,
        })
    }

    pub(super) fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// Whether the process is another one than the last request went to, so that nothing is built.
    pub(super) fn is_fresh(&self) -> bool {
        self.runner.generation() != self.generation
    }

    pub(super) fn build(&mut self, path: &str) -> Result<Built, Trouble> {
        let fields = self.ask(&Request::Build(path.to_owned()))?;
        let shape = fields.get("shape").and_then(Json::as_array);
        Ok(Built {
            build: seconds(&fields, "build"),
            first: seconds(&fields, "first"),
            shape: shape
                .unwrap_or_default()
                .iter()
                .filter_map(Json::as_i64)
                .collect(),
        })
    }

    pub(super) fn warm(&mut self, path: &str, calls: u32) -> Result<(), Trouble> {
        self.ask(&Request::Warm(path.to_owned(), calls)).map(drop)
    }

    /// Seconds of a block of calls.
    pub(super) fn block(&mut self, path: &str, calls: u32) -> Result<f64, Trouble> {
        let fields = self.ask(&Request::Block(path.to_owned(), calls))?;
        Ok(seconds(&fields, "seconds"))
    }

    /// Seconds of a loop of calls with nothing around them.
    pub(super) fn bare_loop(&mut self, path: &str, calls: u32) -> Result<f64, Trouble> {
        let fields = self.ask(&Request::Loop(path.to_owned(), calls))?;
        Ok(seconds(&fields, "seconds"))
    }

    /// The largest difference of a path's output from that of each of the others that are built.
    pub(super) fn compare(
        &mut self,
        path: &str,
        against: &[String],
    ) -> Result<Vec<(String, f64)>, Trouble> {
        let fields = self.ask(&Request::Compare(path.to_owned(), against.to_vec()))?;
        let differences = fields.get("differences").and_then(Json::as_object);
        Ok(differences.map(numbers).unwrap_or_default())
    }

    pub(super) fn fit(&mut self, request: FitRequest) -> Result<Fitted, Trouble> {
        let fields = self.ask(&Request::Fit(request))?;
        let stages = fields.get("stages").and_then(Json::as_array);
        Ok(Fitted {
            stages: stages
                .unwrap_or_default()
                .iter()
                .filter_map(Json::as_object)
                .map(stage)
                .collect(),
            values: fields
                .get("values")
                .and_then(Json::as_object)
                .map(numbers)
                .unwrap_or_default(),
            reduced_chi_square: seconds(&fields, "reduced_chi_square"),
            start: fields.get("starts").cloned().unwrap_or(Json::Null),
            compilations: fields
                .get("compilations")
                .and_then(Json::as_i64)
                .unwrap_or(0),
        })
    }

    /// Lets a profiler look into the process; its id.
    pub(super) fn trace(&mut self) -> Result<i64, Trouble> {
        let fields = self.ask(&Request::Trace)?;
        Ok(fields.get("pid").and_then(Json::as_i64).unwrap_or(0))
    }

    /// Whether there is a profiler to attach.
    pub(super) fn require_profiler(&mut self) -> Result<(), PySpyError> {
        self.runner.require_profiler()
    }

    /// Attaches a profiler to the process.
    pub(super) fn attach(
        &mut self,
        process: i64,
        sampling: &Sampling,
    ) -> Result<Box<dyn Attached>, PySpyError> {
        self.runner.attach(process, sampling)
    }

    fn ask(&mut self, request: &Request) -> Result<Object, Trouble> {
        if self.is_fresh() {
            self.load_again()?;
        }
        self.settle(request)
    }

    /// After the process had to be ended: a new one has the fixture, but nothing built.
    fn load_again(&mut self) -> Result<(), Trouble> {
        let result = self.settle(&Request::Load(self.number));
        self.generation = self.runner.generation();
        result.map(drop)
    }

    fn settle(&mut self, request: &Request) -> Result<Object, Trouble> {
        match self.runner.ask(request, self.deadline)? {
            Reply::Answer(fields) => Ok(fields),
            Reply::Skipped(reason) => Err(Trouble::Skipped(reason)),
            Reply::Failed(failure) => Err(Trouble::Failed(failure)),
            Reply::Refused(message) => Err(Trouble::Failed(Failure::new(message))),
        }
    }
}

/// A number under `key`; NaN where there is none.
fn seconds(fields: &Object, key: &str) -> f64 {
    fields.get(key).and_then(Json::as_f64).unwrap_or(f64::NAN)
}

fn numbers(members: &Object) -> Vec<(String, f64)> {
    members
        .iter()
        .map(|(name, value)| (name.clone(), value.as_f64().unwrap_or(f64::NAN)))
        .collect()
}

fn stage(fields: &Object) -> Stage {
    let watched = fields.get("watched").and_then(Json::as_object);
    Stage {
        label: super::fixture::text(fields, "label").unwrap_or_default(),
        seconds: seconds(fields, "seconds"),
        watched: watched
            .into_iter()
            .flatten()
            .filter_map(|(label, entry)| {
                let entry = entry.as_object()?;
                Some(Watched {
                    label: label.clone(),
                    calls: entry.get("calls").and_then(Json::as_i64).unwrap_or(0),
                    seconds: seconds(entry, "seconds"),
                })
            })
            .collect(),
    }
}
