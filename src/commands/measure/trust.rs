//! Whose code is about to run, and what it could get at.

use crate::commands::{CommandError, Context};
use crate::config::Settings;
use crate::github::{ActionsContext, Event};
use crate::vcs::Repository;

/// What GitHub's own runners call themselves.
const HOSTED: &str = "github-hosted";

/// The code of a fork's pull request on a machine that outlives the job.
#[derive(Debug, thiserror::Error)]
#[error(
    "this is the pull request of a fork, and this runner is not GitHub's: whoever opened it would run \
     code of their own on this machine"
)]
struct ForeignCode;

/// Refuses to run a fork's code on a runner that is not GitHub's, unless that was asked for.
pub(in crate::commands) fn require_trusted(
    settings: &Settings,
    context: &Context,
) -> Result<(), CommandError> {
    if settings.fork_code_is_allowed || !context.environment.in_actions() {
        return Ok(());
    }
    let actions = ActionsContext::read(&context.environment)?;
    let is_forks = matches!(
        actions.event,
        Some(Event::PullRequest {
            from_fork: true,
            ..
        })
    );
    // A runner too old to say what it is counts as somebody's own.
    let is_hosted = context.environment.get("RUNNER_ENVIRONMENT") == Some(HOSTED);
    if is_forks && !is_hosted {
        return Err(CommandError::usage(ForeignCode).hint(
            "measure it on a runner of GitHub's (`lcmbench pr --handoff`), or on demand once somebody \
             has read the code; on a machine that is thrown away after the job \
             --allow-fork-code-on-self-hosted-runner runs it all the same",
        ));
    }
    Ok(())
}

/// Warns of keys that the checkout has left where benchmarks can read them. At a desk they are the
/// user's own affair, which `lcmbench doctor` tells of.
pub(super) fn warn_of_credentials(repository: &Repository, context: &Context) {
    if !context.environment.in_actions() {
        return;
    }
    // A repository whose configuration cannot be listed is no reason not to measure.
    for kept in repository.kept_credentials().unwrap_or_default() {
        context.printer.warn(&format!(
            "{kept}, and the benchmarks can read it; set `persist-credentials: false` below \
             actions/checkout"
        ));
    }
}
