//! `lcmbench quick`: runs everything once, to see that it works.

use clap::Args;

use super::measure::{
    Dirty, MeasureArguments, Request, SelectionArguments, WorkerArguments, measure,
};
use super::{CommandError, Context, Exit};
use crate::run::{SampleOptions, SkipExisting};

/// Run each benchmark once, to see that it works; also with uncommitted changes. Nothing is saved.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    selection: SelectionArguments,
    #[command(flatten)]
    worker: WorkerArguments,
    #[command(flatten)]
    measure: MeasureArguments,
    /// File the results under the commit that is checked out, which must have no changes then.
    #[arg(long)]
    save: bool,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    let request = Request {
        selection: &arguments.selection,
        worker: &arguments.worker,
        measure: &arguments.measure,
        quick: true,
        save: arguments.save,
        dirty: if arguments.save {
            Dirty::Refuse
        } else {
            Dirty::Measure
        },
        samples: SampleOptions::default(),
        skip: SkipExisting::default(),
        skip_commits: false,
        set_commit_hash: None,
    };
    measure(&request, context)
}
