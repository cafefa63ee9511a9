//! Where the level of a series changed.

use std::ops::Range;
use std::thread;

use crate::config::NormaliseRules;
use crate::stats::{ChangePoint, FEWEST_POINTS, change_points, discoveries, levels, median};

use super::series::{Line, Series, SeriesSet};

/// Of all changes that are reported at most this share should be false.
const FALSE_DISCOVERIES: f64 = 0.05;

/// What counts as a change.
pub struct Criteria<'a> {
    /// The smallest relative change of a benchmark that is one.
    pub minimum_effect: &'a (dyn Fn(&str) -> f64 + Sync),
    pub rules: NormaliseRules,
}

impl std::fmt::Debug for Criteria<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Criteria")
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}

/// A lasting change of one series.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Position in the set's lines, and in the line's series.
    pub line: usize,
    pub series: usize,
    /// Medians of the levels before and after.
    pub before: f64,
    pub after: f64,
    /// Probability that neighbours on one level differ as much.
    pub p: f64,
    /// The commit that changed it is one of these places: those after the last one that certainly had
    /// the old level, up to the first that certainly has the new one.
    pub commits: Range<u32>,
    /// Place of the first measured commit that most likely has the new level.
    pub likely: u32,
    /// Version of the benchmark before and after, where they are known and differ.
    pub versions: Option<(String, String)>,
}

/// The changes of all series, in their order. A border is no change, and nothing is compared across
/// one. Which changes are believed is decided over all series together (Benjamini and Hochberg,
/// 5 %).
pub fn changes(set: &SeriesSet, criteria: &Criteria<'_>) -> Vec<Change> {
    let all: Vec<(usize, usize)> = set
        .lines
        .iter()
        .enumerate()
        .flat_map(|(line, of)| (0..of.series.len()).map(move |series| (line, series)))
        .collect();
    let found = search(set, &all, criteria);
    let probabilities: Vec<f64> = found
        .iter()
        .flat_map(|runs| runs.iter().flat_map(|run| &run.points))
        .map(|point| point.p)
        .collect();
    let mut believed = discoveries(&probabilities, FALSE_DISCOVERIES).into_iter();
    let mut changes = Vec::new();
    for ((line, series), runs) in all.into_iter().zip(found) {
        for mut run in runs {
            run.points.retain(|_| believed.next() == Some(true));
            let of = &set.lines[line].series[series];
            changes.extend(run.changes(of).map(|change| Change {
                line,
                series,
                ..change
            }));
        }
    }
    changes
}

/// A stretch of a series without a border, and the change points in it.
#[derive(Debug)]
struct Run {
    /// Positions in the series.
    span: Range<usize>,
    points: Vec<ChangePoint>,
}

/// Searches every series, shared among the processors. The order of the outcome is that of `all`.
fn search(set: &SeriesSet, all: &[(usize, usize)], criteria: &Criteria<'_>) -> Vec<Vec<Run>> {
    let one = |(line, series): &(usize, usize)| {
        let line = &set.lines[*line];
        runs(line, &line.series[*series], criteria)
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let share = all.len().div_ceil(workers).max(1);
    thread::scope(|scope| {
        let parts: Vec<_> = all
            .chunks(share)
            .map(|part| scope.spawn(move || part.iter().map(one).collect::<Vec<_>>()))
            .collect();
        parts
            .into_iter()
            .flat_map(|part| part.join().unwrap_or_default())
            .collect()
    })
}

fn runs(line: &Line, series: &Series, criteria: &Criteria<'_>) -> Vec<Run> {
    let minimum = (criteria.minimum_effect)(&series.benchmark);
    let spans = spans(line, series, criteria.rules);
    spans
        .into_iter()
        .filter(|span| span.len() >= FEWEST_POINTS)
        .map(|span| {
            let scale = Scale::of(&series.values[span.clone()]);
            let scaled = scale.scaled(&series.values[span.clone()]);
            let points = change_points(&scaled, scale.effect(minimum));
            Run { span, points }
        })
        .collect()
}

/// The stretches between borders, as positions in the series.
fn spans(line: &Line, series: &Series, rules: NormaliseRules) -> Vec<Range<usize>> {
    let mut borders: Vec<u32> = line.borders.iter().map(|border| border.place).collect();
    if !rules.versions {
        borders.extend(series.versions.iter().skip(1).map(|(place, _)| *place));
        borders.sort_unstable();
    }
    let mut spans = Vec::new();
    let mut from = 0;
    for border in borders {
        let to = series.places.partition_point(|place| *place < border);
        if to > from {
            spans.push(from..to);
            from = to;
        }
    }
    spans.push(from..series.places.len());
    spans
}

impl Run {
    fn changes<'a>(&'a self, series: &'a Series) -> impl Iterator<Item = Change> + 'a {
        let values = &series.values[self.span.clone()];
        let places = &series.places[self.span.clone()];
        let scale = Scale::of(values);
        let levels: Vec<f64> = levels(&scale.scaled(values), &self.points)
            .into_iter()
            .map(|level| scale.value(level))
            .collect();
        self.points.iter().enumerate().map(move |(at, point)| {
            let first = point
                .earliest
                .checked_sub(1)
                .map_or(0, |last| places[last] + 1);
            let likely = places[point.at];
            let old = point.at.checked_sub(1).map(|before| places[before]);
            let versions = old
                .and_then(|old| Some((series.version_at(old)?, series.version_at(likely)?)))
                .filter(|(before, after)| before != after)
                .map(|(before, after)| (before.to_owned(), after.to_owned()));
            Change {
                line: 0,
                series: 0,
                before: levels[at],
                after: levels[at + 1],
                p: point.p,
                commits: first..places[point.latest] + 1,
                likely,
                versions,
            }
        })
    }
}

/// How the values of a series are compared.
#[derive(Debug, Clone, Copy)]
enum Scale {
    /// All are positive: by their ratios.
    Ratio,
    /// Some are not: by their differences, as shares of this.
    Share(f64),
}

impl Scale {
    fn of(values: &[f64]) -> Self {
        if values.iter().all(|value| *value > 0.0) {
            return Self::Ratio;
        }
        let mut sizes: Vec<f64> = values.iter().map(|value| value.abs()).collect();
        let largest = sizes.iter().copied().fold(0.0, f64::max);
        let typical = median(&mut sizes).unwrap_or(0.0);
        let unit = if typical > 0.0 { typical } else { largest };
        Self::Share(if unit > 0.0 { unit } else { 1.0 })
    }

    fn scaled(self, values: &[f64]) -> Vec<f64> {
        values
            .iter()
            .map(|value| match self {
                Self::Ratio => value.ln(),
                Self::Share(unit) => value / unit,
            })
            .collect()
    }

    fn value(self, level: f64) -> f64 {
        match self {
            Self::Ratio => level.exp(),
            Self::Share(unit) => level * unit,
        }
    }

    /// A relative change on this scale.
    fn effect(self, share: f64) -> f64 {
        match self {
            Self::Ratio => share.ln_1p(),
            Self::Share(_) => share,
        }
    }
}

#[cfg(test)]
mod tests;
