//! What `run` and `quick` ask for.

use crate::run::{SampleOptions, SkipExisting};

use super::arguments::{MeasureArguments, SelectionArguments, WorkerArguments};

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub(in crate::commands) struct Request<'a> {
    pub(in crate::commands) selection: &'a SelectionArguments,
    pub(in crate::commands) worker: &'a WorkerArguments,
    pub(in crate::commands) measure: &'a MeasureArguments,
    /// Call every function once.
    pub(in crate::commands) quick: bool,
    /// File the results under the commit.
    pub(in crate::commands) save: bool,
    /// What to do with a worktree that differs from its commit.
    pub(in crate::commands) dirty: Dirty,
    pub(in crate::commands) samples: SampleOptions,
    pub(in crate::commands) skip: SkipExisting,
    /// Do nothing if the commit has results of this machine already.
    pub(in crate::commands) skip_commits: bool,
    pub(in crate::commands) set_commit_hash: Option<&'a str>,
}

impl Request<'_> {
    /// Whether it matters what the commit has results of already.
    pub(in crate::commands) fn looks_at_existing(&self) -> bool {
        self.samples.append || self.skip_commits || self.skip != SkipExisting::default()
    }
}

/// What to do with a worktree that differs from its commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::commands) enum Dirty {
    /// Refuse it.
    Refuse,
    /// Measure it; it is never filed.
    Measure,
}
