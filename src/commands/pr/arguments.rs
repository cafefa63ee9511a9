//! The arguments of `lcmbench pr`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::commands::Exit;
use crate::commands::comparing::gates;
use crate::commands::continuous::PairingArguments;
use crate::commands::measure::{
    MeasureArguments, SelectionArguments, SkipArguments, WorkerArguments,
};
use crate::commands::pull_request::PullArguments;
use crate::commands::reporting::CommentArguments;
use crate::github::CheckRun;
use crate::report::Gate;

/// Measure the pull request that is checked out, comment on it and set its status.
///
/// Runs the benchmarks that `pr.bench` selects (all without it), compares them with the merge base,
/// writes the comment of `pr-comment`, and the commit status `benchmark-check`: pending as soon as the
/// first benchmark starts, finished in every case. Red for a regression only with `--fail-on`.
#[derive(Debug, Args)]
pub(in crate::commands) struct Arguments {
    #[command(flatten)]
    pub(super) pull: PullArguments,
    #[command(flatten)]
    pub(super) selection: SelectionArguments,
    #[command(flatten)]
    pub(super) worker: WorkerArguments,
    #[command(flatten)]
    pub(super) measure: MeasureArguments,
    #[command(flatten)]
    pub(super) skip: SkipArguments,
    #[command(flatten)]
    pub(super) comment: CommentArguments,
    #[command(flatten)]
    pub(super) pairing: PairingArguments,
    /// Measure the merge base and HEAD in pairs in one sitting, whatever `pr.mode` says.
    #[arg(long, conflicts_with = "stored")]
    pub(super) paired: bool,
    /// Compare with stored results of the merge base, whatever `pr.mode` says.
    #[arg(long)]
    pub(super) stored: bool,
    /// End with exit code 1 and a failed status if there is any of these. Separated by commas.
    #[arg(long, value_name = "VERDICTS", value_delimiter = ',', value_parser = gates())]
    pub(super) fail_on: Vec<Gate>,
    /// Leave the commit status `benchmark-check` alone.
    #[arg(long)]
    pub(super) no_status: bool,
    /// Write the report into a check run of this name, too; only the token of a workflow may.
    #[arg(long, value_name = "NAME", value_parser = check_run)]
    pub(super) check_run: Option<String>,
    /// What it means that GitHub could not be told: exit code 4, or a warning.
    #[arg(long, value_enum, default_value_t)]
    pub(super) report_errors: ReportErrors,
    /// Tell nobody: write what was measured into this file, for `lcmbench report`. No token is needed.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["check_run", "no_status"])]
    pub(super) handoff: Option<PathBuf>,
    /// Measure although all changed files are on the list `pr.not-needed`.
    #[arg(long)]
    pub(super) always: bool,
    /// Say what would run, how long it may take and where it would be reported; do nothing.
    #[arg(long)]
    pub(super) dry_run: bool,
}

/// What a failed report means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::commands) enum ReportErrors {
    /// Exit code 4, unless a worse one applies.
    #[default]
    Fail,
    /// A warning.
    Warn,
}

impl ReportErrors {
    /// The exit code of a report that failed.
    pub(in crate::commands) fn exit(self) -> Exit {
        match self {
            Self::Fail => Exit::Remote,
            Self::Warn => Exit::Done,
        }
    }
}

fn check_run(text: &str) -> Result<String, String> {
    if CheckRun::is_name(text) {
        Ok(text.to_owned())
    } else {
        Err("a name of 1 to 255 characters is needed, other than that of the status".to_owned())
    }
}
