//! One side of a row: what a file holds about one combination of parameters.

use crate::json::Json;
use crate::report::{Cell, Estimator};
use crate::results::{BenchmarkProvenance, BenchmarkResult, Failure, SampleStats, Value};
use crate::stats;

/// With samples of at least this many processes on every side the floor estimator is used.
pub(super) const FEWEST_PROCESSES: usize = 6;

/// What one file holds about one combination.
#[derive(Debug, Clone)]
pub(super) enum Stored<'a> {
    /// No result.
    Missing,
    Failed(Option<&'a Failure>),
    Skipped(Option<&'a Failure>),
    /// A value that is no number.
    Other(&'a Json),
    Number(Measured<'a>),
}

/// A number with whatever is known about how it came about.
#[derive(Debug, Clone)]
pub(super) struct Measured<'a> {
    pub(super) json: &'a Json,
    pub(super) value: f64,
    pub(super) stats: Option<&'a SampleStats>,
    pub(super) samples: Option<&'a [f64]>,
    /// How many of the samples came from each process, in order; empty if unknown.
    sizes: &'a [usize],
}

impl<'a> Stored<'a> {
    /// The side at position `index` of a stored result.
    pub(super) fn of(
        result: &'a BenchmarkResult,
        provenance: Option<&'a BenchmarkProvenance>,
        index: usize,
    ) -> Self {
        let failure = provenance
            .and_then(|known| known.failures.get(index))
            .and_then(Option::as_ref);
        match result.values.get(index) {
            None => Self::Missing,
            Some(Value::Failed) => Self::Failed(failure),
            Some(Value::Skipped) => Self::Skipped(failure),
            Some(Value::Other(json)) => Self::Other(json),
            Some(value @ Value::Number(json)) => match value.as_f64() {
                Some(number) if number.is_nan() => Self::Skipped(failure),
                Some(number) => {
                    Self::Number(Measured::new(json, number, result, provenance, index))
                }
                None => Self::Other(json),
            },
        }
    }

    pub(super) fn is_value(&self) -> bool {
        matches!(self, Self::Number(_) | Self::Other(_))
    }

    pub(super) fn cell(&self) -> Cell {
        let reason = |failure: Option<&Failure>| failure.map(|failure| failure.message.clone());
        match self {
            Self::Missing => Cell::Missing,
            Self::Failed(failure) => Cell::Failed {
                reason: reason(*failure),
            },
            Self::Skipped(failure) => Cell::Skipped {
                reason: reason(*failure),
            },
            Self::Other(json) => Cell::Other((*json).clone()),
            Self::Number(measured) => Cell::Number {
                value: measured.json.clone(),
                spread: measured.spread(),
            },
        }
    }
}

impl<'a> Measured<'a> {
    fn new(
        json: &'a Json,
        value: f64,
        result: &'a BenchmarkResult,
        provenance: Option<&'a BenchmarkProvenance>,
        index: usize,
    ) -> Self {
        Self {
            json,
            value,
            stats: result.stats.get(index).and_then(Option::as_ref),
            samples: samples_of(result, index),
            sizes: sizes_of(provenance, index),
        }
    }

    /// Whether both are the same number, integer or float.
    #[expect(clippy::float_cmp, reason = "equal means equal here")]
    pub(super) fn equals(&self, other: &Self) -> bool {
        self.json == other.json || self.value == other.value
    }

    /// Whether the value has a logarithm.
    pub(super) fn is_positive(&self) -> bool {
        self.value > 0.0 && self.value.is_finite()
    }

    /// Half the interquartile range of the samples, as asv prints it after `±`.
    fn spread(&self) -> Option<f64> {
        let stats = self.stats?;
        let spread = (stats.q_75 - stats.q_25) / 2.0;
        spread.is_finite().then_some(spread)
    }

    /// The logarithm of each process's summary (its fastest sample, or the median of its samples);
    /// `None` without positive samples of at least six processes.
    pub(super) fn log_by_process(&self, estimator: Estimator) -> Option<Vec<f64>> {
        log_by_process(self.samples?, self.sizes, estimator)
    }
}

/// The logarithm of the floor estimate of one combination: the fastest sample of each process, then the median over
/// the processes on the log scale. `None` without positive samples of at least six processes.
pub(super) fn log_floor_of(
    result: &BenchmarkResult,
    provenance: Option<&BenchmarkProvenance>,
    index: usize,
) -> Option<f64> {
    let samples = samples_of(result, index)?;
    let sizes = sizes_of(provenance, index);
    let mut floors = log_by_process(samples, sizes, Estimator::Floor)?;
    stats::median(&mut floors)
}

fn samples_of(result: &BenchmarkResult, index: usize) -> Option<&[f64]> {
    result
        .samples
        .get(index)?
        .as_deref()
        .filter(|samples| !samples.is_empty())
}

fn sizes_of(provenance: Option<&BenchmarkProvenance>, index: usize) -> &[usize] {
    provenance
        .and_then(|known| known.process_sizes.get(index))
        .map_or(&[], Vec::as_slice)
}

fn log_by_process(samples: &[f64], sizes: &[usize], estimator: Estimator) -> Option<Vec<f64>> {
    if sizes.len() < FEWEST_PROCESSES || sizes.iter().sum::<usize>() != samples.len() {
        return None;
    }
    let mut rest = samples;
    let mut summaries = Vec::with_capacity(sizes.len());
    for &size in sizes.iter().filter(|size| **size > 0) {
        let (process, later) = rest.split_at(size);
        rest = later;
        let summary = match estimator {
            Estimator::Floor => process.iter().copied().min_by(f64::total_cmp),
            Estimator::Median => stats::median(&mut process.to_vec()),
        }?;
        if !(summary > 0.0 && summary.is_finite()) {
            return None;
        }
        summaries.push(summary.ln());
    }
    (summaries.len() >= FEWEST_PROCESSES).then_some(summaries)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(samples: Vec<f64>, sizes: Vec<usize>) -> (BenchmarkResult, BenchmarkProvenance) {
        let result = BenchmarkResult {
            values: vec![Value::Number(Json::Float(2.0))],
            samples: vec![Some(samples)],
            ..BenchmarkResult::default()
        };
        let provenance = BenchmarkProvenance {
            process_sizes: vec![sizes],
            ..BenchmarkProvenance::default()
        };
        (result, provenance)
    }

    #[test]
    fn floor_is_the_median_of_the_processes_minima() {
        let samples: Vec<f64> = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]
            .iter()
            .flat_map(|floor| [floor * 1.5, *floor, floor * 3.0])
            .collect();
        let (result, provenance) = result(samples, vec![3; 6]);
        let floor = log_floor_of(&result, Some(&provenance), 0).unwrap().exp();
        // Between 4 and 8 on the log scale.
        assert!((floor - 32.0_f64.sqrt()).abs() < 1e-12, "{floor}");
    }

    #[test]
    fn no_floor_without_six_processes_or_with_sizes_that_do_not_add_up() {
        let cases = [
            (vec![1.0; 10], vec![2; 5]),
            (vec![1.0; 13], vec![2; 6]),
            (vec![1.0; 10], vec![2, 2, 2, 2, 2, 0]),
            (vec![0.0; 12], vec![2; 6]),
            (vec![1.0; 12], vec![]),
        ];
        for (samples, sizes) in cases {
            let (result, provenance) = result(samples, sizes.clone());
            assert_eq!(
                log_floor_of(&result, Some(&provenance), 0),
                None,
                "{sizes:?}"
            );
        }
        let (result, _) = result(vec![1.0; 12], vec![2; 6]);
        assert_eq!(log_floor_of(&result, None, 0), None);
        assert_eq!(log_floor_of(&result, None, 7), None);
    }
}
