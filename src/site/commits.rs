//! The measured commits, and what is known of each machine and environment.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::history::{Line, SeriesSet};
use crate::vcs::CommitInfo;

use super::File;
use super::names::slug;
use super::script::document;

/// Places of commits as positions among the measured ones, which the page counts by.
#[derive(Debug, Clone, Default)]
pub(super) struct Timeline {
    places: Vec<u32>,
}

impl Timeline {
    pub(super) fn new(set: &SeriesSet) -> Self {
        let lines = set.lines.iter();
        let mut places: Vec<u32> = lines
            .flat_map(|line| line.measured.iter().copied())
            .collect();
        places.sort_unstable();
        places.dedup();
        Self { places }
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// The position of a measured commit; of another one that of the next measured one.
    pub(super) fn position(&self, place: u32) -> usize {
        self.places.partition_point(|known| *known < place)
    }

    pub(super) fn place(&self, position: usize) -> Option<u32> {
        self.places.get(position).copied()
    }

    /// The places of measured commits from one to before another.
    pub(super) fn between(&self, first: u32, end: u32) -> &[u32] {
        &self.places[self.position(first)..self.position(end)]
    }

    /// The commit at a position.
    pub(super) fn commit<'a>(&self, position: usize, set: &'a SeriesSet) -> Option<&'a CommitInfo> {
        let place = usize::try_from(*self.places.get(position)?).ok()?;
        set.commits.get(place)
    }
}

/// A short name of a machine and environment in paths and addresses.
pub(super) fn line_id(machine: &str, environment: &str) -> String {
    slug(&format!("{machine}/{environment}"))
}

/// A commit as the page knows it.
#[derive(Debug, Clone, Serialize)]
pub(super) struct CommitDocument<'a> {
    hash: &'a str,
    /// Author date, seconds since 1970.
    date: i64,
    subject: &'a str,
    author: &'a str,
}

impl<'a> From<&'a CommitInfo> for CommitDocument<'a> {
    fn from(commit: &'a CommitInfo) -> Self {
        Self {
            hash: &commit.hash,
            date: commit.date.div_euclid(1000),
            subject: &commit.subject,
            author: &commit.author,
        }
    }
}

/// `commits.js`: loaded with the first chart.
pub(super) fn commits(set: &SeriesSet, timeline: &Timeline) -> File {
    #[derive(Serialize)]
    struct Document<'a> {
        hashes: Vec<&'a str>,
        dates: Vec<i64>,
        subjects: Vec<&'a str>,
        authors: Authors<'a>,
        /// How many commits of the branch were not measured before each of these.
        skipped: Vec<u32>,
        lines: Vec<LineDocument<'a>>,
    }
    let all = || (0..timeline.len()).filter_map(|position| timeline.commit(position, set));
    let mut next = 0;
    let skipped = timeline.places.iter().map(|place| {
        let skipped = place - next;
        next = place + 1;
        skipped
    });
    let written = Document {
        hashes: all().map(|commit| commit.hash.as_str()).collect(),
        dates: all().map(|commit| commit.date.div_euclid(1000)).collect(),
        subjects: all().map(|commit| commit.subject.as_str()).collect(),
        authors: Authors::new(all().map(|commit| commit.author.as_str())),
        skipped: skipped.collect(),
        lines: set
            .lines
            .iter()
            .map(|line| LineDocument::new(line, timeline))
            .collect(),
    };
    document("commits", &written)
}

/// Each name once, and for each commit which it is.
#[derive(Debug, Default, Serialize)]
struct Authors<'a> {
    names: Vec<&'a str>,
    of: Vec<usize>,
}

impl<'a> Authors<'a> {
    fn new(all: impl Iterator<Item = &'a str>) -> Self {
        let mut authors = Self::default();
        let mut known: BTreeMap<&str, usize> = BTreeMap::new();
        for name in all {
            let next = known.len();
            let at = *known.entry(name).or_insert_with(|| {
                authors.names.push(name);
                next
            });
            authors.of.push(at);
        }
        authors
    }
}

/// What a machine and environment measured, and when its surroundings changed.
#[derive(Debug, Serialize)]
struct LineDocument<'a> {
    /// Positions of the measured commits, each as the distance from the one before.
    measured: Vec<usize>,
    /// What is known of the newest commit.
    facts: &'a BTreeMap<&'static str, String>,
    borders: Vec<BorderDocument<'a>>,
}

#[derive(Debug, Serialize)]
pub(super) struct BorderDocument<'a> {
    at: usize,
    what: &'a str,
    before: &'a str,
    after: &'a str,
}

impl<'a> LineDocument<'a> {
    fn new(line: &'a Line, timeline: &Timeline) -> Self {
        let mut last = 0;
        let distance = |place: &u32| {
            let position = timeline.position(*place);
            let distance = position - last;
            last = position;
            distance
        };
        Self {
            measured: line.measured.iter().map(distance).collect(),
            facts: &line.facts,
            borders: borders(line, timeline),
        }
    }
}

/// The borders of a line by position.
fn borders<'a>(line: &'a Line, timeline: &Timeline) -> Vec<BorderDocument<'a>> {
    line.borders
        .iter()
        .map(|border| BorderDocument {
            at: timeline.position(border.place),
            what: border.what,
            before: &border.before,
            after: &border.after,
        })
        .collect()
}
