//! The rows of the front page for one machine and environment.

use serde::Serialize;

use crate::history::{Gap, Line, Series};

use super::File;
use super::benchmark::Combinations;
use super::change::ChangeDocument;
use super::commits::{Timeline, line_id};
use super::script::document;
use super::sparkline;

/// More combinations than this would fill the small picture with lines.
const MOST_LINES: usize = 6;

#[derive(Debug, Serialize)]
struct Document {
    rows: Vec<Row>,
}

/// The newest state of one benchmark.
#[derive(Debug, Serialize)]
struct Row {
    /// Position of the benchmark.
    benchmark: usize,
    /// Position of the newest commit that ran it.
    at: usize,
    /// Smallest and largest number there, over the combinations.
    low: Option<f64>,
    high: Option<f64>,
    /// Combinations with a number, failed and skipped there.
    numbers: usize,
    failed: usize,
    skipped: usize,
    /// The newest change: position of the commit, after over before, and `slower` or `faster`.
    change: Option<(usize, Option<f64>, &'static str)>,
    /// Paths of the small picture, and the combinations that they show.
    paths: Vec<String>,
    shown: Vec<usize>,
}

/// `overview/<line>.js`. `at` is the line's position, `series` are its series for each benchmark, and
/// of `changes` the newest come first.
pub(super) fn overview<'a>(
    line: &Line,
    at: usize,
    changes: &[ChangeDocument<'_>],
    series: impl Iterator<Item = &'a Combinations<'a>>,
    timeline: &Timeline,
) -> File {
    let newest = |benchmark: usize| {
        changes
            .iter()
            .find(|change| change.line == at && change.benchmark == benchmark)
    };
    let rows = series
        .enumerate()
        .filter_map(|(benchmark, series)| row(benchmark, newest(benchmark), series, timeline))
        .collect();
    let id = line_id(&line.machine, &line.environment);
    document(&format!("overview/{id}"), &Document { rows })
}

fn row(
    benchmark: usize,
    change: Option<&ChangeDocument<'_>>,
    series: &Combinations<'_>,
    timeline: &Timeline,
) -> Option<Row> {
    let newest = |series: &Series| {
        let gap = series.gaps.last().map(|(place, _)| *place);
        series.places.last().copied().max(gap)
    };
    let place = series
        .iter()
        .filter_map(|(_, series)| newest(series))
        .max()?;
    let values: Vec<f64> = series
        .iter()
        .filter(|(_, series)| series.places.last() == Some(&place))
        .filter_map(|(_, series)| series.values.last().copied())
        .collect();
    let gaps = |wanted: Gap| {
        let is_there = |series: &Series| series.gaps.last() == Some(&(place, wanted));
        series.iter().filter(|(_, series)| is_there(series)).count()
    };
    let shown = shown(series);
    let drawn: Vec<&Series> = shown.iter().map(|at| series[*at].1).collect();
    Some(Row {
        benchmark,
        at: timeline.position(place),
        low: values.iter().copied().reduce(f64::min),
        high: values.iter().copied().reduce(f64::max),
        numbers: values.len(),
        failed: gaps(Gap::Failed),
        skipped: gaps(Gap::Skipped),
        change: change.map(|change| (change.at, change.ratio(), change.verdict.key())),
        paths: sparkline::paths(&drawn, timeline),
        shown: shown.iter().map(|at| series[*at].0).collect(),
    })
}

/// Which series are drawn: all of a few, else some at even distances.
fn shown(series: &Combinations<'_>) -> Vec<usize> {
    let count = series.len();
    if count <= MOST_LINES {
        return (0..count).collect();
    }
    (0..MOST_LINES)
        .map(|at| at * (count - 1) / (MOST_LINES - 1))
        .collect()
}
