//! A history in memory: one number per measured commit and series.

use std::collections::{BTreeMap, HashMap};
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

impl SeriesSet {
    /// A sentence about the files of other commits, if there are any.
    pub fn elsewhere_sentence(&self) -> Option<String> {
        let count = self.elsewhere;
        let files = if count == 1 { "file is" } else { "files are" };
        (count > 0)
            .then(|| format!("{count} result {files} of commits that are not on this branch."))
    }

    /// A sentence about each pair of benchmarks that may be one.
    pub fn suspect_sentences(&self) -> impl Iterator<Item = String> {
        self.renames.suspects.iter().map(|(old, new)| {
            format!(
                "{old} ends where {new} begins; if they are the same, say so with the key `renamed`."
            )
        })
    }
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
    /// What is known of machine, driver and compiler at the newest commit.
    pub facts: BTreeMap<&'static str, String>,
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
    /// Bounds of the 99 % interval of each number, NaN where unknown; empty where none is known or
    /// wanted.
    pub bounds: Vec<[f32; 2]>,
    /// Where it was run without a number, in order; empty unless wanted.
    pub gaps: Vec<(u32, Gap)>,
}

/// Why there is no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gap {
    Failed,
    Skipped,
    /// The value is no number.
    Other,
}

impl Series {
    /// Adds a number, places being in order; a second number at a place does not count.
    pub(super) fn push(&mut self, place: u32, value: f64) {
        if self.places.last() != Some(&place) {
            self.places.push(place);
            self.values.push(value);
        }
    }

    /// Adds the bounds of the number at the newest place.
    pub(super) fn push_bounds(&mut self, bounds: [f32; 2]) {
        self.bounds
            .resize(self.values.len().saturating_sub(1), [f32::NAN; 2]);
        self.bounds.push(bounds);
    }

    /// Notes the interval of the number at the newest place, unless it is unknown (NaN) or there is
    /// one already.
    pub(super) fn note_interval(&mut self, bounds: [f32; 2]) {
        if !bounds[0].is_nan() && self.bounds.len() < self.values.len() {
            self.push_bounds(bounds);
        }
    }

    /// Notes why there is no number at a place, places being in order.
    pub(super) fn note_gap(&mut self, place: u32, gap: Gap) {
        if self.gaps.last().is_none_or(|(last, _)| *last != place) {
            self.gaps.push((place, gap));
        }
    }

    /// The bounds of the number at this position, if they are known.
    pub fn bounds_at(&self, position: usize) -> Option<[f32; 2]> {
        let bounds = self.bounds.get(position).copied()?;
        (!bounds[0].is_nan()).then_some(bounds)
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
        let mut points: Vec<(u32, bool, usize)> = Vec::new();
        let numbered = |series: &Self, others: bool| {
            let places = series.places.iter().copied().enumerate();
            places
                .map(|(position, place)| (place, others, position))
                .collect::<Vec<_>>()
        };
        points.extend(numbered(self, false));
        points.extend(numbered(&other, true));
        points.sort_unstable();
        points.dedup_by_key(|(place, ..)| *place);
        let own = std::mem::take(self);
        self.benchmark = own.benchmark.clone();
        self.params = own.params.clone();
        self.versions.clone_from(&own.versions);
        self.gaps.clone_from(&own.gaps);
        for (place, others, position) in points {
            let from = if others { &other } else { &own };
            self.push(place, from.values[position]);
            if let Some(bounds) = from.bounds_at(position) {
                self.push_bounds(bounds);
            }
        }
        self.gaps.extend(other.gaps);
        self.gaps.sort_by_key(|(place, _)| *place);
        self.gaps.dedup_by_key(|(place, _)| *place);
        let places = &self.places;
        self.gaps
            .retain(|(place, _)| places.binary_search(place).is_err());
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
        let renames = Renames::find(&lifetimes, &BTreeMap::new());
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
