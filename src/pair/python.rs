//! Fresh processes of Python, one for each question.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::json::{Json, Object, to_compact};
use crate::paths::Reply;
use crate::sys::env::Environment;
use crate::sys::process::{GRACE, Mark, Sweep, adopt_orphans, hide_memory};
use crate::sys::signals::Signals;
use crate::worker::{ChildEnvironment, Package, Session, WorkerOptions};

use super::answer::{Answer, Probe, ScenarioEntry};
use super::checkout::Role;
use super::error::PairError;
use super::exchange::{configure, exchange};
use super::options::Backend;

/// How long helpers of a process that has ended may take to follow it.
const HELPER_PATIENCE: Duration = Duration::from_millis(200);

/// One side: its checkout and its interpreter.
#[derive(Debug, Clone)]
pub struct PythonSide {
    pub role: Role,
    /// The command that starts Python, in words.
    pub command: Vec<String>,
    pub checkout: PathBuf,
    /// Folders of the checkout that come first on the module path.
    pub path: Vec<String>,
    pub package: Option<String>,
    /// Files of scenarios.
    pub scenarios: Vec<PathBuf>,
}

/// Starts processes. Use it on one thread, one that lives as long as the program.
#[derive(Debug)]
pub struct Python {
    package: Package,
    own: Environment,
    benchmark_env: BTreeMap<String, String>,
    signals: Option<Arc<Signals>>,
    mark: Mark,
    sweep: Sweep,
}

impl Python {
    /// Unpacks the Python package; starts nothing yet.
    pub fn new(
        own: &Environment,
        benchmark_env: &BTreeMap<String, String>,
        signals: Option<Arc<Signals>>,
    ) -> Result<Self, PairError> {
        let temporary = own.path("TMPDIR").unwrap_or_else(|| PathBuf::from("/tmp"));
        let temporary = std::path::absolute(&temporary).map_err(PairError::Prepare)?;
        let package = Package::unpack(&temporary).map_err(PairError::Prepare)?;
        adopt_orphans().map_err(PairError::Prepare)?;
        hide_memory().map_err(PairError::Prepare)?;
        Ok(Self {
            package,
            own: own.clone(),
            benchmark_env: benchmark_env.clone(),
            signals,
            mark: Mark::new(own.get(Mark::VARIABLE)),
            sweep: Sweep::begin(),
        })
    }

    /// The signal that has told us to stop, if any.
    pub fn interrupted(&self) -> Option<i32> {
        self.signals.as_ref()?.received()
    }

    /// What a process finds as an environment variable, unless it is set for it alone.
    pub fn variable(&self, name: &str) -> Option<String> {
        let own = || self.own.get(name).map(str::to_owned);
        self.benchmark_env.get(name).cloned().or_else(own)
    }

    /// Puts one question to a fresh process of `side`, with `variables` set.
    pub fn ask(
        &mut self,
        side: &PythonSide,
        variables: &BTreeMap<String, String>,
        request: &Object,
        deadline: Duration,
    ) -> Result<Answer, PairError> {
        if let Some(signal) = self.interrupted() {
            return Err(PairError::Interrupted(signal));
        }
        let mut extra = self.benchmark_env.clone();
        extra.extend(variables.clone());
        extra.insert(Mark::VARIABLE.to_owned(), self.mark.value().to_owned());
        let environment = ChildEnvironment::new(&self.own, &extra);
        let mut options = WorkerOptions::new(
            side.command.clone(),
            side.checkout.clone(),
            self.own.clone(),
        );
        options.directory = Some(side.checkout.clone());
        let main = self.package.main("pair");
        let mut session: Session<Reply> =
            Session::start(&options, &environment.variables, &main, Some(Signal::KILL)).map_err(
                |source| PairError::Start {
                    role: side.role,
                    command: options.command(),
                    source,
                },
            )?;
        let began = Instant::now();
        let until = began + deadline;
        let answer = (|| {
            let greeting = exchange(
                &mut session,
                &configure(side),
                until,
                self.signals.as_deref(),
            )?;
            match greeting {
                Answer::Done(_) if request.is_empty() => Ok(greeting),
                Answer::Done(_) => exchange(&mut session, request, until, self.signals.as_deref()),
                other => Ok(other),
            }
        })();
        // Its work is done; whatever it left behind goes too.
        if answer
            .as_ref()
            .is_ok_and(|answer| matches!(answer, Answer::Done(_)))
        {
            session.end(GRACE).ok();
            self.sweep.end(&self.mark, HELPER_PATIENCE);
        } else {
            drop(session);
            self.sweep.end(&self.mark, Duration::ZERO);
        }
        answer
    }

    /// The facts about the interpreter of a side.
    pub fn probe(
        &mut self,
        side: &PythonSide,
        variables: &BTreeMap<String, String>,
    ) -> Result<Probe, PairError> {
        let answer = self.ask(side, variables, &Object::new(), Duration::from_mins(5))?;
        let json = done(side, answer)?;
        let text = |key: &str| json.get(key).and_then(Json::as_str).map(str::to_owned);
        Ok(Probe {
            python: text("python").unwrap_or_default(),
            executable: text("executable").unwrap_or_default(),
            jax: text("jax"),
            jaxlib: text("jaxlib"),
            package_file: text("package_file").map(PathBuf::from),
        })
    }

    /// The scenarios that the files declare.
    pub fn scenarios(
        &mut self,
        side: &PythonSide,
        precision: i64,
    ) -> Result<Vec<ScenarioEntry>, PairError> {
        let request: Object = [
            ("request".to_owned(), "list".into()),
            ("precision".to_owned(), precision.into()),
        ]
        .into_iter()
        .collect();
        // The harness stays as clean as it was.
        let quiet = BTreeMap::from([("PYTHONDONTWRITEBYTECODE".to_owned(), "1".to_owned())]);
        let answer = self.ask(side, &quiet, &request, Duration::from_mins(5))?;
        let json = done(side, answer)?;
        let listed = json
            .get("scenarios")
            .cloned()
            .unwrap_or(Json::Array(Vec::new()));
        serde_json::from_str(&to_compact(&listed)).map_err(|error| refused(side, error.to_string()))
    }

    /// Whether a side finds devices of the backend.
    pub fn check_backend(
        &mut self,
        side: &PythonSide,
        backend: Backend,
        variables: &BTreeMap<String, String>,
    ) -> Result<(), PairError> {
        let request: Object = [
            ("request".to_owned(), "backend".into()),
            ("backend".to_owned(), backend.word().into()),
        ]
        .into_iter()
        .collect();
        let no_backend = |reason: String| PairError::NoBackend {
            role: side.role,
            backend: backend.word(),
            reason,
        };
        match self.ask(side, variables, &request, Duration::from_mins(5))? {
            Answer::Done(_) => Ok(()),
            Answer::Refused(reason) | Answer::Failed { reason, .. } => Err(no_backend(reason)),
        }
    }
}

fn done(side: &PythonSide, answer: Answer) -> Result<Json, PairError> {
    match answer {
        Answer::Done(json) => Ok(json),
        Answer::Refused(message) => Err(refused(side, message)),
        Answer::Failed { reason, details } if details.trim().is_empty() => {
            Err(refused(side, reason))
        }
        Answer::Failed { reason, details } => {
            Err(refused(side, format!("{reason}\n{}", details.trim_end())))
        }
    }
}

fn refused(side: &PythonSide, message: String) -> PairError {
    PairError::Refused {
        role: side.role,
        command: side.command.join(" "),
        message,
    }
}
