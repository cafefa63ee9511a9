//! `lcmbench pr-comment`: the comparison with the merge base, as the one comment on the pull request.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::config::Settings;
use crate::github::{ActionsContext, Remote, RepositoryName, outputs};
use crate::report::json;
use crate::report::terminal::{self, TableOptions};
use crate::sys::files::write_atomic;
use crate::vcs::Repository;

use super::pull_request::{self, PullArguments};
use super::reporting::posting::{self, Ready};
use super::reporting::{
    CommentArguments, Finding, Question, Rendering, append_summary, find, require_head,
};
use super::setup::{Overrides, settings};
use super::stored::Place;
use super::{CommandError, Context, Exit};

/// Comment on the pull request: HEAD against the merge base.
///
/// Both must be measured already; nothing is run. Without results of the merge base, the nearest
/// measured commit before it is taken and named. One comment remains, however often this is repeated.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    pull: PullArguments,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    comment: CommentArguments,
    /// Print what would be posted and post nothing.
    #[arg(long)]
    dry_run: bool,
    /// Write the report to a file, too.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Form of what `--dry-run` prints and `--output` writes; the comment itself is Markdown.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The comment as it is posted.
    #[default]
    Markdown,
    /// A table for terminals.
    Table,
    /// For programs (`docs/json.md`).
    Json,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    let settings = settings(context, &Overrides::default())?;
    let actions = ActionsContext::read(&context.environment)?;
    let local = Repository::discover(&settings.repository_folder())?;
    let head = local.head()?.hash;
    require_head(&head, &actions)?;
    let repository = pull_request::repository(&arguments.pull, &actions, Some(&local)).ok();
    let finding = find(&Question {
        context,
        settings: &settings,
        local: &local,
        head: &head,
        place: &arguments.place,
        policy: arguments.comment.baseline,
        repository: repository.as_ref(),
        base: None,
    })?;
    outputs::comparison(&context.environment, &finding.comparison, &context.printer);
    let rendering = Rendering {
        finding: &finding,
        key: &arguments.comment.key,
        fail_on: &[],
        actions: &actions,
        settings: &settings.report,
        main_branch: &settings.main_branch,
        repository: repository.as_ref(),
    };
    let body = rendering.comment();
    if !arguments.dry_run {
        append_summary(&actions, &rendering.summary(), &context.printer);
    }
    show(arguments, context, &settings, &finding, &body)?;
    if arguments.dry_run {
        let known = pull_request::known_number(&arguments.pull, &actions, context)?;
        context.printer.note(&match known {
            Some(number) => format!("dry run: this would be posted on pull request {number}"),
            None => "dry run: nothing was posted".to_owned(),
        });
        return Ok(Exit::Done);
    }
    let block = rendering.block();
    let ready = Ready {
        block: &block,
        body: &body,
    };
    post(arguments, context, &actions, &local, ready)
}

/// Prints and writes the report as far as it was asked for.
fn show(
    arguments: &Arguments,
    context: &Context,
    settings: &Settings,
    finding: &Finding,
    body: &str,
) -> Result<(), CommandError> {
    let rendered = |color: bool| match arguments.format {
        Format::Markdown => body.to_owned(),
        Format::Json => json::comparison(&finding.comparison, &settings.report),
        Format::Table => terminal::table(
            &finding.comparison,
            TableOptions {
                color,
                ..TableOptions::default()
            },
        ),
    };
    if let Some(path) = &arguments.output {
        let path = context.directory.join(path);
        let text = rendered(false);
        write_atomic(&path, format!("{}\n", text.trim_end()).as_bytes())?;
    }
    if arguments.dry_run {
        let text = rendered(context.printer.color);
        context.printer.foreign(text.trim_end());
    }
    Ok(())
}

fn post(
    arguments: &Arguments,
    context: &Context,
    actions: &ActionsContext,
    local: &Repository,
    ready: Ready<'_>,
) -> Result<Exit, CommandError> {
    let name = pull_request::repository(&arguments.pull, actions, Some(local))?;
    let (client, credentials) = pull_request::client(context)?;
    let remote = Remote {
        client: &client,
        name: &name,
    };
    let known = pull_request::known_number(&arguments.pull, actions, context)?;
    let number = match known {
        Some(number) => Some(number),
        None => pull_request::found_number(remote, actions, Some(local))?,
    };
    let Some(number) = number else {
        return none(context, actions, &name);
    };
    let again = format!("the results are saved; repeat with `lcmbench pr-comment --pr {number}`");
    let failed = |error| pull_request::remote_error(error, &again);
    let live_head = remote.pull(number).map_err(failed)?.head.sha;
    posting::tell_of_another_head(context, number, &ready.block.head, &live_head);
    let comment = &arguments.comment;
    let posted =
        posting::write(comment, remote, &credentials, number, &live_head, ready).map_err(failed)?;
    posting::tell(context, &posted, &client);
    Ok(Exit::Done)
}

/// No pull request is an ordinary thing at a desk, and a mistake in a workflow.
fn none(
    context: &Context,
    actions: &ActionsContext,
    name: &RepositoryName,
) -> Result<Exit, CommandError> {
    if actions.in_actions {
        return Err(pull_request::none(name));
    }
    context.printer.note(&format!(
        "there is no open pull request of this branch in {name}; nothing was posted (--pr names one)"
    ));
    Ok(Exit::Done)
}
