//! The arguments of `lcmbench pair`.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};

use crate::commands::CommandError;
use crate::commands::gpu_use::GpuArguments;
use crate::pair::{Backend, CacheState, Precision};

/// Measure named scenarios on an exact base and an exact head, and keep the evidence.
///
/// Run it in a clean checkout, which supplies the scenarios (the harness); base and head are two other
/// clean checkouts. See docs/paired.md.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(in crate::commands) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Option<PairCommand>,
    /// Folder of the checkout of the base.
    #[arg(long, value_name = "FOLDER", required_unless_present_any = ["list", "resume"])]
    pub(super) base_checkout: Option<PathBuf>,
    /// Full hash of the base.
    #[arg(long, value_name = "HASH", required_unless_present_any = ["list", "resume"])]
    pub(super) base_revision: Option<String>,
    /// Folder of the checkout of the head.
    #[arg(long, value_name = "FOLDER", required_unless_present_any = ["list", "resume"])]
    pub(super) head_checkout: Option<PathBuf>,
    /// Full hash of the head.
    #[arg(long, value_name = "HASH", required_unless_present_any = ["list", "resume"])]
    pub(super) head_revision: Option<String>,
    /// Full hash of the checkout that the command runs in.
    #[arg(long, value_name = "HASH", required_unless_present_any = ["list", "resume"])]
    pub(super) harness_revision: Option<String>,
    /// New folder for the evidence, outside of all checkouts.
    #[arg(short, long, value_name = "FOLDER", required_unless_present_any = ["list", "resume"])]
    output: Option<PathBuf>,
    /// Bits of floating-point numbers.
    #[arg(long, value_enum, value_name = "BITS", default_value = "32")]
    precision: Bits,
    /// Where workloads run.
    #[arg(long, value_enum, value_name = "BACKEND", default_value = "gpu")]
    backend: BackendName,
    /// Pairs of each scenario; an even number is balanced.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(2..))]
    pub(super) repeats: u16,
    /// Measure only this scenario. May be given several times.
    #[arg(long, value_name = "NAME")]
    pub(super) scenario: Vec<String>,
    /// Show the scenarios of the harness.
    #[arg(long)]
    pub(super) list: bool,
    /// Go on with the run in this folder; revisions and options are taken from it.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["base_checkout", "base_revision", "head_checkout", "head_revision", "harness_revision", "output", "scenario", "list"])]
    pub(super) resume: Option<PathBuf>,
    /// Run the code of a fork's pull request on a runner that is not GitHub's.
    #[arg(long, hide_short_help = true)]
    pub(super) allow_fork_code_on_self_hosted_runner: bool,
    /// A file of scenarios in the harness. May be given several times.
    #[arg(long, value_name = "FILE")]
    pub(super) scenarios: Vec<String>,
    /// The command that starts Python on both sides, such as
    /// `pixi run --manifest-path {checkout}/pyproject.toml python`.
    #[arg(long, value_name = "COMMAND")]
    pub(super) python: Option<String>,
    /// The Python of base instead.
    #[arg(long, value_name = "COMMAND")]
    pub(super) base_python: Option<String>,
    /// The Python of head instead.
    #[arg(long, value_name = "COMMAND")]
    pub(super) head_python: Option<String>,
    /// The compile cache: empty for every process, or filled before the first that counts.
    #[arg(long, value_enum, value_name = "STATE", default_value = "cold")]
    cache: Cache,
    /// Seed that the builders get.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(super) seed: i64,
    /// Calls that each process times, at most.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u16).range(2..))]
    pub(super) samples: u16,
    /// Seconds that the timed calls of one process may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = positive)]
    pub(super) seconds: f64,
    /// Seconds that one process may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 900.0, value_parser = positive)]
    pub(super) timeout: f64,
    /// Measure although both sides have different versions of jaxlib.
    #[arg(long)]
    pub(super) allow_different_jaxlib: bool,
    #[command(flatten)]
    pub(super) gpu: GpuArguments,
    /// How to print the summary.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: OutputFormat,
}

#[derive(Debug, Subcommand)]
pub(super) enum PairCommand {
    /// Print the summary of a run, finished or not.
    Report(ReportArguments),
}

#[derive(Debug, Args)]
pub(super) struct ReportArguments {
    /// The output folder of the run.
    pub(super) folder: PathBuf,
    /// How to print it.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: OutputFormat,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum OutputFormat {
    #[default]
    Table,
    Markdown,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Bits {
    #[value(name = "32")]
    Single,
    #[value(name = "64")]
    Double,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BackendName {
    Cpu,
    Gpu,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Cache {
    Cold,
    Warm,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if seconds > 0.0 && f64::is_finite(seconds) => Ok(seconds),
        _ => Err("a number of seconds above 0 is needed".to_owned()),
    }
}

impl Arguments {
    pub(super) fn precision(&self) -> Precision {
        match self.precision {
            Bits::Single => Precision::Single,
            Bits::Double => Precision::Double,
        }
    }

    pub(super) fn backend(&self) -> Backend {
        match self.backend {
            BackendName::Cpu => Backend::Cpu,
            BackendName::Gpu => Backend::Gpu,
        }
    }

    pub(super) fn cache(&self) -> CacheState {
        match self.cache {
            Cache::Cold => CacheState::Cold,
            Cache::Warm => CacheState::Warm,
        }
    }

    /// The output folder, absolute.
    pub(super) fn output(&self, directory: &Path) -> Result<PathBuf, CommandError> {
        let output = self.output.as_ref();
        let output =
            output.ok_or_else(|| anyhow::anyhow!("--output names the folder for the evidence"))?;
        Ok(directory.join(output))
    }
}
