//! Arguments that the measuring commands have in common; asv's names where asv has them.

use clap::{Args, ValueEnum};

use crate::commands::CommandError;
use crate::commands::gpu_use::{CacheArguments, GpuArguments};
use crate::commands::setup::Overrides;
use crate::config::{LaunchMethod, SetupScope};
use crate::run::{AttributeError, Attributes, SkipExisting};

/// Which benchmarks.
#[derive(Debug, Clone, Default, Args)]
pub(in crate::commands) struct SelectionArguments {
    /// Only benchmarks in whose name, or name(parameters), this regular expression (of Python's kind)
    /// is found, or the literal name(parameters) of one combination. May be given several times.
    #[arg(short, long, value_name = "REGEX")]
    pub(in crate::commands) bench: Vec<String>,
}

/// Which Python, and how it is started.
#[derive(Debug, Clone, Default, Args)]
pub(in crate::commands) struct WorkerArguments {
    /// The Python of the benchmarks: a path, an environment's folder or a command such as
    /// `pixi run -e bench python`. `same` is the one of the active environment or on PATH.
    #[arg(long, value_name = "COMMAND")]
    python: Option<String>,
    /// asv's way to name the environment: `existing`, `existing:python`, `existing:/path/to/python`.
    #[arg(short = 'E', long, value_name = "ENVIRONMENT")]
    environment: Vec<String>,
    /// How processes are started: `auto` forks a process that has imported the suite where that is
    /// safe, and starts Python afresh elsewhere. asv's word for `fork` is `forkserver`.
    #[arg(long, value_enum, value_name = "METHOD")]
    launch_method: Option<Launch>,
    /// How often `setup` runs for a timed benchmark; `auto` follows the installed `asv_runner`.
    #[arg(long, value_enum, value_name = "SCOPE")]
    setup_scope: Option<Scope>,
    /// Measure the metrics of one class and parameter set in one process after one set-up.
    #[arg(long, overrides_with = "no_share_setup")]
    share_setup: bool,
    /// Measure each metric in a process of its own, whatever the configuration says.
    #[arg(long, overrides_with = "share_setup")]
    no_share_setup: bool,
    /// Wait for the arrays that a timed call returns (JAX computes in the background).
    #[arg(long, overrides_with = "no_device_sync")]
    device_sync: bool,
    /// Do not wait for the arrays that a timed call returns, whatever the configuration says.
    #[arg(long, overrides_with = "device_sync")]
    no_device_sync: bool,
    /// Name of the machine, instead of `LCMBENCH_MACHINE`, the configuration or the host name.
    #[arg(short, long, value_name = "NAME")]
    machine: Option<String>,
    /// Run the code of a fork's pull request on a runner that is not GitHub's: whoever opened it gets
    /// what this user can do here. Only for machines that are thrown away after the job.
    #[arg(long)]
    allow_fork_code_on_self_hosted_runner: bool,
}

/// How it is measured.
#[derive(Debug, Clone, Default, Args)]
pub(in crate::commands) struct MeasureArguments {
    #[command(flatten)]
    gpu: GpuArguments,
    #[command(flatten)]
    cache: CacheArguments,
    /// Set an attribute of all benchmarks: `timeout`, `version`, `warmup_time`, `repeat`, `number`,
    /// `rounds`, `processes`, `sample_time`, `min_run_count` or `cpu_affinity`. May be given several times.
    #[arg(short, long, value_name = "KEY=VALUE")]
    attribute: Vec<String>,
    /// Processors that the benchmarks may run on: 0 or 0,1 or 0-3.
    #[arg(long, value_name = "LIST")]
    cpu_affinity: Option<String>,
    /// Profile one more call of each benchmark and keep the profile.
    #[arg(short, long)]
    pub(in crate::commands) profile: bool,
    /// Show what the benchmarks print.
    #[arg(short = 'e', long)]
    pub(in crate::commands) show_stderr: bool,
    /// Show the N slowest benchmarks (all without a number) and how long they took.
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "all")]
    durations: Option<String>,
    /// Accepted because asv has it: nothing is ever pulled.
    #[arg(long)]
    no_pull: bool,
}

/// What is passed over.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(in crate::commands) struct SkipArguments {
    /// Pass over benchmarks that have a result of this commit already, good or failed.
    #[arg(short = 'k', long)]
    skip_existing: bool,
    /// Pass over benchmarks that have a good result of this commit already.
    #[arg(long)]
    skip_existing_successful: bool,
    /// Pass over benchmarks that have a failed result of this commit already.
    #[arg(long)]
    skip_existing_failed: bool,
}

impl SkipArguments {
    /// What they ask for.
    pub(in crate::commands) fn what(self) -> SkipExisting {
        SkipExisting {
            successful: self.skip_existing || self.skip_existing_successful,
            failed: self.skip_existing || self.skip_existing_failed,
        }
    }
}

/// asv's launch methods and ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Launch {
    Auto,
    #[value(alias = "forkserver")]
    Fork,
    Spawn,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Scope {
    Auto,
    Process,
    Sample,
    Call,
}

impl WorkerArguments {
    /// What they say about the settings.
    pub(in crate::commands) fn overrides(&self) -> Result<Overrides, CommandError> {
        let python = match (&self.python, self.environment.as_slice()) {
            (python, []) => python.clone(),
            (None, [environment]) => Some(environment.clone()),
            (Some(_), [_]) => {
                return Err(CommandError::usage(anyhow::anyhow!(
                    "--python and --environment both name a Python; give one of them"
                )));
            }
            _ => {
                return Err(CommandError::usage(anyhow::anyhow!(
                    "several environments in one run are not supported yet; run once for each"
                )));
            }
        };
        Ok(Overrides {
            machine: self.machine.clone(),
            fork_code_is_allowed: self.allow_fork_code_on_self_hosted_runner,
            python,
            launch: self.launch_method.map(|method| match method {
                Launch::Auto => LaunchMethod::Auto,
                Launch::Fork => LaunchMethod::Fork,
                Launch::Spawn => LaunchMethod::Spawn,
            }),
            setup_scope: self.setup_scope.map(|scope| match scope {
                Scope::Auto => SetupScope::Auto,
                Scope::Process => SetupScope::Process,
                Scope::Sample => SetupScope::Sample,
                Scope::Call => SetupScope::Call,
            }),
            share_setup: switch(self.share_setup, self.no_share_setup),
            device_sync: switch(self.device_sync, self.no_device_sync),
            ..Overrides::default()
        })
    }
}

impl MeasureArguments {
    /// Adds what they say about the settings.
    pub(in crate::commands) fn add_to(&self, overrides: &mut Overrides) {
        self.gpu.add_to(overrides);
        self.cache.add_to(overrides);
    }

    /// Whether GPUs are probed before and after.
    pub(in crate::commands) fn probe(&self) -> bool {
        self.gpu.probe
    }

    /// The attributes that they set.
    pub(in crate::commands) fn attributes(&self) -> Result<Attributes, AttributeError> {
        let mut attributes = Attributes::parse(&self.attribute)?;
        if let Some(list) = &self.cpu_affinity {
            attributes.set("cpu_affinity", list)?;
        }
        Ok(attributes)
    }

    /// How many durations are to be shown; `None` for none.
    pub(in crate::commands) fn durations(&self) -> Result<Option<usize>, CommandError> {
        match self.durations.as_deref() {
            None => Ok(None),
            Some("all") => Ok(Some(usize::MAX)),
            Some(number) => number
                .parse()
                .ok()
                .filter(|n| *n > 0)
                .map(Some)
                .ok_or_else(|| {
                    CommandError::usage(anyhow::anyhow!(
                        "--durations takes a number of benchmarks or `all`, not `{number}`"
                    ))
                }),
        }
    }
}

/// A pair of flags of which the last one given counts.
fn switch(on: bool, off: bool) -> Option<bool> {
    (on || off).then_some(on)
}
