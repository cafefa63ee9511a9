//! A runner without Python, and the model that it pretends to have.

use std::time::Duration;

use super::py_spy::{Attached, PySpyError, Sampling};
use super::reply::{Failure, Reply};
use super::request::Request;
use super::runner::{Runner, RunnerError};
use crate::json::testing::object;

type Answer = Result<Reply, RunnerError>;

/// Answers by a function, and keeps what it was asked.
pub(super) struct Fake<'a> {
    pub(super) asked: Vec<Request>,
    /// What profilers were attached with; the answer to the next one.
    pub(super) attached: Vec<Sampling>,
    pub(super) refuse_profiler: Option<PySpyError>,
    generation: u64,
    answer: Box<dyn FnMut(&Request) -> Answer + 'a>,
}

impl<'a> Fake<'a> {
    pub(super) fn new(answer: impl FnMut(&Request) -> Answer + 'a) -> Self {
        Self {
            asked: Vec::new(),
            attached: Vec::new(),
            refuse_profiler: None,
            generation: 0,
            answer: Box::new(answer),
        }
    }

    /// How often a request was asked that the function picks.
    pub(super) fn count(&self, picks: impl Fn(&Request) -> bool) -> usize {
        self.asked.iter().filter(|request| picks(request)).count()
    }
}

impl Runner for Fake<'_> {
    fn ask(&mut self, request: &Request, _deadline: Duration) -> Result<Reply, RunnerError> {
        self.asked.push(request.clone());
        let reply = (self.answer)(request);
        if reply.is_err() {
            self.generation += 1;
        }
        reply
    }

    fn generation(&self) -> u64 {
        self.generation
    }

    fn require_profiler(&mut self) -> Result<(), PySpyError> {
        match self.refuse_profiler.take() {
            Some(error @ PySpyError::NotFound { .. }) => Err(error),
            other => {
                self.refuse_profiler = other;
                Ok(())
            }
        }
    }

    fn attach(
        &mut self,
        _process: i64,
        sampling: &Sampling,
    ) -> Result<Box<dyn Attached>, PySpyError> {
        struct Written;
        impl Attached for Written {
            fn finish(self: Box<Self>) -> Result<Option<u64>, PySpyError> {
                Ok(Some(1000))
            }
        }
        self.attached.push(sampling.clone());
        match self.refuse_profiler.take() {
            Some(error) => Err(error),
            None => Ok(Box::new(Written)),
        }
    }

    fn end(&mut self) {
        self.generation += 1;
    }
}

/// Seconds of one call of each path of the pretended model.
pub(super) fn seconds_per_call(path: &str) -> f64 {
    match path {
        "compiled" => 0.002,
        "interpreter" => 0.02,
        _ => 0.001,
    }
}

/// The pretended model: three paths, a fit of two stages, two free parameters.
#[expect(
    clippy::unnecessary_wraps,
    reason = "tests replace single answers by errors"
)]
pub(super) fn model(request: &Request) -> Answer {
    Ok(match request {
        Request::List => answer(&format!(
            r#"{{"fixtures": [{ENTRY}, {{"number": 10, "name": "10_other", "exercises": [],
            "reason": "no fixture", "error": null}}]}}"#
        )),
        Request::Load(_) => answer(LOADED),
        Request::Build(_) => answer(r#"{"build": 0.25, "first": 1.0, "shape": [3, 4]}"#),
        Request::Warm(..) | Request::Hello | Request::Release => answer("{}"),
        Request::Block(path, calls) | Request::Loop(path, calls) => answer(&format!(
            r#"{{"seconds": {}}}"#,
            seconds_per_call(path) * f64::from(*calls)
        )),
        Request::Compare(path, against) => {
            let from = |label: &String| if label == path { "0.0" } else { "1e-13" };
            let differences: Vec<String> = against
                .iter()
                .map(|label| format!("\"{label}\": {}", from(label)))
                .collect();
            answer(&format!(
                r#"{{"differences": {{{}}}}}"#,
                differences.join(", ")
            ))
        }
        Request::Fit(fit) => {
            let seconds = 100.0 * seconds_per_call(&fit.path);
            answer(&format!(
                r#"{{"stages": [
                    {{"label": "baseline fit", "seconds": 0.5, "watched": {{"a": {{"calls": 54, "seconds": 0.001}}}}}},
                    {{"label": "2D fit", "seconds": {seconds}, "watched": {{"a": {{"calls": 515, "seconds": 0.5}}}}}}],
                "values": {{"x": 1.5, "y": 2.0}}, "reduced_chi_square": 2.0,
                "starts": {{"x": {}, "y": 1.0}}, "compilations": 0}}"#,
                fit.start
            ))
        }
        Request::Prepare(_) => answer(r#"{"warm_ups": 3}"#),
        Request::Repeat(_) => answer(r#"{"calls": 40, "seconds": 2.0}"#),
        Request::Trace => answer(r#"{"pid": 4711}"#),
    })
}

const ENTRY: &str =
    r#"{"number": 2, "name": "02_model", "exercises": ["plain"], "reason": null, "error": null}"#;

const LOADED: &str = r#"{"number": 2, "name": "02_model", "exercises": ["plain"], "reason": null, "error": null,
    "notes": ["lowerable: yes"],
    "paths": [{"label": "compiled", "unavailable": null, "compiles": false},
        {"label": "interpreter", "unavailable": null, "compiles": false},
        {"label": "JAX", "unavailable": null, "compiles": true}],
    "reference": "interpreter", "compiled": "compiled",
    "parameters": [{"name": "x", "value": 1.0, "low": 0.0, "high": 2.0, "free": true},
        {"name": "y", "value": 1.0, "low": -Infinity, "high": Infinity, "free": true}],
    "fits": true, "counted": ["residual evaluations"], "planning": ["planning"], "definition": "d"}"#;

/// The pretended model without what makes the path of this label available.
pub(super) fn without(label: &'static str) -> impl FnMut(&Request) -> Answer {
    move |request| match request {
        Request::Load(_) => Ok(answer(&LOADED.replace(
            &format!("\"{label}\", \"unavailable\": null"),
            &format!("\"{label}\", \"unavailable\": \"there is no {label}\""),
        ))),
        other => model(other),
    }
}

pub(super) fn answer(fields: &str) -> Reply {
    Reply::Answer(object(fields))
}

pub(super) fn failed(reason: &str) -> Reply {
    Reply::Failed(Failure {
        reason: reason.to_owned(),
        details: "Traceback".to_owned(),
    })
}

pub(super) fn died() -> RunnerError {
    RunnerError::Died {
        ending: "signal 11, SIGSEGV".to_owned(),
        output: "Fatal Python error".to_owned(),
    }
}
