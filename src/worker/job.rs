//! What a worker is asked to do and what comes back: the seam between the schedule and Python.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use super::launch::LaunchChoice;
use crate::json::{Json, Object};
use crate::sys::process::ExitStatus;

/// Runs discovery and jobs. The real one talks to Python; tests have their own.
pub trait Executor {
    /// Imports the suite and lists its benchmarks.
    fn discover(&mut self) -> Result<Discovery, WorkerError>;

    /// Runs one job to its end or to its deadline; never longer than deadline and grace.
    fn execute(&mut self, job: &Job) -> Result<JobOutcome, WorkerError>;

    /// How jobs are started by now, and why: a crash may have changed what the discovery said. `None`
    /// while it is open.
    fn launch(&self) -> Option<&LaunchChoice> {
        None
    }

    /// Sets an environment variable of the processes that are started from now on.
    fn set_variable(&mut self, _name: &str, _value: &str) {}
}

/// One piece of work for one process.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    pub kind: JobKind,
    /// Names; several only when they share one set-up.
    pub benchmarks: Vec<String>,
    /// Index of the parameter combination; `None` when unparameterised.
    pub combination: Option<usize>,
    /// Extra attributes that win over the suite's.
    pub attributes: Object,
    /// Extra attributes of single benchmarks of a shared job; these win over `attributes`.
    pub attributes_by_benchmark: BTreeMap<String, Object>,
    /// Folder with `cache.pickle` (and for `setup_cache` the folder to write it into); `None` for a
    /// fresh temporary folder that is removed afterwards.
    pub cache: Option<PathBuf>,
    /// Variables that the process of the job gets beside those of all benchmarks.
    pub environment: BTreeMap<String, String>,
    /// Whether to profile one more call.
    pub profile: bool,
    /// Profiles of other combinations by benchmark; what this job profiles is added to them.
    pub profiles_before: BTreeMap<String, String>,
    /// The benchmark's own time-out in seconds, which enters the sampling algorithm.
    pub timeout: Option<f64>,
    /// Wall-clock limit of the process and all that it started.
    pub deadline: Duration,
    /// Must run in a process of its own that imports only the benchmark's module (`peakmem`).
    pub isolated: bool,
}

/// The kinds of job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobKind {
    Benchmark,
    SetupCache,
}

/// How a job ended, with one report for each benchmark of it that said something.
#[derive(Debug, Clone, PartialEq)]
pub struct JobOutcome {
    pub reports: Vec<JobReport>,
    pub ending: Ending,
    /// Start of the process, milliseconds since 1970.
    pub started_at: i64,
    /// Wall time of the process, start included.
    pub wall: Duration,
    /// The last bytes of both streams, as text.
    pub stdout: String,
    pub stderr: String,
    /// High-water mark of resident memory, bytes.
    pub max_rss: Option<u64>,
    pub launch: Launch,
    /// Processes that outlived the job and were ended.
    pub leftovers: usize,
    /// Share of the time in which its process could have run that it waited for a processor; `None` where
    /// that is not known.
    pub run_queue_delay: Option<f64>,
    /// What was noticed around the process from outside; it concerns all its benchmarks, failed ones too.
    pub flags: Vec<String>,
}

/// What the worker said about one benchmark of a job.
#[derive(Debug, Clone, PartialEq)]
pub enum JobReport {
    /// A plain value.
    Value {
        benchmark: String,
        value: Json,
        flags: Vec<String>,
        /// What else is known of the measurement, such as the mode of an allocator.
        facts: Object,
        profile: Option<String>,
    },
    /// Timed samples, seconds per call.
    Samples {
        benchmark: String,
        samples: Vec<f64>,
        number: i64,
        flags: Vec<String>,
        facts: Object,
        profile: Option<String>,
    },
    Skipped {
        benchmark: String,
        reason: String,
    },
    /// `kind` is `exception`, `no-value` or `unserializable`.
    Failed {
        benchmark: String,
        kind: String,
        error: PythonError,
    },
    /// `setup_cache` is done.
    Cached,
}

/// An exception as Python printed it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PythonError {
    /// Name of the class.
    pub class: String,
    pub message: String,
    pub traceback: String,
}

/// How the process of a job ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this exit code.
    Exited(i32),
    /// Of this signal, not sent by us.
    Signaled(i32),
    /// Together with the server that had forked it, which ended like this.
    WithItsWorker(ExitStatus),
    /// Ended by us after the deadline.
    TimedOut,
    /// Ended by us because we were interrupted by this signal.
    Interrupted(i32),
}

/// How a process was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Launch {
    Fork,
    Spawn,
}

/// Everything that the import of the suite brought to light.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Discovery {
    pub interpreter: Interpreter,
    /// In the order of the walk.
    pub benchmarks: Vec<Discovered>,
    pub module_errors: Vec<ModuleError>,
    /// What `auto` came to, and why.
    pub forks: bool,
    pub launch_reason: String,
    /// `module`, `file`, `line` of module-level imports of JAX.
    pub jax_imports: Vec<(String, PathBuf, u64)>,
    /// Top-level packages that the suite imported, with their file or folder.
    pub imported: BTreeMap<String, PathBuf>,
    /// File or folder that the measured package was imported from or would be; `None` where it cannot
    /// be found, or where no package was named.
    pub package_file: Option<PathBuf>,
    /// Imported modules of that package whose files lie outside of its folder.
    pub package_strays: BTreeMap<String, PathBuf>,
}

/// The interpreter that runs the suite.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Interpreter {
    /// `3.12.1`.
    pub version: String,
    pub implementation: String,
    pub executable: PathBuf,
    pub prefix: PathBuf,
    /// Version of `asv_runner`, if it is installed.
    pub asv_runner: Option<String>,
    /// What `setup_scope` came to: `process`, `sample` or `call`.
    pub setup_scope: String,
    /// Installed distributions, name to version.
    pub packages: BTreeMap<String, String>,
}

/// One discovered benchmark.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Discovered {
    /// The record as asv exports it.
    pub record: Object,
    pub file: PathBuf,
    pub line: u64,
    /// Combinations that the suite skips.
    pub skip_params: Vec<usize>,
    /// Dotted module below the suite; empty for the package itself.
    pub module: String,
    pub class: Option<String>,
}

/// A module of the suite that cannot be imported.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModuleError {
    pub module: String,
    /// The class or function that cannot be examined, when the rest of the module goes on.
    pub object: Option<String>,
    pub error: PythonError,
}

/// What a program printed before it ended; `the` begins the words as the sentence around them needs.
fn last_printed(the: &str, output: &str) -> String {
    if output.trim().is_empty() {
        let it = if the == "The" { "It" } else { "it" };
        return format!("{it} printed nothing");
    }
    format!("{the} last it printed:\n{output}")
}

fn times_in_words(times: usize) -> String {
    match times {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{times} times"),
    }
}

/// Why a worker could not do its work at all (as opposed to a benchmark that failed).
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The interpreter could not be started.
    #[error("cannot start Python with `{command}`")]
    Start {
        command: String,
        source: std::io::Error,
    },
    /// The interpreter is not usable.
    #[error("`{command}` is Python {version}; lcmbench needs 3.9 or newer")]
    TooOld { command: String, version: String },
    /// The program ended before it said that it is a Python.
    #[error(
        "`{command}` ended before it started the worker ({ending}); is it a Python? {}",
        last_printed("The", .output)
    )]
    NoPython {
        command: String,
        ending: String,
        output: String,
    },
    /// The worker ended before it answered.
    #[error("the worker ended before it answered ({ending}); {}", last_printed("the", .output))]
    Died { ending: String, output: String },
    /// A benchmark that has ended several workers is not run again.
    #[error("not run: {benchmark} ended the worker that started it {} already", times_in_words(*.times))]
    Avoided { benchmark: String, times: usize },
    /// Workers do not survive, whatever they run.
    #[error(
        "not run: the worker ended {times} times in a row while it ran a benchmark, so none is \
         started any more"
    )]
    GivenUp { times: usize },
    /// The suite cannot be imported at all.
    #[error("the benchmark suite cannot be imported: {0}")]
    Suite(String),
    /// The worker is well, but cannot do this.
    #[error("the worker refused: {0}")]
    Refused(String),
    /// A temporary folder, a pipe or a descriptor failed.
    #[error("cannot prepare the worker")]
    Prepare(#[source] std::io::Error),
    /// A signal arrived (SIGINT, SIGTERM, SIGHUP).
    #[error("interrupted by signal {0}")]
    Interrupted(i32),
}
