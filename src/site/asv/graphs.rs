//! The numbers of each benchmark over the revisions, for each set of parameters of the surroundings.

use std::collections::{BTreeMap, BTreeSet};

use crate::json::{Json, Object, to_compact};
use crate::results::{BenchmarkIndex, BenchmarkRecord, BenchmarkResult, ResultSet, sanitised};
use crate::stats::as_float;

use super::GRAPHS;
use super::revisions::Revisions;

/// Dimensions that split series, and their values; `None` for an unknown one.
pub(super) type Params = BTreeMap<String, Option<String>>;

/// The dimension that is no parameter of a file.
const BRANCH: &str = "branch";

/// The numbers at a revision, and the weight of each.
type Sample = (Vec<f64>, Vec<Option<f64>>);

/// All graphs while files are read.
#[derive(Debug)]
pub(super) struct Graphs<'a> {
    revisions: &'a Revisions,
    benchmarks: &'a BenchmarkIndex,
    /// Names of all dimensions with the number of files that have them, and the values that occur.
    dimensions: BTreeMap<String, (i64, BTreeSet<Option<String>>)>,
    series: BTreeMap<Params, BTreeMap<String, BTreeMap<usize, Vec<Sample>>>>,
    /// Revisions with results, their commits and dates.
    pub(super) measured: BTreeMap<usize, (String, i64)>,
    /// Time of the newest measurement, and the number of files.
    pub(super) newest: i64,
    pub(super) files: i64,
}

/// One benchmark in one set of surroundings.
#[derive(Debug)]
pub(super) struct Graph<'a> {
    pub(super) record: &'a BenchmarkRecord,
    pub(super) params: Params,
    /// Its folder.
    pub(super) place: String,
    /// Numbers and weights by revision, in order.
    pub(super) points: Vec<(usize, Vec<f64>, Vec<Option<f64>>)>,
}

impl<'a> Graphs<'a> {
    pub(super) fn new(revisions: &'a Revisions, benchmarks: &'a BenchmarkIndex) -> Self {
        Self {
            revisions,
            benchmarks,
            dimensions: BTreeMap::new(),
            series: BTreeMap::new(),
            measured: BTreeMap::new(),
            newest: 0,
            files: 0,
        }
    }

    pub(super) fn add(&mut self, set: &ResultSet) {
        let Some((revision, date)) = self.revisions.numbers.get(&set.commit_hash).copied() else {
            return;
        };
        let date = set.date.unwrap_or(date);
        self.measured
            .insert(revision, (set.commit_hash.clone(), date));
        self.files += 1;
        let mut params = Params::new();
        for (name, value) in &set.params {
            params.insert(name.clone(), Some(text(value)));
        }
        for (name, value) in &set.env_vars {
            params.insert(format!("env-{name}"), Some(text(value)));
        }
        for (name, value) in &params {
            let (count, values) = self.dimensions.entry(name.clone()).or_default();
            *count += 1;
            values.insert(value.clone());
        }
        for branch in self.revisions.branches_of(&set.commit_hash) {
            params.insert(BRANCH.to_owned(), Some(branch.to_owned()));
            let of = self.series.entry(params.clone()).or_default();
            for (name, result) in &set.results {
                self.newest = self.newest.max(result.started_at.unwrap_or(date));
                let Some(record) = self.benchmarks.benchmarks.get(name) else {
                    continue;
                };
                if result.version.is_some() && result.version != record.version {
                    continue;
                }
                let points = of.entry(name.clone()).or_default();
                points
                    .entry(revision)
                    .or_default()
                    .push(sample(record, result));
            }
        }
    }

    /// Every dimension with its values; a file that lacks one has the unknown one.
    pub(super) fn dimensions(&self) -> BTreeMap<String, BTreeSet<Option<String>>> {
        let dimensions = self.dimensions.iter();
        let mut all: BTreeMap<String, BTreeSet<Option<String>>> = dimensions
            .map(|(name, (count, values))| {
                let mut values = values.clone();
                if *count < self.files {
                    values.insert(None);
                }
                (name.clone(), values)
            })
            .collect();
        let branches = self.revisions.branches.iter();
        let branches = branches.map(|(name, _)| Some(name.clone())).collect();
        all.insert(BRANCH.to_owned(), branches);
        all
    }

    /// The graphs in the order of their places and names. Dimensions that a file lacks are null.
    pub(super) fn graphs(&self) -> Vec<Graph<'a>> {
        let mut merged: BTreeMap<(Params, &str), BTreeMap<usize, Vec<Sample>>> = BTreeMap::new();
        for (params, benchmarks) in &self.series {
            let mut params = params.clone();
            for name in self.dimensions.keys() {
                params.entry(name.clone()).or_default();
            }
            for (name, points) in benchmarks {
                let of = merged.entry((params.clone(), name)).or_default();
                for (revision, samples) in points {
                    let known = of.entry(*revision).or_default();
                    known.extend(samples.iter().cloned());
                }
            }
        }
        let graphs = merged.into_iter().filter_map(|((params, name), points)| {
            Some(Graph {
                record: self.benchmarks.benchmarks.get(name)?,
                place: place(&params),
                params,
                points: trimmed(points.into_iter().map(|(at, all)| mean(at, &all)).collect()),
            })
        });
        graphs.collect()
    }

    /// Of a graph's surroundings what tells it from others.
    pub(super) fn distinguishing(&self, graph: &Graph<'_>) -> Object {
        let dimensions = self.dimensions();
        let several = |name: &String| {
            let values = dimensions.get(name).into_iter().flatten();
            values.flatten().filter(|text| !text.is_empty()).count() > 1
        };
        let params = graph.params.iter().filter(|(name, _)| several(name));
        params
            .map(|(name, value)| (name.clone(), value.clone().map_or(Json::Null, Json::from)))
            .collect()
    }
}

/// A value that is null is as good as an empty one; only a dimension that a file lacks is unknown.
fn text(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        other => to_compact(other),
    }
}

/// The values of the suite's present combinations, and their weights: the narrower the interval, the
/// more.
fn sample(record: &BenchmarkRecord, result: &BenchmarkResult) -> Sample {
    let places = (0..record.combinations()).map(|at| result.position(&record.combination(at)));
    places
        .map(|place| {
            let value = place.and_then(|place| result.values.get(place)?.as_f64());
            let stats = place.and_then(|place| result.stats.get(place)?.as_ref());
            let weight = stats.map(|stats| 2.0 / (stats.ci_99.1 - stats.ci_99.0).abs());
            let weight = weight.filter(|weight| weight.is_finite() && *weight > 0.0);
            (value.unwrap_or(f64::NAN), weight)
        })
        .unzip()
}

/// The mean of several samples of a revision.
fn mean(revision: usize, samples: &[Sample]) -> (usize, Vec<f64>, Vec<Option<f64>>) {
    let width = samples.iter().map(|(values, _)| values.len()).max();
    let (values, weights) = (0..width.unwrap_or(0))
        .map(|at| {
            let values = samples.iter().filter_map(|(values, _)| values.get(at));
            let weights = samples.iter().filter_map(|(_, all)| *all.get(at)?);
            let known: Vec<f64> = values.copied().filter(|value| !value.is_nan()).collect();
            let weights: Vec<f64> = weights.collect();
            (mean_of(&known).unwrap_or(f64::NAN), mean_of(&weights))
        })
        .unzip();
    (revision, values, weights)
}

fn mean_of(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / as_float(values.len()))
}

type Point = (usize, Vec<f64>, Vec<Option<f64>>);

/// Without revisions at either end that have no number.
fn trimmed(mut points: Vec<Point>) -> Vec<Point> {
    let has_number = |point: &Point| point.1.iter().any(|value| !value.is_nan());
    let end = points.iter().rposition(has_number).map_or(0, |at| at + 1);
    points.truncate(end);
    let start = points.iter().position(has_number).unwrap_or(0);
    points.split_off(start)
}

fn place(params: &Params) -> String {
    let parts = params.iter().map(|(name, value)| match value.as_deref() {
        None => sanitised(&format!("{name}-null")),
        Some("") => sanitised(name),
        Some(value) => sanitised(&format!("{name}-{value}")),
    });
    let mut parts: Vec<String> = parts.collect();
    parts.sort();
    format!("{GRAPHS}/{}", parts.join("/"))
}

impl Graph<'_> {
    pub(super) fn path(&self) -> String {
        format!("{}/{}.json", self.place, sanitised(&self.record.name))
    }

    pub(super) fn branch(&self) -> Option<&str> {
        self.params.get(BRANCH)?.as_deref()
    }

    /// Number of series: one for each combination.
    pub(super) fn width(&self) -> usize {
        self.record.combinations()
    }

    /// Numbers and weights of one series.
    pub(super) fn series(&self, place: usize) -> (Vec<f64>, Vec<Option<f64>>) {
        let points = self.points.iter();
        points
            .map(|(_, values, weights)| (values[place], weights[place]))
            .unzip()
    }

    pub(super) fn to_json(&self) -> Json {
        let points = self.points.iter().map(|(revision, values, _)| {
            let value = if self.record.params.is_empty() {
                number(values[0])
            } else {
                values
                    .iter()
                    .copied()
                    .map(number)
                    .collect::<Vec<_>>()
                    .into()
            };
            vec![revision_json(*revision), value].into()
        });
        points.collect::<Vec<Json>>().into()
    }
}

/// A number; null for none.
pub(super) fn number(value: f64) -> Json {
    if value.is_nan() {
        Json::Null
    } else {
        Json::Float(value)
    }
}

pub(super) fn revision_json(revision: usize) -> Json {
    i64::try_from(revision).unwrap_or(i64::MAX).into()
}
