//! `lcmbench run`: measures the checked-out commit and files the results under it.

use clap::Args;

use super::measure::{
    Dirty, MeasureArguments, Request, SelectionArguments, SkipArguments, WorkerArguments, measure,
};
use super::{CommandError, Context, Exit};
use crate::run::SampleOptions;

/// Measure the commit that is checked out and file the results under it.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The commit to measure. Only the one that is checked out (HEAD) can be, so far.
    #[arg(value_name = "RANGE")]
    range: Option<String>,
    #[command(flatten)]
    selection: SelectionArguments,
    #[command(flatten)]
    worker: WorkerArguments,
    #[command(flatten)]
    measure: MeasureArguments,
    /// Run each benchmark once, without accurate timings.
    #[arg(short, long)]
    quick: bool,
    /// Measure a worktree with uncommitted changes too; its results are shown and not saved.
    #[arg(long)]
    allow_dirty: bool,
    /// Save nothing.
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// The commit to file the results under; it must be the one that is checked out.
    #[arg(long, value_name = "REVISION")]
    set_commit_hash: Option<String>,
    /// Keep the samples, not only their statistics.
    #[arg(long, overrides_with = "no_record_samples")]
    record_samples: bool,
    /// Keep only the statistics of the samples, as is the default.
    #[arg(long, overrides_with = "record_samples")]
    no_record_samples: bool,
    /// Add the samples to those that are there already; they are kept then.
    #[arg(long)]
    append_samples: bool,
    #[command(flatten)]
    skip: SkipArguments,
    /// Do nothing if this machine has any result of the commit already.
    #[arg(long)]
    skip_existing_commits: bool,
    /// Accepted because asv has it: with one commit there is nothing to interleave.
    #[arg(
        long,
        alias = "interleave-processes",
        overrides_with = "no_interleave_rounds"
    )]
    interleave_rounds: bool,
    /// Accepted because asv has it.
    #[arg(
        long,
        alias = "no-interleave-processes",
        overrides_with = "interleave_rounds"
    )]
    no_interleave_rounds: bool,
    /// Not supported yet: one of several commits for each period of time.
    #[arg(long, value_name = "PERIOD", hide = true)]
    date_period: Option<String>,
    /// Not supported yet: a number of commits of a range.
    #[arg(short, long, value_name = "N", hide = true)]
    steps: Option<String>,
    /// Not supported yet: building several environments at once.
    #[arg(short = 'j', long, value_name = "N", num_args = 0..=1, default_missing_value = "1", hide = true)]
    parallel: Option<String>,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    refuse_unsupported(arguments)?;
    let request = Request {
        selection: &arguments.selection,
        worker: &arguments.worker,
        measure: &arguments.measure,
        quick: arguments.quick,
        save: !arguments.dry_run,
        dirty: if arguments.allow_dirty {
            Dirty::Measure
        } else {
            Dirty::Refuse
        },
        samples: SampleOptions {
            record: arguments.record_samples || arguments.append_samples,
            append: arguments.append_samples,
        },
        skip: arguments.skip.what(),
        skip_commits: arguments.skip_existing_commits,
        set_commit_hash: arguments.set_commit_hash.as_deref(),
    };
    measure(&request, context)
}

/// What asv's `run` can do and this version cannot.
fn refuse_unsupported(arguments: &Arguments) -> Result<(), CommandError> {
    let refused = |what: &str| {
        let error = anyhow::anyhow!("{what} not supported yet");
        let hint = "check out a commit and run `lcmbench run`, commit by commit";
        Err(CommandError::usage(error).hint(hint))
    };
    match arguments.range.as_deref() {
        None | Some("HEAD" | "HEAD^!") => {}
        Some(range) => {
            return refused(&format!(
                "`{range}` asks for commits other than the one that is checked out; that is"
            ));
        }
    }
    if arguments.date_period.is_some() {
        return refused("--date-period chooses among commits of a range; that is");
    }
    if arguments.steps.is_some() {
        return refused("--steps chooses among commits of a range; that is");
    }
    if arguments.parallel.is_some() {
        return refused("--parallel builds several environments at once; that is");
    }
    Ok(())
}
