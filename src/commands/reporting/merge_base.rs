//! The commit that the pull request left the main branch at.

use crate::commands::pull_request;
use crate::commands::{CommandError, Context};
use crate::config::Settings;
use crate::github::{Remote, RepositoryName};
use crate::vcs::Repository;

/// What is known of the merge base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum MergeBase {
    Known(String),
    /// HEAD itself is part of the main branch.
    IsHead,
    /// Why it is not known, as a sentence.
    Unknown(String),
}

/// Looks in the clone; where that is shallow, asks GitHub.
pub(super) fn find(
    context: &Context,
    settings: &Settings,
    local: &Repository,
    head: &str,
    repository: Option<&RepositoryName>,
) -> Result<MergeBase, CommandError> {
    let main = &settings.main_branch;
    if let Some(base) = in_clone(local, main, head) {
        return Ok(known(base, head));
    }
    if !local.is_shallow() {
        return Ok(MergeBase::Unknown(format!(
            "this clone has no branch `{main}` that shares history with HEAD"
        )));
    }
    let Some(name) = repository else {
        return Ok(MergeBase::Unknown(
            "this clone is shallow (`fetch-depth: 0` gets the rest)".to_owned(),
        ));
    };
    let (client, _) = pull_request::client(context)?;
    let remote = Remote {
        client: &client,
        name,
    };
    match remote.compare(main, head) {
        Ok(compared) => Ok(known(compared.merge_base_commit.sha, head)),
        Err(error) if error.is_not_found() => Ok(MergeBase::Unknown(format!(
            "this clone is shallow, and GitHub knows no way from `{main}` to HEAD"
        ))),
        Err(error) => {
            Err(CommandError::remote(error)
                .hint("a whole clone (`fetch-depth: 0`) needs no question"))
        }
    }
}

fn known(base: String, head: &str) -> MergeBase {
    if base == head {
        MergeBase::IsHead
    } else {
        MergeBase::Known(base)
    }
}

/// The latest of the merge bases with the local branch and with those that were fetched: a local main
/// is often behind.
pub(in crate::commands) fn in_clone(local: &Repository, main: &str, head: &str) -> Option<String> {
    let branches = [
        format!("refs/remotes/upstream/{main}"),
        format!("refs/remotes/origin/{main}"),
        format!("refs/heads/{main}"),
    ];
    let mut best: Option<String> = None;
    for branch in branches {
        let Ok(Some(base)) = local.merge_base(&branch, head) else {
            continue;
        };
        let is_later = best.as_ref().is_none_or(|known| {
            let shared = local.merge_base(known, &base).ok().flatten();
            shared.as_ref() == Some(known)
        });
        if is_later {
            best = Some(base);
        }
    }
    best
}
