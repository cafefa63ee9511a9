//! What the first view needs: names, what changed lately, the newest run of each machine.

use serde::Serialize;

use crate::config::{AcceptedRegression, Better};
use crate::history::{Gap, Line, SeriesSet};
use crate::report::matches_benchmark;

use super::File;
use super::block::STRETCH;
use super::catalogue::{Catalogue, Entry};
use super::change::ChangeDocument;
use super::commits::{CommitDocument, Timeline, line_id};
use super::draw::Project;
use super::script::{FORMAT, document};

/// More changes than this are in `changes.js` alone.
const MOST_CHANGES: usize = 40;

/// Measured commits that count as lately.
pub(super) const LATELY: usize = 10;

#[derive(Debug, Serialize)]
struct Document<'a> {
    format: u32,
    version: &'static str,
    project: &'a str,
    project_url: &'a str,
    commit_url: &'a str,
    branch: &'a str,
    /// Number of measured commits, and how many of them share a data file.
    commits: usize,
    stretch: usize,
    lately: usize,
    groups: &'a [String],
    benchmarks: Vec<BenchmarkDocument<'a>>,
    lines: Vec<LineDocument<'a>>,
    changes: &'a [ChangeDocument<'a>],
    /// Regressions that are wanted.
    accepted: Vec<AcceptedDocument<'a>>,
    /// Number of all changes.
    changes_count: usize,
    remarks: Vec<String>,
}

#[derive(Debug, Serialize)]
struct BenchmarkDocument<'a> {
    id: &'a str,
    name: &'a str,
    group: usize,
    statistic: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<&'a str>,
    kind: &'static str,
    unit: &'a str,
    #[serde(skip_serializing_if = "is_false")]
    higher: bool,
    alert: f64,
    effect: f64,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    params: &'a [String],
    combinations: usize,
    /// No longer in the suite.
    #[serde(skip_serializing_if = "is_false")]
    gone: bool,
    /// Places of the configured labels of group and statistic; -1 without one.
    places: [i64; 2],
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature is serde's"
)]
fn is_false(value: &bool) -> bool {
    !value
}

#[derive(Debug, Serialize)]
struct AcceptedDocument<'a> {
    /// Positions of the benchmarks.
    benchmarks: Vec<usize>,
    params: Option<&'a [String]>,
    up_to: f64,
    reason: &'a str,
    expires: String,
}

impl<'a> AcceptedDocument<'a> {
    fn new(declared: &'a AcceptedRegression, catalogue: &Catalogue) -> Self {
        let is_meant = |name: &str| {
            let mut patterns = declared.benchmarks.iter();
            patterns.any(|pattern| matches_benchmark(pattern, name))
        };
        Self {
            benchmarks: (0..catalogue.entries.len())
                .filter(|at| is_meant(&catalogue.entries[*at].name))
                .collect(),
            params: declared.params.as_deref(),
            up_to: declared.up_to,
            reason: &declared.reason,
            expires: declared.expires.to_string(),
        }
    }
}

#[derive(Debug, Serialize)]
struct LineDocument<'a> {
    id: String,
    machine: &'a str,
    environment: &'a str,
    measured: usize,
    /// Position of the newest measured commit, and the commit.
    at: usize,
    newest: Option<CommitDocument<'a>>,
    /// Combinations with a number, failed and skipped there.
    numbers: usize,
    failed: usize,
    skipped: usize,
}

/// `index.js`.
pub(super) fn index(
    set: &SeriesSet,
    catalogue: &Catalogue,
    changes: &[ChangeDocument<'_>],
    timeline: &Timeline,
    project: &Project<'_>,
) -> File {
    let recent = changes.len().min(MOST_CHANGES);
    document(
        "index",
        &Document {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION"),
            project: project.name,
            project_url: project.url,
            commit_url: project.commit_url,
            branch: project.branch,
            commits: timeline.len(),
            stretch: STRETCH,
            lately: LATELY,
            groups: &catalogue.groups,
            benchmarks: catalogue
                .entries
                .iter()
                .map(BenchmarkDocument::from)
                .collect(),
            lines: set
                .lines
                .iter()
                .map(|line| LineDocument::new(line, set, timeline))
                .collect(),
            changes: &changes[..recent],
            accepted: project
                .accepted
                .iter()
                .map(|declared| AcceptedDocument::new(declared, catalogue))
                .collect(),
            changes_count: changes.len(),
            remarks: remarks(set),
        },
    )
}

/// `changes.js`: all of them.
pub(super) fn all_changes(changes: &[ChangeDocument<'_>]) -> File {
    document("changes", &changes)
}

impl<'a> From<&'a Entry> for BenchmarkDocument<'a> {
    fn from(entry: &'a Entry) -> Self {
        Self {
            id: &entry.id,
            name: &entry.name,
            group: entry.group,
            statistic: &entry.statistic,
            explanation: entry.explanation.as_deref(),
            kind: entry.kind.key(),
            unit: &entry.unit,
            higher: entry.better == Better::Higher,
            alert: entry.alert,
            effect: entry.minimum_effect,
            params: &entry.param_names,
            combinations: entry.combinations.len(),
            gone: !entry.is_current,
            places: entry.places.map(|place| {
                if place == usize::MAX {
                    -1
                } else {
                    i64::try_from(place).unwrap_or(-1)
                }
            }),
        }
    }
}

impl<'a> LineDocument<'a> {
    fn new(line: &'a Line, set: &'a SeriesSet, timeline: &Timeline) -> Self {
        let newest = line.measured.last().copied();
        let at = newest.map_or(0, |place| timeline.position(place));
        let with_gap = |wanted: Gap| {
            let is_there = |gap: Option<&(u32, Gap)>| gap.copied() == newest.map(|at| (at, wanted));
            let series = line.series.iter();
            series.filter(|series| is_there(series.gaps.last())).count()
        };
        Self {
            id: line_id(&line.machine, &line.environment),
            machine: &line.machine,
            environment: &line.environment,
            measured: line.measured.len(),
            at,
            newest: timeline.commit(at, set).map(CommitDocument::from),
            numbers: line
                .series
                .iter()
                .filter(|series| series.places.last().copied() == newest)
                .count(),
            failed: with_gap(Gap::Failed),
            skipped: with_gap(Gap::Skipped),
        }
    }
}

fn remarks(set: &SeriesSet) -> Vec<String> {
    let elsewhere = set.elsewhere_sentence();
    elsewhere
        .into_iter()
        .chain(set.suspect_sentences())
        .collect()
}
