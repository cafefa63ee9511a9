//! `lcmbench report`: tells GitHub what a job without a token has measured.

mod reporter;

use std::path::PathBuf;

use clap::Args;

use crate::github::ActionsContext;
use crate::report::Gate;

use super::comparing::gates;
use super::pr::ReportErrors;
use super::pull_request::{self, PullArguments};
use super::reporting::CommentArguments;
use super::{CommandError, Context, Exit};
use reporter::Reporter;

/// Report on a pull request what `pr --handoff` has measured elsewhere.
///
/// For a job started by `workflow_run`, or one that comes after the measuring job: it runs nothing of
/// the pull request and takes the file for hostile. The pull request is found by owner, branch and
/// commit of the run, never by what the file says; the file must be about that very commit.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The file that `lcmbench pr --handoff` wrote.
    #[arg(long, value_name = "FILE")]
    handoff: PathBuf,
    /// Full hash of the commit that was to be measured. Default: that of the event.
    #[arg(long, value_name = "HASH", value_parser = full_hash)]
    commit: Option<String>,
    #[command(flatten)]
    pull: PullArguments,
    #[command(flatten)]
    comment: CommentArguments,
    /// End with exit code 1 and a failed status if there is any of these. Separated by commas.
    #[arg(long, value_name = "VERDICTS", value_delimiter = ',', value_parser = gates())]
    fail_on: Vec<Gate>,
    /// Paths whose changes need no benchmark: `docs/**`, `*.md`. The measuring job may say that none was
    /// needed; by this list that is looked at again. Separated by commas. Default: `pr.not-needed` of the
    /// configuration, where one is checked out.
    #[arg(long, value_name = "PATTERNS", value_delimiter = ',')]
    not_needed: Vec<String>,
    /// Leave the commit status `benchmark-check` alone.
    #[arg(long)]
    no_status: bool,
    /// What it means that GitHub could not be told: exit code 4, or a warning.
    #[arg(long, value_enum, default_value_t)]
    report_errors: ReportErrors,
}

fn full_hash(text: &str) -> Result<String, String> {
    let text = text.trim().to_ascii_lowercase();
    if text.len() == 40 && text.chars().all(|c| c.is_ascii_hexdigit()) {
        Ok(text)
    } else {
        Err("the full hash of a commit is needed, 40 digits".to_owned())
    }
}
/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    let actions = ActionsContext::read(&context.environment)?;
    let name = pull_request::repository(&arguments.pull, &actions, None)?;
    let (client, credentials) = pull_request::client(context)?;
    let reporter = Reporter {
        arguments,
        context,
        actions: &actions,
        name: &name,
        client: &client,
        credentials: &credentials,
    };
    let reported = reporter.run();
    match reported {
        Err(error) if error.exit() == Exit::Remote => match arguments.report_errors.exit() {
            Exit::Done => {
                context.printer.warn(&error.sentence());
                Ok(Exit::Done)
            }
            _ => Err(error.hint("the file stays; `lcmbench report` can be repeated")),
        },
        other => other,
    }
}
