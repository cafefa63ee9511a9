//! From a history to the files of the dashboard.

use crate::config::{AcceptedRegression, Limits, ReportSettings};
use crate::history::{Change, SeriesSet};
use crate::results::BenchmarkIndex;

use super::Folder;
use super::badge::badge;
use super::benchmark::{by_entry, files};
use super::catalogue::Catalogue;
use super::change::{self, ChangeDocument};
use super::commits::{Timeline, commits};
use super::error::SiteError;
use super::feed::feed;
use super::index::{all_changes, index};
use super::overview::overview;

/// Whose dashboard it is, and how its benchmarks are named and judged.
#[derive(Debug, Clone, Copy)]
pub struct Project<'a> {
    pub name: &'a str,
    /// Address of the project; may be empty.
    pub url: &'a str,
    /// What comes before a hash in the address of a commit; may be empty.
    pub commit_url: &'a str,
    pub branch: &'a str,
    pub report: &'a ReportSettings,
    pub limits: &'a Limits,
    pub index: &'a BenchmarkIndex,
    /// Regressions that are wanted.
    pub accepted: &'a [AcceptedRegression],
}

/// Draws everything but the runs of single commits, file by file, so that no more than one is held. The
/// history must have been loaded with details. The same history gives the same bytes.
pub fn draw(
    set: &SeriesSet,
    changes: &[Change],
    project: &Project<'_>,
    folder: &mut Folder,
) -> Result<(), SiteError> {
    let timeline = Timeline::new(set);
    let catalogue = Catalogue::new(set, project.index, project.report, project.limits);
    let documents = change::documents(set, changes, project.accepted, &catalogue, &timeline);
    let series = by_entry(set, &catalogue);
    for (at, entry) in catalogue.entries.iter().enumerate() {
        let own = |change: &&ChangeDocument<'_>| change.benchmark == at;
        let changes = documents.iter().filter(own).collect();
        files(set, entry, &series[at], changes, &timeline, folder)?;
    }
    for (at, line) in set.lines.iter().enumerate() {
        let series = series.iter().map(|lines| &lines[at]);
        folder.put(overview(line, at, &documents, series, &timeline))?;
    }
    folder.put(commits(set, &timeline))?;
    folder.put(all_changes(&documents))?;
    folder.put(index(set, &catalogue, &documents, &timeline, project))?;
    folder.put(feed(set, &catalogue, &documents, &timeline, project))?;
    folder.put(badge(&documents, &timeline))?;
    let mut page = super::page::files().into_iter();
    page.try_for_each(|file| folder.put(file))
}
