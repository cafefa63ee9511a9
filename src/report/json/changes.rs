//! `changes --format json`.

use serde::Serialize;

use crate::report::changes::{ChangedCommit, ChangesReport, LevelChange, SurroundingChange};

use super::value::Number;
use super::{FORMAT, print};

/// The changes of a branch.
pub fn changes(report: &ChangesReport) -> String {
    print(&Document {
        format: FORMAT,
        kind: "changes",
        sentence: report.sentence(),
        branch: &report.branch,
        commits: report.commits,
        series: report.series,
        values: report.values,
        changes: report.changes.iter().map(ChangeDocument::from).collect(),
        borders: report.borders.iter().map(BorderDocument::from).collect(),
        remarks: &report.remarks,
    })
}

#[derive(Debug, Serialize)]
struct Document<'a> {
    format: u32,
    kind: &'static str,
    sentence: String,
    branch: &'a str,
    commits: usize,
    series: usize,
    values: usize,
    changes: Vec<ChangeDocument<'a>>,
    borders: Vec<BorderDocument<'a>>,
    remarks: &'a [String],
}

#[derive(Debug, Serialize)]
struct ChangeDocument<'a> {
    benchmark: &'a str,
    params: &'a [String],
    machine: &'a str,
    environment: &'a str,
    kind: &'static str,
    unit: &'a str,
    verdict: &'static str,
    before: Number,
    after: Number,
    ratio: Option<Number>,
    p: Number,
    first: CommitDocument<'a>,
    last: CommitDocument<'a>,
    count: usize,
    likely: CommitDocument<'a>,
    versions: Option<[&'a str; 2]>,
}

#[derive(Debug, Serialize)]
struct CommitDocument<'a> {
    commit: &'a str,
    date: i64,
    subject: &'a str,
}

#[derive(Debug, Serialize)]
struct BorderDocument<'a> {
    machine: &'a str,
    environment: &'a str,
    what: &'a str,
    before: &'a str,
    after: &'a str,
    commit: CommitDocument<'a>,
}

impl<'a> From<&'a LevelChange> for ChangeDocument<'a> {
    fn from(change: &'a LevelChange) -> Self {
        Self {
            benchmark: &change.benchmark,
            params: &change.params,
            machine: &change.machine,
            environment: &change.environment,
            kind: change.kind.key(),
            unit: &change.unit,
            verdict: change.verdict.key(),
            before: Number(change.before),
            after: Number(change.after),
            ratio: change.ratio().map(Number),
            p: Number(change.p),
            first: (&change.first).into(),
            last: (&change.last).into(),
            count: change.count,
            likely: (&change.likely).into(),
            versions: change
                .versions
                .as_ref()
                .map(|(before, after)| [before.as_str(), after.as_str()]),
        }
    }
}

impl<'a> From<&'a ChangedCommit> for CommitDocument<'a> {
    fn from(commit: &'a ChangedCommit) -> Self {
        Self {
            commit: &commit.hash,
            date: commit.date,
            subject: &commit.subject,
        }
    }
}

impl<'a> From<&'a SurroundingChange> for BorderDocument<'a> {
    fn from(change: &'a SurroundingChange) -> Self {
        Self {
            machine: &change.machine,
            environment: &change.environment,
            what: &change.what,
            before: &change.before,
            after: &change.after,
            commit: (&change.commit).into(),
        }
    }
}
