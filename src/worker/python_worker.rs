//! The executor that talks to Python.

mod launching;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustix::process::Signal;

use super::attempt::HELPER_PATIENCE;
use super::deaths::Deaths;
use super::embed::Package;
use super::environment::ChildEnvironment;
use super::folder::JobFolders;
use super::job::{Discovery, Executor, Interpreter, Job, JobOutcome, Launch, WorkerError};
use super::launch::{LaunchChoice, early_death, has_worked};
use super::options::WorkerOptions;
use super::session::Session;
use super::start::Start;
use crate::config::LaunchMethod;
use crate::sys::process::{Mark, Sweep, adopt_orphans, hide_memory};
use crate::sys::signals::Signals;

/// How long a server that is no longer needed may take to end.
const SERVER_PATIENCE: Duration = Duration::from_secs(2);

/// Runs discovery and jobs in the environment's Python.
///
/// Use it on one thread, one that lives as long as the program: processes of jobs die with it.
#[derive(Debug)]
pub struct PythonWorker {
    options: WorkerOptions,
    environment: ChildEnvironment,
    signals: Option<Arc<Signals>>,
    mark: Mark,
    /// Before `package`, which holds its program: fields are dropped in this order.
    server: Option<Session>,
    /// Before `package`, whose folder they lie in.
    folders: JobFolders,
    package: Package,
    /// What was there before us.
    sweep: Sweep,
    interpreter: Option<Interpreter>,
    /// What the import found, until somebody asks for it.
    discovery: Option<Discovery>,
    /// Somebody has asked: what later imports find is of no interest.
    asked: bool,
    choice: Option<LaunchChoice>,
    /// The choice rests on a crash, and a new import does not change it.
    settled: bool,
    deaths: Deaths,
    /// Where the discovery found the measured package.
    package_file: Option<PathBuf>,
    last_id: i64,
}

impl PythonWorker {
    /// Unpacks the Python package; starts nothing yet. From now on this program is the parent of all
    /// orphans among its descendants, and other processes cannot read its memory.
    pub fn new(
        mut options: WorkerOptions,
        signals: Option<Arc<Signals>>,
    ) -> Result<Self, WorkerError> {
        let temporary = options.environment.path("TMPDIR");
        let temporary = temporary.unwrap_or_else(|| PathBuf::from("/tmp"));
        let absolute = |path: &Path| std::path::absolute(path).map_err(WorkerError::Prepare);
        options.benchmark_dir = absolute(&options.benchmark_dir)?;
        let package = Package::unpack(&absolute(&temporary)?).map_err(WorkerError::Prepare)?;
        adopt_orphans().map_err(WorkerError::Prepare)?;
        hide_memory().map_err(WorkerError::Prepare)?;

        let mark = Mark::new(options.environment.get(Mark::VARIABLE));
        let mut environment = ChildEnvironment::new(&options.environment, &options.benchmark_env);
        let marked = (Mark::VARIABLE.into(), mark.value().into());
        let variables = environment.variables.iter();
        environment.variables = variables
            .map(|(name, value)| (name.clone(), value.clone()))
            .chain([marked])
            .collect();
        Ok(Self {
            choice: LaunchChoice::before_import(options.launch),
            options,
            environment,
            signals,
            mark,
            server: None,
            folders: JobFolders::new(package.jobs()),
            package,
            sweep: Sweep::begin(),
            interpreter: None,
            discovery: None,
            asked: false,
            settled: false,
            deaths: Deaths::default(),
            package_file: None,
            last_id: 0,
        })
    }

    /// The interpreter, once it has answered.
    pub fn interpreter(&self) -> Option<&Interpreter> {
        self.interpreter.as_ref()
    }

    /// Names of environment variables that the process under test does not get.
    pub fn withheld(&self) -> &[String] {
        &self.environment.withheld
    }

    fn start(&self) -> Start<'_> {
        Start {
            options: &self.options,
            environment: &self.environment.variables,
            signals: self.signals.as_deref(),
        }
    }

    fn session(&self, death_signal: Option<Signal>) -> Result<Session, WorkerError> {
        let main = self.package.main("_worker");
        Session::start(
            &self.options,
            &self.environment.variables,
            &main,
            death_signal,
        )
        .map_err(|source| WorkerError::Start {
            command: self.options.command(),
            source,
        })
    }

    /// Starts the server unless it runs: imports the suite and settles the launch.
    fn ensure_server(&mut self) -> Result<(), WorkerError> {
        if let Some(server) = &mut self.server
            && server.has_ended()
        {
            self.end_server();
        }
        if self.server.is_some() {
            return Ok(());
        }
        // No death signal: a server ends with its control stream, and takes its child with it.
        let mut server = self.session(None)?;
        let (discovery, imported) = self.start().import(&mut server)?;
        self.package_file.clone_from(&discovery.package_file);
        self.server = Some(server);
        self.interpreter = Some(discovery.interpreter.clone());
        let settled = self.choice.take().filter(|_| self.settled);
        let choice = settled.unwrap_or_else(|| {
            let (safe, reason) = (imported.fork_safe, &imported.fork_reason);
            LaunchChoice::after_import(self.options.launch, safe, reason)
        });
        if choice.launch == Launch::Spawn {
            // It may hold a device, or memory that the jobs need.
            self.end_server();
        }
        self.choice = Some(choice);
        self.discovery = (!self.asked).then_some(discovery);
        Ok(())
    }

    fn end_server(&mut self) {
        if let Some(server) = self.server.take() {
            // If it cannot be ended, dropping it has killed it.
            server.end(SERVER_PATIENCE).ok();
            self.sweep.end(&self.mark, HELPER_PATIENCE);
        }
    }

    /// How to start the next job.
    fn launch_now(&mut self) -> Result<Launch, WorkerError> {
        if self.choice.is_none() {
            self.ensure_server()?;
        }
        Ok(self
            .choice
            .as_ref()
            .map_or(Launch::Spawn, |choice| choice.launch))
    }

    fn check_signals(&self) -> Result<(), WorkerError> {
        match self.signals.as_ref().and_then(|signals| signals.received()) {
            Some(signal) => Err(WorkerError::Interrupted(signal)),
            None => Ok(()),
        }
    }
}

impl Executor for PythonWorker {
    fn discover(&mut self) -> Result<Discovery, WorkerError> {
        self.check_signals()?;
        if self.discovery.is_none() {
            self.asked = false;
            self.end_server();
            self.ensure_server()?;
        }
        self.asked = true;
        // `ensure_server` has left both when it has not failed.
        let found = self.discovery.take().zip(self.choice.clone());
        let (mut discovery, choice) = found.ok_or_else(|| {
            WorkerError::Prepare(io::Error::other("the worker has lost its discovery"))
        })?;
        discovery.forks = choice.launch == Launch::Fork;
        discovery.launch_reason = choice.reason;
        Ok(discovery)
    }

    fn execute(&mut self, job: &Job) -> Result<JobOutcome, WorkerError> {
        self.check_signals()?;
        if job.isolated || self.launch_now()? == Launch::Spawn {
            return self.spawn(job);
        }
        let outcome = self.fork(job)?;
        let Some(signal) = early_death(&outcome) else {
            return Ok(outcome);
        };
        if self.options.launch == LaunchMethod::Fork {
            return Ok(outcome);
        }
        let again = self.spawn(job)?;
        if has_worked(&again) {
            let name = job.benchmarks.first().map_or("a benchmark", String::as_str);
            self.choice = Some(LaunchChoice::after_crash(name, signal));
            self.settled = true;
            self.end_server();
        }
        Ok(again)
    }

    fn launch(&self) -> Option<&LaunchChoice> {
        self.choice.as_ref()
    }

    fn set_variable(&mut self, name: &str, value: &str) {
        let others = self.environment.variables.iter();
        self.environment.variables = others
            .filter(|(other, _)| *other != name)
            .map(|(name, value)| (name.clone(), value.clone()))
            .chain([(name.into(), value.into())])
            .collect();
    }
}

impl Drop for PythonWorker {
    fn drop(&mut self) {
        self.end_server();
        self.sweep.end(&self.mark, Duration::ZERO);
    }
}
