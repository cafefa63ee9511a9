//! What is reported: changes, what is no change, and what was looked at.

use std::fmt;

use crate::report::units::{self, Scale};
use crate::report::{MetricKind, Verdict, shorten};

/// Longer subjects of commits are cut in the middle.
const MOST_OF_A_SUBJECT: usize = 60;

/// Digits of a hash for people.
const DIGITS: usize = 8;

/// The changes of a branch.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChangesReport {
    pub branch: String,
    /// What was looked at.
    pub commits: usize,
    pub series: usize,
    pub values: usize,
    /// The newest first.
    pub changes: Vec<LevelChange>,
    /// Changes of machine, driver or compiler; nothing was compared across them. The newest first.
    pub borders: Vec<SurroundingChange>,
    /// Sentences for the reader.
    pub remarks: Vec<String>,
}

/// A commit as it is named in a report.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangedCommit {
    /// Full hash.
    pub hash: String,
    /// Author date, milliseconds since 1970.
    pub date: i64,
    pub subject: String,
}

/// A lasting change of one benchmark with one combination of parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelChange {
    pub benchmark: String,
    /// Parameter strings; empty when unparameterised.
    pub params: Vec<String>,
    pub machine: String,
    pub environment: String,
    pub kind: MetricKind,
    pub unit: String,
    pub before: f64,
    pub after: f64,
    /// `Slower` or `Faster`, whatever the metric: worse or better.
    pub verdict: Verdict,
    /// Probability that neighbouring results on one level differ as much.
    pub p: f64,
    /// The commit that did it is one of these, which follow each other.
    pub first: ChangedCommit,
    pub last: ChangedCommit,
    /// How many commits that are.
    pub count: usize,
    /// The first measured commit that most likely has the new level.
    pub likely: ChangedCommit,
    /// The benchmark itself changed: its version before and after.
    pub versions: Option<(String, String)>,
}

/// A change of the surroundings of one machine and environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurroundingChange {
    pub machine: String,
    pub environment: String,
    pub what: String,
    pub before: String,
    pub after: String,
    /// The first commit that was measured afterwards.
    pub commit: ChangedCommit,
}

impl ChangedCommit {
    pub(super) fn short(&self) -> String {
        self.hash.chars().take(DIGITS).collect()
    }

    /// The day of the commit in UTC.
    pub(super) fn day(&self) -> String {
        let instant = units::instant(Some(self.date));
        instant.split(' ').next().unwrap_or_default().to_owned()
    }
}

impl LevelChange {
    /// After over before; `None` where that means nothing.
    pub fn ratio(&self) -> Option<f64> {
        (self.before > 0.0 && self.after >= 0.0).then(|| self.after / self.before)
    }

    pub(super) fn name(&self) -> String {
        if self.params.is_empty() {
            self.benchmark.clone()
        } else {
            format!("{}({})", self.benchmark, self.params.join(", "))
        }
    }

    /// Both levels in one unit.
    pub(super) fn levels(&self) -> [String; 2] {
        let scale = Scale::fitting(&self.unit, [self.before, self.after]);
        [self.before, self.after].map(|level| scale.show_float(level))
    }

    /// `1234abcd`, or `1234abcd..5678ef01 (7 commits)`.
    pub(super) fn commits(&self) -> String {
        if self.count <= 1 {
            self.last.short()
        } else {
            let (first, last) = (self.first.short(), self.last.short());
            format!("{first}..{last} ({} commits)", self.count)
        }
    }

    pub(super) fn subject(&self) -> String {
        shorten(&self.likely.subject, MOST_OF_A_SUBJECT)
    }

    /// What the reader should know beside the numbers; often nothing.
    pub(super) fn remark(&self) -> &'static str {
        if self.versions.is_some() {
            "the benchmark itself changed"
        } else {
            ""
        }
    }
}

impl fmt::Display for SurroundingChange {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{}, {}: {} was {} and is {} from {} ({}) on",
            self.machine,
            self.environment,
            self.what,
            self.before,
            self.after,
            self.commit.short(),
            self.commit.day()
        )
    }
}

impl ChangesReport {
    /// The summary: what was found in what.
    pub fn sentence(&self) -> String {
        let count = |verdict| {
            let of = self
                .changes
                .iter()
                .filter(|change| change.verdict == verdict);
            of.count()
        };
        let found = match (count(Verdict::Slower), count(Verdict::Faster)) {
            (0, 0) => "No lasting change".to_owned(),
            (slower, 0) => counted(slower, "lasting change for the worse"),
            (0, faster) => counted(faster, "lasting change for the better"),
            (slower, faster) => {
                format!(
                    "{} for the worse, {faster} for the better",
                    counted(slower, "lasting change")
                )
            }
        };
        format!(
            "{found} in {} of {} on {}: {}.",
            plural(self.series, "series"),
            plural(self.commits, "commits"),
            self.branch,
            plural(self.values, "values")
        )
    }

    /// More than one machine or environment: they must be named.
    pub(super) fn has_several_places(&self) -> bool {
        let mut places = self
            .changes
            .iter()
            .map(|change| (&change.machine, &change.environment));
        let first = places.next();
        places.any(|place| Some(place) != first)
    }
}

/// `1 lasting change for the worse`, `2 lasting changes for the worse`.
fn counted(count: usize, what: &str) -> String {
    if count == 1 {
        format!("1 {what}")
    } else {
        format!("{count} {}", what.replacen("change", "changes", 1))
    }
}

/// The number and the word, which is a plural.
fn plural(count: usize, word: &str) -> String {
    match (count, word) {
        (1, "commits") => "1 commit".to_owned(),
        (1, "values") => "1 value".to_owned(),
        _ => format!("{count} {word}"),
    }
}
