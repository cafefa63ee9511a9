//! `lcmbench check`: is there a benchmark comment for the pull request's HEAD?

mod authors;
mod decide;
mod queue;

use clap::Args;

use crate::config::Requirement;
use crate::github::comment::ACTIONS_BOT;
use crate::github::{
    ActionsContext, ApiError, Event, Remote, STATUS_CONTEXT, State, Status, StatusOutcome, outputs,
};
use crate::report::Gate;
use crate::run::short;
use crate::sys::workflow_command::{Annotation, Level};
use crate::vcs::Repository;

use super::allow_list::{AllowList, not_needed};
use super::comparing::gates;
use super::pull_request::{self, PullArguments};
use super::setup::{Overrides, load};
use super::{CommandError, Context, Exit};
use authors::Authors;
use decide::{Answer, Counted, Policy, Stale};
use queue::Queue;

/// Check that the pull request's HEAD has a benchmark comment.
///
/// Passes when one matches, passes with a warning when there is one for an older commit, fails with
/// exit code 1 when there is none. Nothing is run, and nothing but GitHub is needed.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    pull: PullArguments,
    /// What a comment for an older commit means.
    #[arg(long, value_enum, default_value_t)]
    stale: Stale,
    /// Fail also if the comment counts any of these. Separated by commas.
    #[arg(long, value_name = "VERDICTS", value_delimiter = ',', value_parser = gates())]
    fail_on: Vec<Gate>,
    /// Logins whose comments count, beside authors who may write. Separated by commas.
    #[arg(long, value_name = "LOGINS", value_delimiter = ',', default_value = ACTIONS_BOT)]
    author: Vec<String>,
    /// Paths whose changes need no benchmark: `docs/**`, `*.md`. If nothing else changed, the check
    /// passes as "not needed". Separated by commas. Default: `pr.not-needed` of the configuration.
    #[arg(long, value_name = "PATTERNS", value_delimiter = ',')]
    not_needed: Vec<String>,
    /// What a merge queue's group is judged by.
    #[arg(long, value_enum, default_value_t)]
    merge_group: Queue,
    /// Write the commit status `benchmark-check`, too.
    #[arg(long)]
    status: bool,
}

/// What is judged, and where the status goes.
struct Subject {
    /// The commit whose comment is wanted.
    head: String,
    base: String,
    number: u64,
    /// The commit that the status is written to; `None` where the token may only read.
    status: Option<String>,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    let actions = ActionsContext::read(&context.environment)?;
    let local = Repository::discover(&context.directory).ok();
    let name = pull_request::repository(&arguments.pull, &actions, local.as_ref())?;
    let (client, _) = pull_request::client(context)?;
    let remote = Remote {
        client: &client,
        name: &name,
    };
    let group = match &actions.event {
        Some(Event::MergeGroup { head_sha, .. }) => Some(head_sha.clone()),
        _ => None,
    };
    if group.is_some() && arguments.merge_group == Queue::Note {
        let answer = Answer::Note;
        return finish(arguments, context, remote, None, group.as_deref(), &answer);
    }
    if let (Some(group), Queue::Measure) = (&group, arguments.merge_group) {
        let status = remote
            .status(group, STATUS_CONTEXT)
            .map_err(CommandError::remote)?;
        let answer = Answer::Group {
            state: status.map(|status| status.state),
        };
        // The status is that of the measurement: nothing is added to it.
        tell(context, &answer);
        if answer.state() != State::Success {
            context.printer.note(
                "to satisfy the check: `lcmbench pr` on the group's commit, on the machine that measures",
            );
        }
        return Ok(exit(&answer));
    }
    let settings = load(context, &Overrides::default(), Requirement::Nothing)?.settings;
    let list = AllowList::new(&arguments.not_needed, &settings.not_needed);
    let known = pull_request::known_number(&arguments.pull, &actions, context)?;
    let number = match known {
        Some(number) => Some(number),
        // A queue's branch that cannot be read must not let anything pass.
        None if group.is_some() => None,
        None => pull_request::found_number(remote, &actions, local.as_ref())?,
    };
    let Some(number) = number else {
        return Err(CommandError::usage(anyhow::anyhow!(
            "it is unknown which pull request in {name} is to be checked"
        ))
        .hint("name it with --pr or GITHUB_PR_NUMBER"));
    };
    let failed = |error: ApiError| CommandError::remote(error);
    let pull = remote.pull(number).map_err(failed)?;
    let only_reads = pull.is_from_fork()
        && matches!(actions.event, Some(Event::PullRequest { .. }))
        && actions.in_actions;
    let subject = Subject {
        status: match &group {
            Some(group) => Some(group.clone()),
            None => (!only_reads).then(|| pull.head.sha.clone()),
        },
        head: pull.head.sha,
        base: pull.base.sha,
        number,
    };
    let answer = judge(arguments, list, remote, &subject, group.is_some()).map_err(failed)?;
    let status = subject.status.as_deref();
    finish(arguments, context, remote, Some(&subject), status, &answer)
}

fn judge(
    arguments: &Arguments,
    list: AllowList<'_>,
    remote: Remote<'_>,
    subject: &Subject,
    in_queue: bool,
) -> Result<Answer, ApiError> {
    if !list.is_empty() {
        let compared = remote.compare(&subject.base, &subject.head)?;
        if let Some(count) = not_needed(&compared, list) {
            return Ok(Answer::NotNeeded { files: count });
        }
    }
    if in_queue
        && let Some(known) = remote.status(&subject.head, STATUS_CONTEXT)?
        && known.state != State::Success.word()
    {
        return Ok(Answer::QueueStatus { state: known.state });
    }
    let mut authors = Authors::new(remote, &arguments.author);
    let mut counted = Vec::new();
    for comment in remote.comments(subject.number)? {
        if let Some(counts) = Counted::of(&comment)
            && authors.count(&comment)?
        {
            counted.push(counts);
        }
    }
    let policy = Policy {
        stale: arguments.stale,
        fail_on: &arguments.fail_on,
    };
    let mut answer = decide::decide(&counted, &subject.head, &policy);
    if let Answer::Stale { head, behind, .. } = &mut answer {
        // A commit that was pushed away may be gone; the number is only told.
        match remote.compare(head, &subject.head) {
            Ok(compared) => *behind = Some(compared.ahead_by),
            Err(ApiError::NotFound { .. } | ApiError::MissingScope { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(answer)
}

fn finish(
    arguments: &Arguments,
    context: &Context,
    remote: Remote<'_>,
    subject: Option<&Subject>,
    sha: Option<&str>,
    answer: &Answer,
) -> Result<Exit, CommandError> {
    tell(context, answer);
    if let (Answer::Missing, Some(subject)) = (answer, subject) {
        context.printer.note(&format!(
            "to satisfy the check: `lcmbench pr --pr {}` on the machine that measures (or `lcmbench run`, \
             then `lcmbench pr-comment`)",
            subject.number
        ));
    }
    if arguments.status {
        match sha {
            Some(sha) => write_status(context, remote, sha, answer)?,
            None => context.printer.note(
                "no status is written: this is a fork's pull request, whose token may only read; a job \
                 started by `workflow_run` can write it",
            ),
        }
    }
    Ok(exit(answer))
}

fn exit(answer: &Answer) -> Exit {
    match answer.state() {
        State::Success => Exit::Done,
        _ => Exit::Gate,
    }
}

/// Says it, in a workflow as an annotation, too.
fn tell(context: &Context, answer: &Answer) {
    let sentence = answer.sentence();
    if context.printer.actions {
        let level = match answer.state() {
            State::Success if answer.is_warning() => Some(Level::Warning),
            State::Success => None,
            _ => Some(Level::Error),
        };
        if let Some(level) = level {
            let annotation = Annotation {
                level,
                title: STATUS_CONTEXT.to_owned(),
                message: sentence.clone(),
            };
            context.printer.out(&annotation.to_string());
        }
    }
    context.printer.out(&sentence);
    outputs::write(
        &context.environment,
        &[
            ("verdict", answer.word()),
            ("comment-url", answer.url().unwrap_or_default()),
        ],
        &context.printer,
    );
}

fn write_status(
    context: &Context,
    remote: Remote<'_>,
    sha: &str,
    answer: &Answer,
) -> Result<(), CommandError> {
    let status = Status {
        state: answer.state(),
        description: answer.description(),
        target_url: answer.url().map(str::to_owned),
    };
    let outcome = status
        .write(remote, sha, |known| answer.yields_to(known))
        .map_err(|error| {
            CommandError::remote(error)
                .hint(format!("the check itself says: {}", answer.sentence()))
        })?;
    let said = match outcome {
        StatusOutcome::Written => "written".to_owned(),
        StatusOutcome::Unchanged => "unchanged".to_owned(),
        StatusOutcome::Left(known) if known.state == State::Pending.word() => {
            "left pending, since a measurement is under way".to_owned()
        }
        StatusOutcome::Left(known) => format!(
            "left at {} ({}), as the measurement of this commit wrote it; a newer one can change it",
            known.state,
            known.description.unwrap_or_default()
        ),
    };
    context.printer.foreign_note(&format!(
        "status {STATUS_CONTEXT} of {}: {said}",
        short(sha)
    ));
    Ok(())
}
