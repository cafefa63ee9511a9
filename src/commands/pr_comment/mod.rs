//! `lcmbench pr-comment`: the comparison with the merge base, as the one comment on the pull request.

mod baseline;
mod block;
mod head;
mod merge_base;
mod notes;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::config::Settings;
use crate::github::comment::{self, Outcome, Posted};
use crate::github::ladder::{self, Report};
use crate::github::{
    ActionsContext, Block, Client, Credentials, DEFAULT_KEY, Draft, Mode, Remote, RepositoryName,
    is_key, summary,
};
use crate::report::terminal::{self, TableOptions};
use crate::report::{Comparison, json};
use crate::sys::files::write_atomic;
use crate::vcs::Repository;

use super::comparing::{How, Measured, comparison};
use super::pull_request::{self, PullArguments};
use super::setup::{Overrides, settings};
use super::stored::{NamedCommit, Place, Stored};
use super::{CommandError, Context, Exit};
use baseline::{BaselinePolicy, Found};

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
    /// Without results of the merge base: take those of the nearest measured commit before it, or none.
    #[arg(long, value_enum, default_value_t)]
    baseline: BaselinePolicy,
    /// Name of the comment; comments of several suites or machines stand beside each other.
    #[arg(long, value_name = "KEY", default_value = DEFAULT_KEY, value_parser = key)]
    key: String,
    /// Edit the comment, or write it anew at the end of the page.
    #[arg(long, value_enum, default_value_t)]
    mode: Mode,
    /// Login that the token writes as. Default: asked of GitHub, `github-actions[bot]` for the token of a
    /// workflow.
    #[arg(long, value_name = "LOGIN")]
    author: Option<String>,
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

fn key(text: &str) -> Result<String, String> {
    if is_key(text) {
        Ok(text.to_owned())
    } else {
        Err("a key has 1 to 64 letters, digits and `-_./`, and no two hyphens in a row".to_owned())
    }
}

/// All that is known before GitHub is asked to write.
struct Prepared {
    comparison: Comparison,
    block: Block,
    body: String,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    let settings = settings(context, &Overrides::default())?;
    let actions = ActionsContext::read(&context.environment)?;
    let local = Repository::discover(&settings.repository_folder())?;
    let head = local.head()?.hash;
    head::check(&head, &actions)?;
    let prepared = prepare(arguments, context, &settings, &actions, &local, &head)?;
    show(arguments, context, &settings, &prepared)?;
    if arguments.dry_run {
        let known = pull_request::known_number(&arguments.pull, &actions, context)?;
        context.printer.note(&match known {
            Some(number) => format!("dry run: this would be posted on pull request {number}"),
            None => "dry run: nothing was posted".to_owned(),
        });
        return Ok(Exit::Done);
    }
    post(arguments, context, &actions, &local, &prepared)
}

fn prepare(
    arguments: &Arguments,
    context: &Context,
    settings: &Settings,
    actions: &ActionsContext,
    local: &Repository,
    head: &str,
) -> Result<Prepared, CommandError> {
    let stored = Stored::open(settings, &context.printer);
    let commit = NamedCommit::of_hash(head);
    let candidate = stored
        .single(&commit, &arguments.place)
        .map_err(|error| error.hint("`lcmbench run` measures the commit that is checked out"))?;
    let repository = pull_request::repository(&arguments.pull, actions, Some(local)).ok();
    let merge_base = merge_base::find(context, settings, local, head, repository.as_ref())?;
    let measured_head = Measured {
        stored: &stored,
        commit: &commit,
        candidate: &candidate,
    };
    let search = baseline::Search {
        context,
        settings,
        head: measured_head,
        local,
        policy: arguments.baseline,
    };
    let found = search.run(&merge_base);
    let compared = |stored: Option<Measured<'_>>| {
        comparison(measured_head, stored, settings, context, How::default())
    };
    let mut comparison = match &found {
        Found::Exact(base) | Found::Earlier { base, .. } => {
            base.with(&stored, settings, &context.printer, compared)
        }
        Found::Nothing => compared(None),
    };
    if matches!(found, Found::Earlier { .. }) {
        baseline::weaken(&mut comparison);
    }
    let block = block::of(
        &comparison,
        &candidate.loaded.set,
        arguments,
        actions,
        settings,
    );
    let notes = notes::of(&merge_base, &found, settings, actions, repository.as_ref());
    let report = Report {
        comparison: &comparison,
        blocks: &[block.to_string()],
        notes: &notes,
        whole: &notes::where_it_is_whole(actions),
        settings: &settings.report,
    };
    let body = ladder::for_comment(&report);
    // The page of the run needs no permission and no network, so it comes first.
    if let Some(path) = actions.summary.as_deref().filter(|_| !arguments.dry_run)
        && let Err(error) = summary::append(path, &ladder::for_summary(&report))
    {
        context.printer.warn(&format!("no job summary: {error}"));
    }
    Ok(Prepared {
        comparison,
        block,
        body,
    })
}

/// Prints and writes the report as far as it was asked for.
fn show(
    arguments: &Arguments,
    context: &Context,
    settings: &Settings,
    prepared: &Prepared,
) -> Result<(), CommandError> {
    let rendered = |color: bool| match arguments.format {
        Format::Markdown => prepared.body.clone(),
        Format::Json => json::comparison(&prepared.comparison, &settings.report),
        Format::Table => terminal::table(
            &prepared.comparison,
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
    prepared: &Prepared,
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
    let posted = write(arguments, context, remote, &credentials, number, prepared)
        .map_err(|error| pull_request::remote_error(error, &again))?;
    tell(context, &posted, &client);
    Ok(Exit::Done)
}

/// No pull request is an ordinary thing at a desk, and a mistake in a workflow.
fn none(
    context: &Context,
    actions: &ActionsContext,
    name: &RepositoryName,
) -> Result<Exit, CommandError> {
    let said = format!("there is no open pull request of this branch in {name}");
    if actions.in_actions {
        return Err(CommandError::usage(anyhow::anyhow!(said)).hint(
            "name it with --pr or GITHUB_PR_NUMBER, or start the workflow by `pull_request`",
        ));
    }
    context
        .printer
        .note(&format!("{said}; nothing was posted (--pr names one)"));
    Ok(Exit::Done)
}

fn write(
    arguments: &Arguments,
    context: &Context,
    remote: Remote<'_>,
    credentials: &Credentials,
    number: u64,
    prepared: &Prepared,
) -> Result<Posted, crate::github::ApiError> {
    let author = match &arguments.author {
        Some(login) => login.clone(),
        None => comment::author(remote, credentials)?,
    };
    let live_head = remote.pull(number)?.head.sha;
    if live_head != prepared.block.head {
        context.printer.warn(&format!(
            "{} was measured, but the head of pull request {number} is {}; the comment is about the \
             former",
            short(&prepared.block.head),
            short(&live_head)
        ));
    }
    let draft = Draft {
        body: &prepared.body,
        block: &prepared.block,
        author: &author,
        live_head: &live_head,
        mode: arguments.mode,
    };
    comment::upsert(remote, number, &draft)
}

fn tell(context: &Context, posted: &Posted, client: &Client<'_>) {
    let what = match posted.outcome {
        Outcome::Created => "posted",
        Outcome::Edited => "edited",
        Outcome::Unchanged => "is there already, unchanged",
        Outcome::Newer => "not touched: one of a later run or of the present head is there",
    };
    let doubles = match posted.deleted {
        0 => String::new(),
        count => format!("; {count} older deleted"),
    };
    context.printer.note(&format!(
        "comment {what}{doubles} ({} requests)",
        client.requests()
    ));
    context.printer.out(&posted.url);
}

fn short(hash: &str) -> &str {
    hash.get(..8).unwrap_or(hash)
}
