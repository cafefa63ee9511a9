//! py-spy: a sampling profiler that looks into a running Python from outside.

mod permission;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fs_err as fs;
use rustix::process::Signal;

use crate::sys::env::Environment;
use crate::sys::process::{Process, Program, Wake, Watched, spawn};
use crate::sys::signals::Signals;
use permission::ptrace_scope;
pub use permission::remedy;

/// What py-spy prints once it samples.
const STARTED: &str = "Sampling process";

/// What it says where it may not look into a process that runs.
const REFUSALS: [&str; 3] = [
    "Permission Denied",
    "Operation not permitted",
    "Failed to get process executable name",
];

/// What it says before the number of samples that it took.
const SAMPLES: &str = "Samples: ";

/// How long it may take until it samples, and to write its picture.
const START_PATIENCE: Duration = Duration::from_mins(1);
const END_PATIENCE: Duration = Duration::from_mins(2);

/// How often to look whether it has started.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Bytes of its messages that are kept.
const KEPT_BYTES: usize = 16 * 1024;

/// How to sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sampling {
    /// The picture that is written: a flame graph as SVG.
    pub output: PathBuf,
    /// Samples a second.
    pub rate: u32,
}

/// A profiler at work.
pub trait Attached {
    /// Ends sampling and has the result written; how many samples were taken, where that is told.
    fn finish(self: Box<Self>) -> Result<Option<u64>, PySpyError>;
}

/// Why there is no profile.
#[derive(Debug, thiserror::Error)]
pub enum PySpyError {
    #[error(
        "py-spy was found neither beside {} nor on PATH; install it with `pip install py-spy`, or give \
         --no-py-spy to use a profiler of your own", python.display()
    )]
    NotFound { python: PathBuf },
    #[error("cannot run {}", program.display())]
    Start { program: PathBuf, source: io::Error },
    #[error("py-spy may not look into the process; {remedy}")]
    NotPermitted { remedy: String },
    #[error("py-spy ended without a profile: {message}")]
    Ended { message: String },
    #[error(
        "py-spy took no sample: the loop was over too soon; ask for more calls, or for more samples a \
         second with --rate"
    )]
    NoSample,
    #[error(transparent)]
    Picture(#[from] super::picture::PictureError),
    #[error("py-spy did not answer within {} s", .0.as_secs())]
    TimedOut(Duration),
    #[error("interrupted by signal {0}")]
    Interrupted(i32),
}

/// py-spy, attached to a process.
#[derive(Debug)]
pub struct PySpy {
    process: Process,
    output: PathBuf,
}

impl PySpy {
    /// Attaches to a process of this user and waits until samples are taken.
    pub fn attach(
        program: &Path,
        process: i64,
        sampling: &Sampling,
        environment: &Environment,
        signals: Option<&Signals>,
    ) -> Result<Self, PySpyError> {
        let start = |source| PySpyError::Start {
            program: program.to_owned(),
            source,
        };
        let name = OsString::from(program);
        let arguments = arguments(process, sampling);
        let mut spy = Self {
            process: spawn(&Program {
                name: &name,
                arguments: &arguments,
                environment,
                directory: None,
                inherited: &[],
                death_signal: Some(Signal::KILL),
                kept_bytes: KEPT_BYTES,
            })
            .map_err(start)?,
            output: sampling.output.clone(),
        };
        let patience = Instant::now() + START_PATIENCE;
        while !spy.process.stdout.text().contains(STARTED) {
            let watched = Watched {
                others: &[],
                deadline: Some((Instant::now() + LOOK_EVERY).min(patience)),
                signals,
            };
            match spy.process.watch(watched).map_err(start)? {
                Wake::Ended(_) => return Err(spy.failure()),
                Wake::Interrupted(signal) => return Err(PySpyError::Interrupted(signal)),
                Wake::Expired if Instant::now() >= patience => {
                    return Err(PySpyError::TimedOut(START_PATIENCE));
                }
                Wake::Expired | Wake::Ready => {}
            }
        }
        Ok(spy)
    }

    /// How many samples the picture has, if there is one.
    fn taken(&mut self) -> Result<Option<u64>, PySpyError> {
        self.process.read_rest().ok();
        let is_written = fs::metadata(&self.output).is_ok_and(|file| file.len() > 0);
        if !is_written {
            return Err(self.failure());
        }
        let words = [self.process.stdout.text(), self.process.stderr.text()].join("\n");
        match samples(&words) {
            Some(0) => Err(PySpyError::NoSample),
            samples => Ok(samples),
        }
    }

    /// What its last words mean.
    fn failure(&mut self) -> PySpyError {
        self.process.read_rest().ok();
        let streams = [self.process.stderr.text(), self.process.stdout.text()];
        let words = streams.join("\n");
        if REFUSALS.iter().any(|refusal| words.contains(refusal)) {
            return PySpyError::NotPermitted {
                remedy: remedy(ptrace_scope()),
            };
        }
        let first = words.lines().map(str::trim).find(|line| !line.is_empty());
        PySpyError::Ended {
            message: first.unwrap_or("it printed nothing").to_owned(),
        }
    }
}

impl Attached for PySpy {
    fn finish(mut self: Box<Self>) -> Result<Option<u64>, PySpyError> {
        self.process.signal_group(Signal::INT);
        let deadline = Instant::now() + END_PATIENCE;
        let ended = self.process.watch(Watched::until(deadline));
        match ended {
            Ok(Wake::Ended(_)) => self.taken(),
            Ok(_) => Err(PySpyError::TimedOut(END_PATIENCE)),
            Err(error) => Err(PySpyError::Ended {
                message: error.to_string(),
            }),
        }
    }
}

fn arguments(process: i64, sampling: &Sampling) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = ["record", "--format", "flamegraph", "--pid"]
        .map(OsString::from)
        .into();
    arguments.push(process.to_string().into());
    arguments.push("--rate".into());
    arguments.push(sampling.rate.to_string().into());
    arguments.push("--output".into());
    arguments.push(sampling.output.clone().into());
    arguments
}

/// The number of samples that it says it took.
fn samples(words: &str) -> Option<u64> {
    let (_, rest) = words.rsplit_once(SAMPLES)?;
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

#[cfg(test)]
mod tests;
