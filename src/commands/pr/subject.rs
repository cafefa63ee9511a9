//! The pull request's commit and what is known about it before anything is measured.

use crate::commands::allow_list::AllowList;
use crate::commands::measure::Measured;
use crate::commands::pull_request;
use crate::commands::reporting::{Finding, NotNeeded, Question, Rendering, find, merge_base_of};
use crate::commands::stored::Place;
use crate::commands::{CommandError, Context};
use crate::config::{PrMode, Settings};
use crate::github::{ActionsContext, Event, RepositoryName};
use crate::vcs::Repository;

use super::arguments::Arguments;

/// The pull request's commit and what is known about it before anything is measured.
pub(super) struct Subject<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) context: &'a Context,
    pub(super) settings: &'a Settings,
    pub(super) actions: &'a ActionsContext,
    /// Full hash of the commit that is checked out.
    pub(super) head: String,
}

impl Subject<'_> {
    /// The decision of the allow-list about so many changed files.
    pub(super) fn decision(&self, files: usize) -> NotNeeded<'_> {
        NotNeeded {
            head: &self.head,
            files,
            patterns: &self.settings.not_needed,
        }
    }

    /// The comparison as comment and summary. `repository` is the one whose commits are linked to.
    pub(super) fn rendering<'a>(
        &'a self,
        finding: &'a Finding,
        repository: Option<&'a RepositoryName>,
    ) -> Rendering<'a> {
        Rendering {
            finding,
            key: &self.arguments.comment.key,
            fail_on: &self.arguments.fail_on,
            actions: self.actions,
            settings: &self.settings.report,
            main_branch: &self.settings.main_branch,
            repository,
        }
    }

    /// Whether base and head are measured in pairs.
    pub(super) fn is_paired(&self) -> bool {
        self.arguments.paired || (self.settings.pr_mode == PrMode::Paired && !self.arguments.stored)
    }

    /// How many files the pull request changes, if all are on the configuration's list.
    pub(super) fn not_needed(&self, local: &Repository) -> Option<usize> {
        let list = AllowList::new(&[], &self.settings.not_needed);
        if list.is_empty() || self.arguments.always {
            return None;
        }
        let base = match &self.actions.event {
            Some(Event::MergeGroup { base_sha, .. }) => base_sha.clone(),
            _ => merge_base_of(local, &self.settings.main_branch, &self.head)?,
        };
        // What cannot be told is measured.
        let files = local.changed_files(&base, &self.head).ok()?;
        let all = !files.is_empty() && files.iter().all(|path| list.allows(path));
        all.then_some(files.len())
    }

    /// The patterns of the command line, else those of `pr.bench`.
    pub(super) fn selected(&self) -> Vec<String> {
        let given = &self.arguments.selection.bench;
        if given.is_empty() {
            self.settings.pr_bench.clone()
        } else {
            given.clone()
        }
    }

    /// The comparison, as something that can be left alone when there is no time for it.
    pub(super) fn question(
        &self,
        measured: &Measured,
    ) -> impl FnOnce() -> Result<Finding, CommandError> + Send + 'static {
        let context = self.context.clone();
        let settings = self.settings.clone();
        let head = self.head.clone();
        let policy = self.arguments.comment.baseline;
        let place = match &measured.place {
            Some((machine, environment)) => Place {
                machine: Some(machine.clone()),
                environment: Some(environment.clone()),
            },
            None => Place::default(),
        };
        let pull = self.arguments.pull.clone();
        let asks = self.arguments.handoff.is_none();
        let actions = self.actions.clone();
        move || {
            let local = Repository::discover(&settings.repository_folder())?;
            // Without a token nobody can be asked.
            let repository = pull_request::repository(&pull, &actions, Some(&local))
                .ok()
                .filter(|_| asks);
            // A group leaves the queue's branch at its base.
            let base = match &actions.event {
                Some(Event::MergeGroup { base_sha, .. }) => Some(base_sha.as_str()),
                _ => None,
            };
            find(&Question {
                context: &context,
                settings: &settings,
                local: &local,
                head: &head,
                place: &place,
                policy,
                repository: repository.as_ref(),
                base,
            })
        }
    }
}
