//! The commits of a branch, which a history runs along.

use crate::vcs::{CommitInfo, Repository};

use super::CommandError;

/// The commits of the branch along first parents, oldest first.
pub(super) fn branch_commits(
    repository: &Repository,
    branch: &str,
) -> Result<Vec<CommitInfo>, CommandError> {
    let tip = repository
        .branch_tip(branch)
        .or_else(|_| repository.resolve(branch))
        .map_err(|error| {
            CommandError::usage(error).hint("name a branch that is here with --branch")
        })?;
    let mut commits = Vec::new();
    for commit in repository.first_parents(&tip)? {
        commits.push(commit?);
    }
    commits.reverse();
    Ok(commits)
}
