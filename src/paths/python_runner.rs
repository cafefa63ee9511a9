//! The runner that talks to Python.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::py_spy::{Attached, PySpy, PySpyError, Sampling};
use super::reply::Reply;
use super::request::{Configuration, Request};
use super::runner::{Runner, RunnerError};
use crate::json::{Json, Object};
use crate::sys::env::Environment;
use crate::sys::process::{GRACE, Mark, Sweep, adopt_orphans, hide_memory};
use crate::sys::signals::Signals;
use crate::worker::{
    ChildEnvironment, Interpreter, Package, Session, Turn, WorkerOptions, interpreter_of,
};

/// How long a process that is asked to end may take.
const END_PATIENCE: Duration = Duration::from_secs(2);

/// How long helpers of a process that has ended may take to follow it.
const HELPER_PATIENCE: Duration = Duration::from_millis(200);

/// What the runner needs to know.
#[derive(Debug, Clone)]
pub struct RunnerOptions {
    /// The command that starts Python, in words. Not empty.
    pub python: Vec<String>,
    /// The project's folder, absolute: Python runs there, and finds modules there.
    pub directory: PathBuf,
    /// Dotted name or path of a module that declares fixtures.
    pub fixture: Option<String>,
    /// Folder of trspecfit workflows instead of a checkout's own.
    pub examples: Option<String>,
    /// Import name of what is measured, if its file is to be told.
    pub package: Option<String>,
    /// Our own variables.
    pub environment: Environment,
    /// Variables of the benchmarks; these win.
    pub benchmark_env: BTreeMap<String, String>,
}

/// Talks to one Python process at a time. Use it on one thread, one that lives as long as the
/// program: the process dies with it.
#[derive(Debug)]
pub struct PythonRunner {
    options: RunnerOptions,
    worker: WorkerOptions,
    environment: ChildEnvironment,
    signals: Option<Arc<Signals>>,
    mark: Mark,
    /// Before `package`, which holds its program: fields are dropped in this order.
    session: Option<Session<Reply>>,
    package: Package,
    sweep: Sweep,
    generation: u64,
    interpreter: Option<Interpreter>,
    py_spy: Option<PathBuf>,
    package_file: Option<PathBuf>,
}

impl PythonRunner {
    /// Unpacks the Python package; starts nothing yet. From now on this program is the parent of all
    /// orphans among its descendants, and other processes cannot read its memory.
    pub fn new(options: RunnerOptions, signals: Option<Arc<Signals>>) -> Result<Self, RunnerError> {
        let prepare = RunnerError::Prepare;
        let temporary = options.environment.path("TMPDIR");
        let temporary = temporary.unwrap_or_else(|| PathBuf::from("/tmp"));
        let temporary = std::path::absolute(&temporary).map_err(prepare)?;
        let package = Package::unpack(&temporary).map_err(prepare)?;
        adopt_orphans().map_err(prepare)?;
        hide_memory().map_err(prepare)?;
        let mut worker = WorkerOptions::new(
            options.python.clone(),
            options.directory.clone(),
            options.environment.clone(),
        );
        worker.directory = Some(options.directory.clone());
        let mark = Mark::new(options.environment.get(Mark::VARIABLE));
        let mut variables = options.benchmark_env.clone();
        variables.insert(Mark::VARIABLE.to_owned(), mark.value().to_owned());
        let environment = ChildEnvironment::new(&options.environment, &variables);
        Ok(Self {
            worker,
            environment,
            options,
            signals,
            mark,
            session: None,
            package,
            sweep: Sweep::begin(),
            generation: 0,
            interpreter: None,
            py_spy: None,
            package_file: None,
        })
    }

    /// The interpreter, once it has answered.
    pub fn interpreter(&self) -> Option<&Interpreter> {
        self.interpreter.as_ref()
    }

    /// Where the package of the options lies, once Python has answered; `None` where it cannot be found.
    pub fn package_file(&self) -> Option<&Path> {
        self.package_file.as_deref()
    }

    fn start(&mut self) -> Result<(), RunnerError> {
        let main = self.package.main("paths");
        let variables = &self.environment.variables;
        let session = Session::start(&self.worker, variables, &main, Some(Signal::KILL));
        self.session = Some(session.map_err(|source| RunnerError::Start {
            command: self.worker.command(),
            source,
        })?);
        let directory = self.options.directory.to_string_lossy().into_owned();
        let configuration = Configuration {
            directory: &directory,
            fixture: self.options.fixture.as_deref(),
            examples: self.options.examples.as_deref(),
            package: self.options.package.as_deref(),
        };
        let hello = self.exchange(&configuration.line(), self.worker.start_timeout);
        let hello = match hello {
            Err(RunnerError::Died { ending, output }) => {
                return Err(RunnerError::NoPython {
                    command: self.worker.command(),
                    ending,
                    output,
                });
            }
            hello => hello?,
        };
        match hello {
            Reply::Answer(fields) => {
                self.interpreter = interpreter_of(&fields);
                self.py_spy = path(&fields, "py_spy");
                self.package_file = path(&fields, "package_file");
                Ok(())
            }
            Reply::Refused(message) => Err(self.refused(message)),
            Reply::Skipped(reason) => Err(self.refused(reason)),
            Reply::Failed(failure) => Err(self.refused(failure.reason)),
        }
    }

    fn profiler(&self) -> Result<&Path, PySpyError> {
        let python = self.interpreter.as_ref();
        self.py_spy.as_deref().ok_or_else(|| PySpyError::NotFound {
            python: python.map_or_else(PathBuf::new, |python| python.executable.clone()),
        })
    }

    fn refused(&mut self, message: String) -> RunnerError {
        self.end();
        RunnerError::Refused {
            command: self.worker.command(),
            message,
        }
    }

    /// Sends a line and waits for the reply.
    fn exchange(&mut self, line: &str, deadline: Duration) -> Result<Reply, RunnerError> {
        let Some(session) = &mut self.session else {
            return Err(RunnerError::Prepare(std::io::Error::other(
                "there is no process",
            )));
        };
        session.send(line).map_err(RunnerError::Prepare)?;
        let until = Instant::now().checked_add(deadline);
        let turn = session
            .turn(until, self.signals.as_deref())
            .map_err(RunnerError::Prepare)?;
        let output = session.output();
        match turn {
            Turn::Event(reply) => Ok(reply),
            Turn::Ended(exit) => {
                self.session = None;
                self.generation += 1;
                self.sweep.end(&self.mark, HELPER_PATIENCE);
                Err(RunnerError::Died {
                    ending: exit.status.to_string(),
                    output,
                })
            }
            Turn::Expired => {
                self.stop();
                Err(RunnerError::TimedOut {
                    seconds: deadline,
                    output,
                })
            }
            Turn::Interrupted(signal) => {
                self.stop();
                Err(RunnerError::Interrupted(signal))
            }
        }
    }

    /// Ends the process group: SIGTERM, SIGKILL after the grace; and what it left behind.
    fn stop(&mut self) {
        let Some(mut session) = self.session.take() else {
            return;
        };
        self.generation += 1;
        session.process.signal_group(Signal::TERM);
        let until = Instant::now() + GRACE;
        // Whatever it still says is of no interest; dropping the session kills what is left.
        while let Ok(Turn::Event(_)) = session.turn(Some(until), None) {}
        drop(session);
        self.sweep.end(&self.mark, Duration::ZERO);
    }
}

impl Runner for PythonRunner {
    fn ask(&mut self, request: &Request, deadline: Duration) -> Result<Reply, RunnerError> {
        if let Some(signal) = self.signals.as_ref().and_then(|signals| signals.received()) {
            return Err(RunnerError::Interrupted(signal));
        }
        if self.session.is_none() {
            self.start()?;
        }
        self.exchange(&request.line(), deadline)
    }

    fn generation(&self) -> u64 {
        self.generation
    }

    fn require_profiler(&mut self) -> Result<(), PySpyError> {
        self.profiler().map(drop)
    }

    fn attach(
        &mut self,
        process: i64,
        sampling: &Sampling,
    ) -> Result<Box<dyn Attached>, PySpyError> {
        let program = self.profiler()?;
        let variables = &self.environment.variables;
        let signals = self.signals.as_deref();
        let spy = PySpy::attach(program, process, sampling, variables, signals)?;
        Ok(Box::new(spy))
    }

    fn end(&mut self) {
        if let Some(session) = self.session.take() {
            self.generation += 1;
            // If it cannot be ended, dropping it has killed it.
            session.end(END_PATIENCE).ok();
            self.sweep.end(&self.mark, HELPER_PATIENCE);
        }
    }
}

impl Drop for PythonRunner {
    fn drop(&mut self) {
        self.stop();
    }
}

fn path(fields: &Object, key: &str) -> Option<PathBuf> {
    fields.get(key).and_then(Json::as_str).map(PathBuf::from)
}
