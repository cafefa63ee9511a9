//! Which repository and which pull request a command means.

use clap::Args;

use crate::github::{
    ActionsContext, ApiError, Client, Credentials, Event, OctocrabTransport, Pull, Remote,
    RepositoryName, SystemClock,
};
use crate::vcs::Repository;

use super::{CommandError, Context};

/// The arguments that name a pull request.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct PullArguments {
    /// Number of the pull request. Default: `GITHUB_PR_NUMBER`, the event of the workflow, or the open
    /// one of the upstream of the current branch.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) pr: Option<u64>,
    /// Repository of the pull request. Default: `GITHUB_REPOSITORY`, or that of the remote `upstream`
    /// or `origin`.
    #[arg(long, value_name = "OWNER/NAME")]
    pub(super) repo: Option<RepositoryName>,
}

/// Why a pull request cannot be told.
#[derive(Debug, thiserror::Error)]
enum PullError {
    #[error("it is unknown which repository on GitHub this is: no remote has an address there")]
    NoRepository,
    #[error(
        "several open pull requests have the branch `{branch}` of {head}:\n{}",
        .pulls.iter().map(|pull| format!("  #{}  {}", pull.number, pull.title)).collect::<Vec<_>>().join("\n")
    )]
    Several {
        branch: String,
        head: RepositoryName,
        pulls: Vec<Pull>,
    },
}

/// The repository that is written to.
pub(super) fn repository(
    arguments: &PullArguments,
    actions: &ActionsContext,
    local: Option<&Repository>,
) -> Result<RepositoryName, CommandError> {
    let of_remote = || {
        ["upstream", "origin"]
            .iter()
            .filter_map(|remote| local?.remote_url(remote))
            .find_map(|url| RepositoryName::of_url(&url))
    };
    arguments
        .repo
        .clone()
        .or_else(|| actions.repository.clone())
        .or_else(of_remote)
        .ok_or_else(|| CommandError::usage(PullError::NoRepository).hint("name it with --repo"))
}

/// A client with the token of this machine or workflow.
pub(super) fn client(context: &Context) -> Result<(Client<'static>, Credentials), CommandError> {
    let credentials = Credentials::find(&context.environment).map_err(CommandError::usage)?;
    let transport = OctocrabTransport::new(&credentials).map_err(CommandError::usage)?;
    Ok((Client::new(transport, SystemClock), credentials))
}

/// The number that the arguments, the variable or the event name; GitHub is not asked.
pub(super) fn known_number(
    arguments: &PullArguments,
    actions: &ActionsContext,
    context: &Context,
) -> Result<Option<u64>, CommandError> {
    match arguments.pr {
        Some(number) => Ok(Some(number)),
        None => Ok(actions.pull_request(&context.environment)?),
    }
}

/// The open pull request of the commit that a workflow was started by, or of the current branch;
/// `None` says that there is none.
pub(super) fn found_number(
    remote: Remote<'_>,
    actions: &ActionsContext,
    local: Option<&Repository>,
) -> Result<Option<u64>, CommandError> {
    let (head, branch, sha) = match &actions.event {
        // For forks the event names none, so it goes by the branch, and the commit must be its head.
        Some(Event::WorkflowRun {
            head_repository: Some(head),
            head_branch: Some(branch),
            head_sha,
            ..
        }) => (head.clone(), branch.clone(), Some(head_sha.clone())),
        _ => match upstream(local) {
            Some((head, branch)) => (head, branch, None),
            None => return Ok(None),
        },
    };
    let mut pulls = remote
        .open_pulls_of(&head.owner, &branch)
        .map_err(CommandError::remote)?;
    pulls.retain(|pull| {
        let of_head = pull.head.repo.as_ref();
        of_head.is_some_and(|repo| head.is_same(&repo.full_name))
            && pull.head.r#ref == branch
            && sha.as_ref().is_none_or(|sha| pull.head.sha == *sha)
    });
    match pulls.as_slice() {
        [] => Ok(None),
        [only] => Ok(Some(only.number)),
        _ => Err(CommandError::usage(PullError::Several {
            branch,
            head,
            pulls,
        })
        .hint("choose one with --pr")),
    }
}

fn upstream(local: Option<&Repository>) -> Option<(RepositoryName, String)> {
    let local = local?;
    let branch = local.head().ok()?.branch?;
    let upstream = local.upstream_of(&branch)?;
    Some((RepositoryName::of_url(&upstream.url)?, upstream.branch))
}

/// The error of a workflow that has no pull request.
pub(super) fn none(name: &RepositoryName) -> CommandError {
    CommandError::usage(anyhow::anyhow!(
        "there is no open pull request of this branch in {name}"
    ))
    .hint("name it with --pr or GITHUB_PR_NUMBER, or start the workflow by `pull_request`")
}

/// An error of GitHub with the way to repeat the command.
pub(super) fn remote_error(error: ApiError, again: &str) -> CommandError {
    CommandError::remote(error).hint(again)
}
