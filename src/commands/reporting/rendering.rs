//! The texts of what was found, each at the size that its place bears.

use crate::config::ReportSettings;
use crate::github::ladder::{self, Report};
use crate::github::{ActionsContext, Block, RepositoryName, summary};
use crate::report::Gate;
use crate::sys::printer::Printer;

use super::finding::Finding;
use super::{block, notes};

/// What is known about the place where the report goes.
#[derive(Debug, Clone, Copy)]
pub(in crate::commands) struct Rendering<'a> {
    pub(in crate::commands) finding: &'a Finding,
    /// Name of the comment.
    pub(in crate::commands) key: &'a str,
    /// What fails the commit, kept in the comment for those who judge it later.
    pub(in crate::commands) fail_on: &'a [Gate],
    pub(in crate::commands) actions: &'a ActionsContext,
    pub(in crate::commands) settings: &'a ReportSettings,
    pub(in crate::commands) main_branch: &'a str,
    pub(in crate::commands) repository: Option<&'a RepositoryName>,
}

impl Rendering<'_> {
    /// What the comment says about itself.
    pub(in crate::commands) fn block(&self) -> Block {
        block::of(self)
    }

    /// The comment.
    pub(in crate::commands) fn comment(&self) -> String {
        self.with_report(ladder::for_comment)
    }

    /// The same for the page of the run.
    pub(in crate::commands) fn summary(&self) -> String {
        self.with_report(ladder::for_summary)
    }

    fn with_report(&self, render: impl Fn(&Report<'_>) -> String) -> String {
        render(&Report {
            comparison: &self.finding.comparison,
            blocks: &[self.block().to_string()],
            notes: &notes::of(
                &self.finding.baseline,
                self.main_branch,
                self.actions,
                self.repository,
            ),
            whole: &notes::where_it_is_whole(self.actions),
            settings: self.settings,
        })
    }
}

/// Appends to the page of the run, which needs no permission and no network.
pub(in crate::commands) fn append_summary(
    actions: &ActionsContext,
    markdown: &str,
    printer: &Printer,
) {
    if let Some(path) = &actions.summary
        && let Err(error) = summary::append(path, markdown)
    {
        printer.warn(&format!("no job summary: {error}"));
    }
}
