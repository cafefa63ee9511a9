//! One benchmark of a comparison: what all its rows share.

use crate::config::{Better, Limits};
use crate::report::MetricKind;
use crate::results::BenchmarkIndex;

use super::kind::{Metric, metric_of};
use super::limits::{alert_limit, better_of, minimum_effect};

/// What is known about a benchmark apart from its values.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Subject {
    pub(super) name: String,
    pub(super) metric: Metric,
    pub(super) better: Better,
    pub(super) alert_limit: f64,
    /// Relative: 0.02 for two per cent.
    pub(super) minimum_effect: f64,
    pub(super) param_names: Vec<String>,
}

impl Subject {
    pub(super) fn new(name: &str, index: &BenchmarkIndex, limits: &Limits) -> Self {
        let record = index.benchmarks.get(name);
        let metric = metric_of(name, record);
        Self {
            name: name.to_owned(),
            better: better_of(limits, name, &metric),
            alert_limit: alert_limit(limits, name, &metric),
            minimum_effect: minimum_effect(limits, name),
            param_names: record.map_or_else(Vec::new, |record| record.param_names.clone()),
            metric,
        }
    }

    /// The smallest change that is called, on the log scale.
    pub(super) fn smallest_change(&self) -> f64 {
        self.minimum_effect.max(0.0).ln_1p()
    }

    /// Whether choices of how to time matter to the values.
    pub(super) fn is_timed(&self) -> bool {
        self.metric.kind == MetricKind::Time
    }

    /// The name of the parameter at `position`, as asv names those without one.
    pub(super) fn param_name(&self, position: usize) -> String {
        self.param_names
            .get(position)
            .cloned()
            .unwrap_or_else(|| format!("param{}", position + 1))
    }
}
