//! `lcmbench main`: measure the main branch, then publish.

use std::sync::Arc;

use clap::Args;

use crate::config::Settings;
use crate::run::SampleOptions;
use crate::sys::signals::Signals;
use crate::vcs::Repository;

use super::measure::{
    Dirty, MeasureArguments, Request, SelectionArguments, SkipArguments, WorkerArguments,
    measure_and_tell,
};
use super::pr::ReportErrors;
use super::publish::{self, publish_results, require_main};
use super::setup::settings;
use super::stopping::until_stopped;
use super::{CommandError, Context, Exit};

/// Measure the main branch, then publish.
///
/// Runs all benchmarks of the commit that is checked out, saves their results, and adds them to the
/// history in the site repository as `publish` does. Without `site.repo` in the configuration they are
/// saved alone.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    selection: SelectionArguments,
    #[command(flatten)]
    worker: WorkerArguments,
    #[command(flatten)]
    measure: MeasureArguments,
    #[command(flatten)]
    skip: SkipArguments,
    /// Measure and publish although the main branch is not checked out.
    #[arg(long)]
    any_branch: bool,
    /// What it means that the site repository could not be reached: exit code 4, or a warning.
    #[arg(long, value_enum, default_value_t)]
    report_errors: ReportErrors,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    let settings = settings(context, &arguments.worker.overrides()?)?;
    let repository = Repository::discover(&settings.repository_folder())?;
    // Whatever would stop the second step stops before the first.
    require_main(&repository, &settings, arguments.any_branch)?;
    let signals = Arc::new(Signals::install()?);
    let request = Request {
        selection: &arguments.selection,
        worker: &arguments.worker,
        measure: &arguments.measure,
        quick: false,
        save: true,
        dirty: Dirty::Refuse,
        samples: SampleOptions::default(),
        skip: arguments.skip.what(),
        skip_commits: false,
        set_commit_hash: None,
    };
    let measured = measure_and_tell(&request, settings.clone(), context, None)?;
    if let Exit::Interrupted(_) = measured.exit {
        context
            .printer
            .note("nothing is published, since the run was interrupted");
        return Ok(measured.exit);
    }
    if settings.site.repo.is_none() {
        context.printer.note(
            "nothing is published, since no site repository is configured (`site.repo`); the results \
             are saved",
        );
        return Ok(measured.exit);
    }
    Ok(measured
        .exit
        .worse(published(arguments, settings, context, &signals)))
}

/// Publishes, unless a signal comes first; the site repository takes all or nothing.
fn published(
    arguments: &Arguments,
    settings: Settings,
    context: &Context,
    signals: &Signals,
) -> Exit {
    let how = publish::Arguments::of_main(arguments.any_branch);
    let beside = context.clone();
    let published = until_stopped(signals, move || publish_results(&how, &settings, &beside));
    match published {
        Err(signal) => {
            context.printer.warn(
                "interrupted while the results were published; they are saved, and `lcmbench publish` \
                 publishes them",
            );
            Exit::Interrupted(signal)
        }
        Ok(Ok(exit)) => exit,
        Ok(Err(error)) => {
            let exit = match error.exit() {
                Exit::Remote => arguments.report_errors.exit(),
                other => other,
            };
            if exit == Exit::Done {
                context.printer.warn(&error.sentence());
            } else {
                error.report(&context.printer);
            }
            context
                .printer
                .note("hint: the results are saved; `lcmbench publish` publishes them");
            exit
        }
    }
}
