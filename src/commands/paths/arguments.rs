//! The arguments of `lcmbench paths`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::commands::CommandError;
use crate::commands::gpu_use::GpuArguments;
use crate::commands::setup::Overrides;
use crate::paths::{Modes, Options, ProfileOptions};

/// The example that is measured when none is named.
const DEFAULT_EXAMPLE: i64 = 2;

/// Measure the evaluators of one model against each other: compiled, interpreter, JAX.
///
/// Without a mode, the time of one evaluation on each path. In a checkout of trspecfit the examples are
/// its workflows; any other project declares its own with --fixture (see docs/paths.md).
#[derive(Debug, Args)]
pub(in crate::commands) struct Arguments {
    /// Number of the example; 0 for all of them, with a summary at the end. Default: 2.
    #[arg(
        value_name = "N",
        conflicts_with = "example",
        allow_negative_numbers = true
    )]
    number: Option<i64>,
    /// The same as the first argument.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    example: Option<i64>,
    /// Show the examples, what each exercises, and which are no fixtures and why.
    #[arg(long)]
    pub(super) list: bool,

    /// Timed evaluations of each path; with --profile the length of the loop. Default: 200, and 5000
    /// with --profile.
    #[arg(long, value_name = "CALLS", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..))]
    calls: Option<u32>,
    /// Also time whole fits on each path.
    #[arg(long)]
    fit: bool,
    /// Fits of each path.
    #[arg(short = 'n', value_name = "TIMES", default_value_t = 3, allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..))]
    repetitions: u16,
    /// Count the residual evaluations of a fit by stage, instead of timing evaluations.
    #[arg(long)]
    nfev: bool,
    /// Time the planning of a fit against the fit, instead of timing evaluations.
    #[arg(long)]
    plan_time: bool,
    /// Fit from scaled initial values and report the spread of the fitted ones, instead of timing
    /// evaluations. A diagnosis, not a test.
    #[arg(long)]
    par_variability: bool,
    /// Starts of --par-variability beside the model's own.
    #[arg(long, value_name = "N", default_value_t = 4, allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..))]
    starts: u16,

    /// Run a loop of the compiled path alone under py-spy, and write a flame graph.
    #[arg(long)]
    profile: bool,
    /// Where the flame graph goes. Default: lcmbench-profile-<example>.svg.
    #[arg(short, long, value_name = "FILE", requires = "profile")]
    output: Option<PathBuf>,
    /// Samples a second.
    #[arg(long, value_name = "HZ", default_value_t = 500, allow_negative_numbers = true, requires = "profile", value_parser = clap::value_parser!(u32).range(1..))]
    rate: u32,
    /// Run the bare loop, for a profiler of your own.
    #[arg(long, requires = "profile", conflicts_with_all = ["output", "rate"])]
    no_py_spy: bool,

    /// Module that declares the fixtures: a dotted name, or the path of a file.
    #[arg(long, value_name = "MODULE", conflicts_with = "examples")]
    pub(super) fixture: Option<String>,
    /// Folder of trspecfit workflows, instead of `examples/fitting_workflows` here.
    #[arg(long, value_name = "DIR")]
    pub(super) examples: Option<PathBuf>,

    #[command(flatten)]
    pub(super) gpu: GpuArguments,
    /// Format of the report.
    #[arg(long, value_enum, default_value_t = OutputFormat::Table)]
    pub(super) format: OutputFormat,
    /// Keep the results as those of this machine and the commit that is checked out, which must have no
    /// changes then.
    #[arg(long)]
    pub(super) save: bool,
    /// Limit of each step in seconds of wall-clock time: a plan, a block of evaluations, a fit.
    #[arg(long, value_name = "SECONDS", default_value = "900", allow_negative_numbers = true, value_parser = duration)]
    timeout: Duration,
    /// The Python of the project: a path, an environment's folder or a command such as
    /// `pixi run -e bench python`. Default: the active environment, `.venv` here, or PATH.
    #[arg(long, value_name = "COMMAND")]
    pub(super) python: Option<String>,
    /// Name of the machine, instead of `LCMBENCH_MACHINE`, the configuration or the host name.
    #[arg(short, long, value_name = "NAME")]
    machine: Option<String>,
    /// Run the code of a fork's pull request on a runner that is not GitHub's.
    #[arg(long, hide_short_help = true)]
    allow_fork_code_on_self_hosted_runner: bool,
}

/// How the report is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::commands) enum OutputFormat {
    Table,
    Markdown,
    Json,
}

impl Arguments {
    /// The number of the example; 0 for all.
    pub(super) fn example(&self) -> Result<i64, CommandError> {
        let number = self.number.or(self.example).unwrap_or(DEFAULT_EXAMPLE);
        if number < 0 {
            return Err(CommandError::usage(anyhow::anyhow!(
                "the number of an example is 1 or more, and 0 means all; `lcmbench paths --list` shows them"
            )));
        }
        if number == 0 && self.output.is_some() {
            return Err(CommandError::usage(anyhow::anyhow!(
                "--output names one file, and example 0 means several; leave it out to have one file each"
            )));
        }
        Ok(number)
    }

    /// What they say about the settings.
    pub(super) fn overrides(&self) -> Overrides {
        let mut overrides = Overrides {
            machine: self.machine.clone(),
            python: self.python.clone(),
            fork_code_is_allowed: self.allow_fork_code_on_self_hosted_runner,
            ..Overrides::default()
        };
        self.gpu.add_to(&mut overrides);
        overrides
    }

    /// What is measured and how; `directory` is where files go.
    pub(super) fn options(&self, directory: &Path) -> Options {
        let instead = self.nfev || self.plan_time || self.par_variability || self.profile;
        Options {
            modes: Modes {
                per_call: !instead,
                fit: self.fit,
                counts: self.nfev,
                plan_time: self.plan_time,
                variability: self.par_variability,
                profile: self.profile,
            },
            calls: self.calls,
            repetitions: usize::from(self.repetitions),
            starts: usize::from(self.starts),
            deadline: self.timeout,
            profile: ProfileOptions {
                output: self.output.as_ref().map(|output| directory.join(output)),
                directory: directory.to_owned(),
                rate: self.rate,
                bare: self.no_py_spy,
            },
        }
    }
}

/// A wall-clock limit in seconds.
pub(in crate::commands) fn duration(text: &str) -> Result<Duration, String> {
    let duration = text.parse().map(Duration::try_from_secs_f64);
    match duration {
        Ok(Ok(duration)) if !duration.is_zero() => Ok(duration),
        _ => Err("a number of seconds above zero is expected".to_owned()),
    }
}
