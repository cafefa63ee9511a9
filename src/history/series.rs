//! A history in memory: one number per measured commit and series.

use std::collections::HashMap;
use std::sync::Arc;

use crate::results::Problem;
use crate::vcs::CommitInfo;

use super::renames::Renames;

/// Everything that was read of the wanted commits.
#[derive(Debug, Clone, Default)]
pub struct SeriesSet {
    /// The commits of the branch, oldest first; places are positions in here.
    pub commits: Vec<CommitInfo>,
    /// One for each machine and environment.
    pub lines: Vec<Line>,
    /// Renames that were followed, and suspected ones.
    pub renames: Renames,
    /// Result files of other commits; they were not read.
    pub elsewhere: usize,
    /// Files that could not be read.
    pub problems: Vec<Problem>,
}

/// The series of one machine and environment.
#[derive(Debug, Clone, Default)]
pub struct Line {
    pub machine: String,
    pub environment: String,
    /// Places of the commits with results, in order.
    pub measured: Vec<u32>,
    /// Where machine, driver or compiler changed, in order.
    pub borders: Vec<Border>,
    pub series: Vec<Series>,
}

/// A change of the surroundings: results before and after it are not compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Border {
    /// Place of the first commit that was measured afterwards.
    pub place: u32,
    /// `driver`, `jaxlib`, `cpu` and so on.
    pub what: &'static str,
    pub before: String,
    pub after: String,
}

/// The numbers of one benchmark with one combination of parameters. Commits without a number are
/// left out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    pub benchmark: Arc<str>,
    /// Parameter strings; empty when unparameterised.
    pub params: Arc<[String]>,
    /// Where each number was measured, in order.
    pub places: Vec<u32>,
    pub values: Vec<f64>,
    /// From which place on the benchmark was of which version, as far as stamps are known.
    pub versions: Vec<(u32, Arc<str>)>,
}

impl Series {
    /// Adds a number, places being in order; a second number at a place does not count.
    pub(super) fn push(&mut self, place: u32, value: f64) {
        if self.places.last() != Some(&place) {
            self.places.push(place);
            self.values.push(value);
        }
    }

    /// Notes the version at a place, places being in order.
    pub(super) fn note_version(&mut self, place: u32, version: &str) {
        if self
            .versions
            .last()
            .is_none_or(|(_, known)| **known != *version)
        {
            self.versions.push((place, version.into()));
        }
    }

    /// The version at a place, if it is known.
    pub fn version_at(&self, place: u32) -> Option<&str> {
        let after = self.versions.partition_point(|(from, _)| *from <= place);
        let (_, version) = self.versions.get(after.checked_sub(1)?)?;
        Some(version)
    }

    /// Takes in the numbers of another series; where both have one, the own counts.
    pub(super) fn absorb(&mut self, other: Self) {
        let mut points: Vec<(u32, bool, f64)> = Vec::new();
        points.extend(
            self.places
                .iter()
                .zip(&self.values)
                .map(|(p, v)| (*p, false, *v)),
        );
        points.extend(
            other
                .places
                .iter()
                .zip(&other.values)
                .map(|(p, v)| (*p, true, *v)),
        );
        points.sort_by_key(|(place, others, _)| (*place, *others));
        points.dedup_by_key(|(place, ..)| *place);
        self.places = points.iter().map(|(place, ..)| *place).collect();
        self.values = points.iter().map(|(.., value)| *value).collect();
        self.versions.extend(other.versions);
        self.versions.sort_by_key(|(place, _)| *place);
    }
}

impl Line {
    /// Joins the series of renamed benchmarks to those of their new names.
    pub(super) fn follow(&mut self, renames: &Renames) {
        if renames.iter().next().is_none() {
            return;
        }
        let (moving, mut kept): (Vec<Series>, Vec<Series>) = std::mem::take(&mut self.series)
            .into_iter()
            .partition(|series| renames.new_name(&series.benchmark).is_some());
        let mut places: HashMap<(Arc<str>, Arc<[String]>), usize> = kept
            .iter()
            .enumerate()
            .map(|(at, series)| {
                (
                    (Arc::clone(&series.benchmark), Arc::clone(&series.params)),
                    at,
                )
            })
            .collect();
        for mut series in moving {
            if let Some(new) = renames.new_name(&series.benchmark) {
                series.benchmark = new.into();
            }
            let key = (Arc::clone(&series.benchmark), Arc::clone(&series.params));
            if let Some(at) = places.get(&key) {
                kept[*at].absorb(series);
            } else {
                places.insert(key, kept.len());
                kept.push(series);
            }
        }
        self.series = kept;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::lifetimes::Lifetimes;

    fn series(benchmark: &str, params: &[&str], points: &[(u32, f64)]) -> Series {
        let params: Vec<String> = params.iter().map(|&text| text.to_owned()).collect();
        let mut series = Series {
            benchmark: benchmark.into(),
            params: params.into(),
            ..Series::default()
        };
        for (place, value) in points {
            series.push(*place, *value);
        }
        series
    }

    #[test]
    fn a_renamed_series_goes_on_under_its_new_name() {
        let mut lifetimes = Lifetimes::default();
        for (name, time) in [
            ("b.time_x", 0),
            ("b.time_x", 3),
            ("b.track_x", 4),
            ("b.track_x", 8),
        ] {
            lifetimes.add(name, time);
        }
        let renames = Renames::find(&lifetimes, &std::collections::BTreeMap::new());
        let mut line = Line {
            series: vec![
                series("b.time_x", &["1"], &[(0, 1.0), (4, 2.0)]),
                series("b.time_x", &["2"], &[(0, 7.0)]),
                series("b.track_x", &["1"], &[(4, 3.0), (8, 4.0)]),
            ],
            ..Line::default()
        };
        line.follow(&renames);
        assert_eq!(
            line.series,
            [
                series("b.track_x", &["1"], &[(0, 1.0), (4, 3.0), (8, 4.0)]),
                series("b.track_x", &["2"], &[(0, 7.0)]),
            ]
        );
    }

    #[test]
    fn versions_hold_until_the_next() {
        let mut series = series("b", &[], &[]);
        for (place, version) in [(2, "a"), (3, "a"), (7, "b"), (9, "a")] {
            series.note_version(place, version);
        }
        let at = |place| series.version_at(place);
        assert_eq!(
            (at(1), at(2), at(6), at(7), at(99)),
            (None, Some("a"), Some("a"), Some("b"), Some("a"))
        );
    }
}
