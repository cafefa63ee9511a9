//! Changes of a history as rows of a report.

use std::cmp::Reverse;

use crate::compare::{better_of, metric_of};
use crate::config::{Better, Limits};
use crate::history::{Border, Change, Line, SeriesSet};
use crate::report::Verdict;
use crate::report::changes::{ChangedCommit, ChangesReport, LevelChange, SurroundingChange};
use crate::results::BenchmarkIndex;
use crate::suite::Pattern;

/// Which changes are shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Selection<'a> {
    pub(super) branch: &'a str,
    /// Any of them must find the name; none finds all.
    pub(super) patterns: &'a [Pattern],
    /// Milliseconds since 1970, both included.
    pub(super) since: Option<i64>,
    pub(super) until: Option<i64>,
}

impl Selection<'_> {
    fn has_time(&self, date: i64) -> bool {
        self.since.is_none_or(|since| date >= since) && self.until.is_none_or(|until| date <= until)
    }

    fn has_name(&self, benchmark: &str, params: &[String]) -> bool {
        let full = format!("{benchmark}({})", params.join(", "));
        let name = if params.is_empty() { benchmark } else { &full };
        self.patterns.is_empty()
            || self.patterns.iter().any(|pattern| {
                pattern.is_literally(name) || pattern.found_in(name).unwrap_or(false)
            })
    }
}

/// The report of the selected changes, the newest first.
pub(super) fn report(
    set: &SeriesSet,
    changes: &[Change],
    selection: &Selection<'_>,
    limits: &Limits,
    index: &BenchmarkIndex,
) -> ChangesReport {
    let mut shown: Vec<LevelChange> = changes
        .iter()
        .filter(|change| {
            let series = &set.lines[change.line].series[change.series];
            selection.has_name(&series.benchmark, &series.params)
                && selection.has_time(commit(set, change.likely).date)
        })
        .map(|change| level_change(set, change, limits, index))
        .collect();
    shown.sort_by(|one, other| {
        let size = |change: &LevelChange| change.ratio().map_or(0.0, |ratio| ratio.ln().abs());
        (other.likely.date.cmp(&one.likely.date))
            .then(size(other).total_cmp(&size(one)))
            .then(one.benchmark.cmp(&other.benchmark))
            .then(one.params.cmp(&other.params))
    });
    let mut borders: Vec<SurroundingChange> = set
        .lines
        .iter()
        .flat_map(|line| line.borders.iter().map(move |border| (line, border)))
        .filter(|(_, border)| selection.has_time(commit(set, border.place).date))
        .map(|(line, border)| surrounding(set, line, border))
        .collect();
    borders.sort_by_key(|border| Reverse(border.commit.date));
    let selected: Vec<_> = set
        .lines
        .iter()
        .flat_map(|line| &line.series)
        .filter(|series| selection.has_name(&series.benchmark, &series.params))
        .collect();
    let mut measured: Vec<u32> = set
        .lines
        .iter()
        .flat_map(|line| line.measured.iter().copied())
        .collect();
    measured.sort_unstable();
    measured.dedup();
    ChangesReport {
        branch: selection.branch.to_owned(),
        commits: measured.len(),
        series: selected.len(),
        values: selected.iter().map(|series| series.values.len()).sum(),
        changes: shown,
        borders,
        remarks: remarks(set),
    }
}

fn level_change(
    set: &SeriesSet,
    change: &Change,
    limits: &Limits,
    index: &BenchmarkIndex,
) -> LevelChange {
    let line = &set.lines[change.line];
    let series = &line.series[change.series];
    let metric = metric_of(&series.benchmark, index.benchmarks.get(&*series.benchmark));
    let rises = change.after > change.before;
    let higher_is_better = better_of(limits, &series.benchmark, &metric) == Better::Higher;
    LevelChange {
        benchmark: series.benchmark.to_string(),
        params: series.params.to_vec(),
        machine: line.machine.clone(),
        environment: line.environment.clone(),
        kind: metric.kind,
        unit: metric.unit,
        before: change.before,
        after: change.after,
        verdict: if rises == higher_is_better {
            Verdict::Faster
        } else {
            Verdict::Slower
        },
        p: change.p,
        first: commit(set, change.commits.start),
        last: commit(set, change.commits.end.saturating_sub(1)),
        count: change.commits.len(),
        likely: commit(set, change.likely),
        versions: change.versions.clone(),
    }
}

fn surrounding(set: &SeriesSet, line: &Line, border: &Border) -> SurroundingChange {
    SurroundingChange {
        machine: line.machine.clone(),
        environment: line.environment.clone(),
        what: border.what.to_owned(),
        before: border.before.clone(),
        after: border.after.clone(),
        commit: commit(set, border.place),
    }
}

fn commit(set: &SeriesSet, place: u32) -> ChangedCommit {
    let place = usize::try_from(place).unwrap_or(usize::MAX);
    set.commits
        .get(place)
        .map(|commit| ChangedCommit {
            hash: commit.hash.clone(),
            date: commit.date,
            subject: commit.subject.clone(),
        })
        .unwrap_or_default()
}

fn remarks(set: &SeriesSet) -> Vec<String> {
    let renames = set.renames.iter();
    let renames = renames.map(|(old, new)| format!("{old} goes on as {new}."));
    let elsewhere = set.elsewhere_sentence().into_iter();
    elsewhere
        .chain(renames)
        .chain(set.suspect_sentences())
        .collect()
}
