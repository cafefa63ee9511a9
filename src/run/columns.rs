//! The combinations of one benchmark as the columns that a result file keeps.

use crate::results::{BenchmarkProvenance, BenchmarkResult, Failure, SampleStats, Value};

/// One combination as it will be stored.
pub(super) struct Column {
    pub(super) value: Value,
    pub(super) stats: Option<SampleStats>,
    pub(super) samples: Option<Vec<f64>>,
    pub(super) sizes: Vec<usize>,
    pub(super) failure: Option<Failure>,
}

impl Column {
    pub(super) fn plain(value: Value) -> Self {
        Self {
            value,
            stats: None,
            samples: None,
            sizes: Vec::new(),
            failure: None,
        }
    }

    pub(super) fn failed(failure: Failure) -> Self {
        Self {
            failure: Some(failure),
            ..Self::plain(Value::Failed)
        }
    }
}

/// All combinations, column by column.
#[derive(Default)]
pub(super) struct Columns {
    values: Vec<Value>,
    stats: Vec<Option<SampleStats>>,
    samples: Vec<Option<Vec<f64>>>,
    sizes: Vec<Vec<usize>>,
    failures: Vec<Option<Failure>>,
}

impl Columns {
    pub(super) fn push(&mut self, column: Column) {
        self.values.push(column.value);
        self.stats.push(column.stats);
        self.samples.push(column.samples);
        self.sizes.push(column.sizes);
        self.failures.push(column.failure);
    }

    pub(super) fn into_result(
        self,
        record_samples: bool,
    ) -> (BenchmarkResult, BenchmarkProvenance) {
        let keep_samples = record_samples && self.samples.iter().any(Option::is_some);
        let result = BenchmarkResult {
            values: self.values,
            stats: none_if_empty(self.stats),
            samples: if keep_samples {
                self.samples
            } else {
                Vec::new()
            },
            ..BenchmarkResult::default()
        };
        let provenance = BenchmarkProvenance {
            failures: none_if_empty(self.failures),
            process_sizes: if keep_samples { self.sizes } else { Vec::new() },
            ..BenchmarkProvenance::default()
        };
        (result, provenance)
    }
}

/// A column in which nothing is known is empty.
fn none_if_empty<T>(column: Vec<Option<T>>) -> Vec<Option<T>> {
    if column.iter().any(Option::is_some) {
        column
    } else {
        Vec::new()
    }
}
