//! The benchmarks in the order of the report, under the names that the comment uses.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::compare::{alert_limit, better_of, metric_of, minimum_effect};
use crate::config::{Better, Limits, ReportSettings};
use crate::history::{Series, SeriesSet};
use crate::json::Json;
use crate::report::{Cell, Estimator, Label, Labels, Mark, MetricKind, Row, Verdict, groups};
use crate::results::BenchmarkIndex;

use super::names::slug;

/// Everything about one benchmark but its numbers.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// Short name in paths and addresses.
    pub(super) id: String,
    pub(super) name: String,
    /// Position of its group.
    pub(super) group: usize,
    pub(super) statistic: String,
    pub(super) explanation: Option<String>,
    pub(super) kind: MetricKind,
    pub(super) unit: String,
    pub(super) better: Better,
    pub(super) alert: f64,
    pub(super) minimum_effect: f64,
    pub(super) param_names: Vec<String>,
    /// Parameter strings of each combination: those of the suite in its order, then older ones.
    pub(super) combinations: Vec<Arc<[String]>>,
    /// Whether the suite still has it.
    pub(super) is_current: bool,
    /// Place of the configured label of the group and of the statistic, for the order of tables.
    pub(super) places: [usize; 2],
}

/// All benchmarks that have a result.
#[derive(Debug, Clone, Default)]
pub(super) struct Catalogue {
    /// In the order of the report.
    pub(super) entries: Vec<Entry>,
    /// Labels of the groups, in order.
    pub(super) groups: Vec<String>,
    positions: HashMap<String, usize>,
    /// Positions of the combinations of each entry.
    combinations: Vec<HashMap<Arc<[String]>, usize>>,
}

impl Catalogue {
    pub(super) fn new(
        set: &SeriesSet,
        index: &BenchmarkIndex,
        report: &ReportSettings,
        limits: &Limits,
    ) -> Self {
        let combinations = combinations(set, index);
        let rows: Vec<Row> = combinations.keys().map(|name| row(name, index)).collect();
        let labels = Labels::new(report);
        let mut catalogue = Self::default();
        for group in groups(&rows, report) {
            let at = catalogue.groups.len();
            for line in group.lines {
                let name = &line.row.benchmark;
                let record = index.benchmarks.get(name);
                let metric = metric_of(name, record);
                let place = |label: Label| label.place;
                catalogue
                    .positions
                    .insert(name.clone(), catalogue.entries.len());
                catalogue.entries.push(Entry {
                    id: slug(name),
                    name: name.clone(),
                    group: at,
                    statistic: line.statistic,
                    explanation: labels.explanation(name).map(str::to_owned),
                    better: better_of(limits, name, &metric),
                    alert: alert_limit(limits, name, &metric),
                    minimum_effect: minimum_effect(limits, name),
                    kind: metric.kind,
                    unit: metric.unit,
                    param_names: record.map_or_else(Vec::new, |record| record.param_names.clone()),
                    combinations: combinations.get(name.as_str()).cloned().unwrap_or_default(),
                    is_current: record.is_some(),
                    places: [place(labels.group(name)), place(labels.statistic(name))],
                });
            }
            catalogue.groups.push(group.label);
        }
        catalogue.combinations = catalogue
            .entries
            .iter()
            .map(|entry| {
                let all = entry.combinations.iter().cloned();
                all.enumerate().map(|(at, params)| (params, at)).collect()
            })
            .collect();
        catalogue
    }

    /// Positions of the benchmark and of its combination.
    pub(super) fn place_of(&self, series: &Series) -> Option<(usize, usize)> {
        let entry = self.position(&series.benchmark)?;
        let combination = self.combinations.get(entry)?.get(&series.params)?;
        Some((entry, *combination))
    }

    fn position(&self, benchmark: &str) -> Option<usize> {
        self.positions.get(benchmark).copied()
    }
}

/// The combinations of every benchmark that has a series, by name.
fn combinations<'a>(
    set: &'a SeriesSet,
    index: &BenchmarkIndex,
) -> BTreeMap<&'a str, Vec<Arc<[String]>>> {
    let mut found: BTreeMap<&str, Vec<Arc<[String]>>> = BTreeMap::new();
    let mut known: HashSet<(&str, Arc<[String]>)> = HashSet::new();
    for line in &set.lines {
        for series in &line.series {
            let key = (&*series.benchmark, Arc::clone(&series.params));
            if known.insert(key) {
                let all = found.entry(&series.benchmark).or_default();
                all.push(Arc::clone(&series.params));
            }
        }
    }
    for (name, all) in &mut found {
        let Some(record) = index.benchmarks.get(*name) else {
            continue;
        };
        let places: HashMap<Vec<&str>, usize> = (0..record.combinations().min(100_000))
            .map(|place| (record.combination(place), place))
            .collect();
        all.sort_by_key(|params| {
            let params: Vec<&str> = params.iter().map(String::as_str).collect();
            places.get(&params).copied().unwrap_or(usize::MAX)
        });
    }
    found
}

/// A row that stands for the benchmark where rows are put in order.
fn row(name: &str, index: &BenchmarkIndex) -> Row {
    let metric = metric_of(name, index.benchmarks.get(name));
    Row {
        benchmark: name.to_owned(),
        combination: 0,
        params: Vec::new(),
        kind: metric.kind,
        unit: metric.unit,
        better: Better::Lower,
        base: Cell::Missing,
        head: Cell::Other(Json::Null),
        ratio: None,
        estimator: Estimator::Median,
        verdict: Verdict::NotMeasured,
        reason: String::new(),
        confidence: None,
        alert: None,
        mark: Mark::Blank,
        uncertain: false,
        flags: Vec::new(),
    }
}
