//! The settings of the worker.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use crate::config::{LaunchMethod, SetupScope};
use crate::sys::env::Environment;

/// How to start Python, and what to tell it.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// The command that starts Python, in words: a path, or `pixi run -e x python`. Not empty.
    pub python: Vec<String>,
    /// Folder that the command is started in; `None` for ours. Benchmarks run in folders of their own.
    pub directory: Option<PathBuf>,
    /// The suite; absolute.
    pub benchmark_dir: PathBuf,
    pub launch: LaunchMethod,
    pub setup_scope: SetupScope,
    /// Whether a timed call waits for the arrays that it returns.
    pub device_sync: bool,
    /// Import name of the package that is measured; the worker says where it lies.
    pub package: Option<String>,
    /// The top folder of what is checked out, which all modules of `package` must come from; `None`
    /// where there is no repository.
    pub checkout: Option<PathBuf>,
    /// Processors that the benchmarks may run on; `None` for all that we may.
    pub cpu_affinity: Option<Vec<usize>>,
    /// Our own variables. Python gets them but for those that give access to something (see
    /// [`super::ChildEnvironment`]).
    pub environment: Environment,
    /// Variables of the benchmarks; these win.
    pub benchmark_env: BTreeMap<String, String>,
    /// How many bytes of the end of each stream are kept.
    pub kept_bytes: usize,
    /// How long Python may take to answer at all.
    pub start_timeout: Duration,
}

impl WorkerOptions {
    /// The defaults: `auto` in everything, the last 64 KiB of the streams, two minutes to start (a
    /// command such as `pixi run` may have an environment to install first).
    pub fn new(python: Vec<String>, benchmark_dir: PathBuf, environment: Environment) -> Self {
        Self {
            python,
            directory: None,
            benchmark_dir,
            launch: LaunchMethod::Auto,
            setup_scope: SetupScope::Auto,
            device_sync: false,
            package: None,
            checkout: None,
            cpu_affinity: None,
            environment,
            benchmark_env: BTreeMap::new(),
            kept_bytes: 64 * 1024,
            start_timeout: Duration::from_mins(2),
        }
    }

    /// The command as a person would type it.
    pub fn command(&self) -> String {
        let words = self.python.iter().map(String::as_str);
        shlex::try_join(words).unwrap_or_else(|_| self.python.join(" "))
    }
}
