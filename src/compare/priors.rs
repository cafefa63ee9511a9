//! The noise to expect of a benchmark that has no history of its own.

use std::collections::HashMap;

use crate::report::MetricKind;
use crate::results::Value;

use super::entry::{SeriesKey, combination_key};
use super::kind::metric_of;
use super::noise::{Noise, prior};
use super::rows::{Draft, Input};

/// The prior of each kind of metric, worked out when it is first asked for. Kinds are kept apart:
/// the memory of a process varies far less than its time.
pub(super) struct Priors<'a> {
    input: &'a Input<'a>,
    drafts: &'a [Draft<'a>],
    by_kind: HashMap<MetricKind, Option<f64>>,
}

impl<'a> Priors<'a> {
    pub(super) fn new(input: &'a Input<'a>, drafts: &'a [Draft<'a>]) -> Self {
        Self {
            input,
            drafts,
            by_kind: HashMap::new(),
        }
    }

    /// The scale to expect, if the machine's history tells one.
    pub(super) fn of(&mut self, kind: MetricKind) -> Option<f64> {
        if self.input.history.is_empty() {
            return None;
        }
        let known = self.by_kind.get(&kind).copied();
        known.unwrap_or_else(|| {
            let mut noises = self.of_compared(kind);
            noises.extend(self.of_base_alone(kind));
            let prior = prior(&noises);
            self.by_kind.insert(kind, prior);
            prior
        })
    }

    fn of_compared(&self, kind: MetricKind) -> Vec<Noise> {
        self.drafts
            .iter()
            .filter(|draft| draft.subject.metric.kind == kind)
            .flat_map(|draft| &draft.pairs)
            .filter_map(|(_, change)| Some(change.as_ref()?.noise))
            .collect()
    }

    /// The machine's other benchmarks: those that the base has and HEAD did not run.
    fn of_base_alone(&self, kind: MetricKind) -> Vec<Noise> {
        let Some(base) = self.input.base else {
            return Vec::new();
        };
        let mut noises = Vec::new();
        let mut points = Vec::new();
        for (name, result) in &base.results {
            let record = self.input.index.benchmarks.get(name);
            if self.input.head.results.contains_key(name) || metric_of(name, record).kind != kind {
                continue;
            }
            let benchmark = SeriesKey::of(name, result.version.as_deref());
            for (index, value) in result.values.iter().enumerate() {
                if matches!(value, Value::Number(_)) {
                    let key = combination_key(benchmark, result, index);
                    self.input.history.series(key, &mut points);
                    let series: Vec<f64> = points.iter().map(|point| point.median).collect();
                    noises.push(Noise::of(&series));
                }
            }
        }
        noises
    }
}
