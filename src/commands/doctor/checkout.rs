//! git, the checkout and what it has kept.

use super::finding::Finding;
use super::subject::{Subject, sentence};
use crate::config::Settings;
use crate::run::{Tree, short};
use crate::vcs::{Git, Repository, VcsError};

pub(super) fn examine(subject: &Subject<'_>) -> Vec<Finding> {
    let mut findings = vec![executable(subject)];
    let repository = match &subject.repository {
        Ok(repository) => repository,
        Err(error) => {
            findings.push(Finding::error(
                error.to_string(),
                "results are filed under commits; `lcmbench quick` works without any",
            ));
            return findings;
        }
    };
    if let Some(settings) = subject.settings() {
        findings.push(tree(settings));
        findings.push(main_branch(repository, settings));
    }
    if repository.is_shallow() {
        findings.push(Finding::warning(
            "this clone is shallow: earlier commits are missing",
            "`git fetch --unshallow`, or `fetch-depth: 0` below `actions/checkout`",
        ));
    }
    findings.extend(credentials(repository));
    findings
}

fn executable(subject: &Subject<'_>) -> Finding {
    match Git::at(&subject.context.directory).run(&["--version"]) {
        Ok(version) => Finding::fine(version),
        Err(error) => Finding::error(sentence(error), "install git, and see that it is on PATH"),
    }
}

fn tree(settings: &Settings) -> Finding {
    let tree = match Tree::open(settings) {
        Ok(tree) => tree,
        Err(error) => return Finding::error(sentence(error), "commit first"),
    };
    let commit = short(&tree.commit.hash);
    match tree.require_clean() {
        Ok(()) => Finding::fine(format!("commit {commit} is checked out without changes")),
        Err(error) => Finding::warning(
            error.to_string(),
            error.hint().unwrap_or("commit or remove them"),
        ),
    }
}

fn main_branch(repository: &Repository, settings: &Settings) -> Finding {
    let main = &settings.main_branch;
    match repository.branch_tip(main) {
        Ok(_) => Finding::fine(format!("the main branch is {main}")),
        Err(VcsError::UnknownRevision { .. }) => Finding::warning(
            format!("there is no branch {main}, which pull requests are compared with"),
            "fetch it, or name the right one with `main-branch` in the configuration",
        ),
        Err(error) => Finding::warning(sentence(error), "look at it with `git log`"),
    }
}

/// Keys to a remote that benchmarks could read.
fn credentials(repository: &Repository) -> Vec<Finding> {
    match repository.kept_credentials() {
        Ok(kept) => kept
            .into_iter()
            .map(|kept| {
                Finding::warning(
                    format!("{kept}, which every process that runs here can read"),
                    "`persist-credentials: false` below `actions/checkout`; at a desk a credential \
                     helper instead",
                )
            })
            .collect(),
        Err(error) => vec![Finding::warning(
            sentence(error),
            "whether git's configuration holds credentials is not known",
        )],
    }
}
