//! Getting Python to answer, and the reason when it does not.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use super::event::{Event, Imported};
use super::job::{Discovery, Interpreter, WorkerError};
use super::options::WorkerOptions;
use super::request;
use super::session::{Session, Turn};
use crate::sys::env::Environment;
use crate::sys::process::{Exit, Program, run};
use crate::sys::signals::Signals;

/// The oldest Python that the worker runs on.
const OLDEST: (u32, u32) = (3, 9);

/// How long an interpreter may take to say its version.
const PROBE_PATIENCE: Duration = Duration::from_secs(20);

/// What every start needs to know.
#[derive(Debug, Clone, Copy)]
pub(super) struct Start<'a> {
    pub(super) options: &'a WorkerOptions,
    pub(super) environment: &'a Environment,
    pub(super) signals: Option<&'a Signals>,
}

impl Start<'_> {
    /// Configures a server that has just been started, and has it import the suite and list its
    /// benchmarks. The launch in the answer is left open.
    pub(super) fn import(
        self,
        session: &mut Session,
    ) -> Result<(Discovery, Imported), WorkerError> {
        session
            .send(&configure(self.options, None)?)
            .map_err(WorkerError::Prepare)?;
        let mut discovery = Discovery {
            interpreter: self.greet(session)?,
            ..Discovery::default()
        };
        session
            .send(&request::plain("discover"))
            .map_err(WorkerError::Prepare)?;
        loop {
            match session
                .turn(None, self.signals)
                .map_err(WorkerError::Prepare)?
            {
                Turn::Event(Event::Benchmark(benchmark)) => discovery.benchmarks.push(benchmark),
                Turn::Event(Event::ModuleError(error)) => discovery.module_errors.push(error),
                Turn::Event(Event::SuiteError { message, .. }) => {
                    return Err(WorkerError::Suite(message));
                }
                Turn::Event(Event::Imported(mut imported)) => {
                    discovery.jax_imports = std::mem::take(&mut imported.jax_imports);
                    discovery.imported = std::mem::take(&mut imported.packages);
                    discovery.package_file = imported.package_file.take();
                    discovery.package_strays = std::mem::take(&mut imported.package_strays);
                    return Ok((discovery, imported));
                }
                Turn::Event(_) => {}
                Turn::Ended(exit) => return Err(died(exit, session)),
                Turn::Expired => unreachable!("there is no deadline"),
                Turn::Interrupted(signal) => return Err(WorkerError::Interrupted(signal)),
            }
        }
    }

    /// Waits for `hello`.
    fn greet(self, session: &mut Session) -> Result<Interpreter, WorkerError> {
        let patience = self.options.start_timeout;
        let deadline = Instant::now() + patience;
        loop {
            match session
                .turn(Some(deadline), self.signals)
                .map_err(WorkerError::Prepare)?
            {
                Turn::Event(Event::Hello(interpreter)) => {
                    self.check(&interpreter)?;
                    return Ok(interpreter);
                }
                Turn::Event(_) => {}
                Turn::Ended(exit) => return Err(self.silent(exit, session)),
                Turn::Expired => {
                    return Err(WorkerError::Died {
                        ending: format!("no answer within {} s", patience.as_secs_f64()),
                        output: session.output(),
                    });
                }
                Turn::Interrupted(signal) => return Err(WorkerError::Interrupted(signal)),
            }
        }
    }

    /// Refuses an interpreter that is too old.
    pub(super) fn check(self, interpreter: &Interpreter) -> Result<(), WorkerError> {
        if is_too_old(&interpreter.version) {
            return Err(WorkerError::TooOld {
                command: self.options.command(),
                version: interpreter.version.clone(),
            });
        }
        Ok(())
    }

    /// Why a worker ended without a word: perhaps its Python cannot even read the program. Asks it
    /// for its version in words that every Python understands.
    pub(super) fn silent(self, exit: Exit, session: &Session) -> WorkerError {
        match self.probe() {
            Ok(Some(version)) if is_too_old(&version) => WorkerError::TooOld {
                command: self.options.command(),
                version,
            },
            _ => WorkerError::NoPython {
                command: self.options.command(),
                ending: exit.status.to_string(),
                output: session.output(),
            },
        }
    }

    fn probe(self) -> io::Result<Option<String>> {
        let mut words = self.options.python.iter().map(OsString::from);
        let name = words.next().unwrap_or_default();
        let mut arguments: Vec<OsString> = words.collect();
        arguments.push("-c".into());
        arguments.push("import sys; print('Python %d.%d.%d' % sys.version_info[:3])".into());
        let program = Program {
            name: &name,
            arguments: &arguments,
            environment: self.environment,
            directory: self.options.directory.as_deref(),
            inherited: &[],
            death_signal: None,
            kept_bytes: 1000,
        };
        let finished = run(
            &program,
            Some(Instant::now() + PROBE_PATIENCE),
            self.signals,
        )?;
        // Other lines may come from a wrapper.
        let version = finished
            .stdout
            .lines()
            .find_map(|line| line.strip_prefix("Python "));
        Ok(version.map(str::to_owned))
    }
}

/// The request that comes first; `package_file` is where the discovery found the measured package.
pub(super) fn configure(
    options: &WorkerOptions,
    package_file: Option<&Path>,
) -> Result<String, WorkerError> {
    request::configure(options, package_file).ok_or_else(|| not_unicode(&options.benchmark_dir))
}

/// A path that cannot be told to Python.
pub(super) fn not_unicode(path: &Path) -> WorkerError {
    WorkerError::Prepare(io::Error::new(
        io::ErrorKind::InvalidInput,
        format!("the path `{}` is not valid Unicode", path.display()),
    ))
}

/// The error of a worker that ended before it answered.
pub(super) fn died(exit: Exit, session: &Session) -> WorkerError {
    WorkerError::Died {
        ending: exit.status.to_string(),
        output: session.output(),
    }
}

/// Whether a version such as `3.8.18` is below the oldest. One that cannot be read is not.
fn is_too_old(version: &str) -> bool {
    let mut parts = version.split('.').map(str::parse::<u32>);
    match (parts.next(), parts.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor) < OLDEST,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        for old in ["2.7.18", "3.6.15", "3.8.18"] {
            assert!(is_too_old(old), "{old}");
        }
        for new in ["3.9.0", "3.10.13", "3.14.0rc1", "4.0", "unknown"] {
            assert!(!is_too_old(new), "{new}");
        }
    }
}
