//! What can be wrong with a repository, each with its way out.

use std::path::PathBuf;

/// Why git could not answer.
#[derive(Debug, thiserror::Error)]
pub enum VcsError {
    /// The folder and all its parents are outside any repository.
    #[error("{folder} is not inside a git repository; run `git init`, or start in a checkout")]
    NotARepository { folder: PathBuf },
    /// git refuses repositories of other users.
    #[error(
        "the repository at {folder} belongs to another user, so git refuses to read it; \
         if you trust it, run `git config --global --add safe.directory {folder}`"
    )]
    ForeignOwner {
        folder: PathBuf,
        #[source]
        source: git2::Error,
    },
    /// The repository cannot be opened (broken, or of a format that is not supported).
    #[error("the git repository at {folder} cannot be opened")]
    Open {
        folder: PathBuf,
        #[source]
        source: git2::Error,
    },
    /// There is no commit yet.
    #[error(
        "the git repository at {folder} has no commits yet; results are filed under a commit, so \
         commit first, or try the suite with `lcmbench quick`"
    )]
    NoCommits { folder: PathBuf },
    /// A bare repository where a worktree is needed.
    #[error(
        "the git repository at {folder} is bare: it has no checked-out files; \
         start in a clone or a worktree of it"
    )]
    Bare { folder: PathBuf },
    /// No branch, tag or commit has this name.
    #[error("git knows no revision `{revision}`{}", shallow_advice(*.shallow))]
    UnknownRevision { revision: String, shallow: bool },
    /// A short hash that several objects begin with.
    #[error("the short hash `{revision}` fits several objects; give more of its digits")]
    AmbiguousRevision { revision: String },
    /// The revision is a tree or a file.
    #[error("`{revision}` is not a commit")]
    NotACommit { revision: String },
    /// libgit2 failed at something that should work.
    #[error("git cannot {action}")]
    Read {
        action: String,
        #[source]
        source: git2::Error,
    },
    /// There is no `git` executable.
    #[error("the `git` executable cannot be started; install git or put it on PATH")]
    NoGit(#[source] std::io::Error),
    /// The `git` executable failed.
    #[error("`git {arguments}` failed ({status}): {stderr}")]
    GitFailed {
        arguments: String,
        status: String,
        stderr: String,
    },
}

fn shallow_advice(shallow: bool) -> &'static str {
    if shallow {
        "; this clone is shallow: fetch the rest with `git fetch --unshallow` \
         (actions/checkout: `fetch-depth: 0`)"
    } else {
        ""
    }
}

impl VcsError {
    /// A failed read of libgit2, with what was tried.
    pub(super) fn read(action: impl Into<String>) -> impl FnOnce(git2::Error) -> Self {
        let action = action.into();
        move |source| Self::Read { action, source }
    }
}
