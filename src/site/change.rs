//! Lasting changes, as the page, the feed and the badge show them.

use std::cmp::Reverse;

use serde::Serialize;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::config::{AcceptedRegression, Better};
use crate::history::{Change, SeriesSet};
use crate::report::{Verdict, matches_benchmark};

use super::catalogue::{Catalogue, Entry};
use super::commits::{CommitDocument, Timeline};

/// More commits of a range are counted instead of listed.
const MOST_COMMITS: usize = 30;

/// One change.
#[derive(Debug, Clone, Serialize)]
pub(super) struct ChangeDocument<'a> {
    /// Positions of the benchmark, of its combination and of the line.
    pub(super) benchmark: usize,
    pub(super) combination: usize,
    pub(super) line: usize,
    pub(super) params: &'a [String],
    /// `slower` or `faster`.
    #[serde(serialize_with = "key")]
    pub(super) verdict: Verdict,
    pub(super) before: f64,
    pub(super) after: f64,
    /// Position of the first measured commit that most likely has the new level.
    pub(super) at: usize,
    /// The commits one of which did it, oldest first; those beyond thirty are only counted.
    pub(super) commits: Vec<CommitDocument<'a>>,
    pub(super) count: usize,
    pub(super) likely: CommitDocument<'a>,
    /// The benchmark itself changed: its versions.
    pub(super) versions: Option<&'a (String, String)>,
    /// Why it is wanted, where the configuration says that it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) accepted: Option<&'a str>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature is serde's"
)]
fn key<S: serde::Serializer>(verdict: &Verdict, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(verdict.key())
}

impl ChangeDocument<'_> {
    /// After over before; `None` where that means nothing.
    pub(super) fn ratio(&self) -> Option<f64> {
        (self.before > 0.0 && self.after >= 0.0).then(|| self.after / self.before)
    }

    fn size(&self) -> f64 {
        self.ratio().map_or(0.0, |ratio| ratio.ln().abs())
    }
}

/// The changes, the newest first, and of one commit the largest first.
pub(super) fn documents<'a>(
    set: &'a SeriesSet,
    changes: &'a [Change],
    accepted: &'a [AcceptedRegression],
    catalogue: &Catalogue,
    timeline: &Timeline,
) -> Vec<ChangeDocument<'a>> {
    let mut documents: Vec<ChangeDocument<'a>> = changes
        .iter()
        .filter_map(|change| document(set, change, accepted, catalogue, timeline))
        .collect();
    documents.sort_by(|one, other| {
        let order = Reverse(one.at).cmp(&Reverse(other.at));
        order
            .then(other.size().total_cmp(&one.size()))
            .then((one.benchmark, one.combination).cmp(&(other.benchmark, other.combination)))
            .then(one.line.cmp(&other.line))
    });
    documents
}

fn document<'a>(
    set: &'a SeriesSet,
    change: &'a Change,
    accepted: &'a [AcceptedRegression],
    catalogue: &Catalogue,
    timeline: &Timeline,
) -> Option<ChangeDocument<'a>> {
    let series = set.lines.get(change.line)?.series.get(change.series)?;
    let (benchmark, combination) = catalogue.place_of(series)?;
    let entry = &catalogue.entries[benchmark];
    let rises = change.after > change.before;
    let range =
        usize::try_from(change.commits.start).ok()?..usize::try_from(change.commits.end).ok()?;
    let commits = set.commits.get(range)?;
    let likely = set.commits.get(usize::try_from(change.likely).ok()?)?;
    let mut document = ChangeDocument {
        benchmark,
        combination,
        line: change.line,
        params: &series.params,
        verdict: if rises == (entry.better == Better::Higher) {
            Verdict::Faster
        } else {
            Verdict::Slower
        },
        before: change.before,
        after: change.after,
        at: timeline.position(change.likely),
        commits: commits
            .iter()
            .take(MOST_COMMITS)
            .map(CommitDocument::from)
            .collect(),
        count: commits.len(),
        likely: likely.into(),
        versions: change.versions.as_ref(),
        accepted: None,
    };
    document.accepted = reason(&document, entry, likely.date, accepted);
    Some(document)
}

/// Why a change for the worse is wanted, if a declaration that counted on the day of its commit says
/// so.
fn reason<'a>(
    change: &ChangeDocument<'_>,
    entry: &Entry,
    date: i64,
    accepted: &'a [AcceptedRegression],
) -> Option<&'a str> {
    if change.verdict != Verdict::Slower {
        return None;
    }
    let ratio = change.ratio()?;
    let worsening = match entry.better {
        Better::Lower => ratio - 1.0,
        Better::Higher => 1.0 - ratio,
    };
    let day = TimeZone::UTC
        .to_datetime(Timestamp::from_millisecond(date).ok()?)
        .date();
    let counts = |declared: &&AcceptedRegression| {
        let mut patterns = declared.benchmarks.iter();
        let by_params = declared.params.as_ref().is_none_or(|wanted| {
            wanted.len() == change.params.len()
                && wanted
                    .iter()
                    .zip(change.params)
                    .all(|(wanted, value)| wanted == "*" || wanted == value)
        });
        by_params
            && patterns.any(|pattern| matches_benchmark(pattern, &entry.name))
            && worsening <= declared.up_to + 1e-9
            && day <= declared.expires
    };
    let declared = accepted.iter().find(counts)?;
    Some(&declared.reason)
}
