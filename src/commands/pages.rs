//! The dashboard of a project, drawn into a folder.

use std::path::Path;

use crate::config::Settings;
use crate::history::Gathered;
use crate::results::Store;
use crate::site::{self, Built, Revisions, SiteError};
use crate::vcs::{CommitInfo, Repository};

use super::branch::branch_commits;
use super::{CommandError, Context};

/// What a program without the page says.
pub(super) const NO_PAGE: &str = "this lcmbench was built without the dashboard's page, so only the results are \
                       published; take a release binary, or run `npm ci && npm run build` in the \
                       folder `web` of its source and build it again";

/// What is needed to draw the dashboard.
pub(super) struct Drawing<'a> {
    settings: &'a Settings,
    /// The commits of the main branch, oldest first; `None` where no pages can be drawn.
    commits: Option<Vec<CommitInfo>>,
    /// For the files of asv's sites, if they are wanted.
    revisions: Option<Revisions>,
}

impl<'a> Drawing<'a> {
    /// Says what is missing if there is something.
    pub(super) fn of(settings: &'a Settings, context: &Context) -> Result<Self, CommandError> {
        let mut pages = Self {
            settings,
            commits: None,
            revisions: None,
        };
        if !site::has_page() {
            context.printer.warn(NO_PAGE);
            return Ok(pages);
        }
        let repository = match Repository::discover(&settings.repository_folder()) {
            Ok(repository) => repository,
            Err(error) => {
                let warning = format!("{error}; without the order of commits no pages are drawn");
                context.printer.warn(&warning);
                return Ok(pages);
            }
        };
        let branch = &settings.main_branch;
        let commits =
            branch_commits(&repository, branch).or_else(|_| branch_commits(&repository, "HEAD"))?;
        pages.commits = Some(commits);
        Ok(pages)
    }

    /// With the files that readers of asv's sites know.
    pub(super) fn for_asv(mut self) -> Result<Self, CommandError> {
        if self.commits.is_some() {
            let repository = Repository::discover(&self.settings.repository_folder())?;
            let (branches, main) = (&self.settings.asv.branches, &self.settings.main_branch);
            self.revisions = Some(Revisions::of(&repository, branches, main)?);
        }
        Ok(self)
    }

    /// Draws the results in the folder's `results`; `None` where no pages can be drawn.
    pub(super) fn draw(
        &self,
        root: &Path,
        gathered: &Gathered,
    ) -> Result<Option<Built>, SiteError> {
        let Some(commits) = &self.commits else {
            return Ok(None);
        };
        let store = Store::new(root.join("results"));
        site::build(
            &store,
            root,
            commits.clone(),
            self.settings,
            gathered,
            self.revisions.as_ref(),
        )
        .map(Some)
    }
}
