//! The numbers of one result file: what a history needs of it, in memory and on the disk.

mod kept;
mod raw;
mod record;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::config::NormaliseRules;
use crate::json::Json;
use crate::results::{BenchmarkResult, ResultSet, Value};

use super::borders::facts;
use super::normaliser::stamps;
use super::series::Gap;

pub(super) use kept::KeptValues;

/// What a history needs of one result file.
#[derive(Debug, Clone, Default)]
pub struct FileValues {
    /// Full hash of the measured commit.
    pub(super) commit: String,
    /// The environment's name in the file.
    pub(super) environment: String,
    /// What is known of machine, driver and compiler.
    pub(super) facts: BTreeMap<&'static str, String>,
    pub(super) rows: Vec<RowValues>,
}

/// The numbers of one benchmark.
#[derive(Debug, Clone)]
pub(super) struct RowValues {
    pub(super) key: Arc<RowKey>,
    /// Version of the benchmark, also one that was taken off the row.
    pub(super) version: Option<Arc<str>>,
    /// One for each combination; where there is no number, a NaN that says why.
    pub(super) values: Vec<f64>,
    /// Bounds of the 99 % interval of each, NaN where unknown; empty where none is known.
    pub(super) bounds: Vec<[f32; 2]>,
}

/// Whose numbers they are; the rows of neighbouring commits mostly share it.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct RowKey {
    pub(super) benchmark: Arc<str>,
    pub(super) params: Vec<Vec<String>>,
}

/// The NaNs that say why there is no number.
const FAILED: u64 = 0x7FF8_0000_0000_0001;
const SKIPPED: u64 = 0x7FF8_0000_0000_0002;
const OTHER: u64 = 0x7FF8_0000_0000_0003;

impl FileValues {
    /// Those of a file that was read with its values. `rules` say which facts count.
    pub fn of(set: &ResultSet, rules: NormaliseRules) -> Self {
        let stamps = stamps(set);
        let row = |(name, result): (&String, &BenchmarkResult)| {
            let stamp = || stamps?.get(name).and_then(Json::as_str);
            let version = result.version.as_deref().or_else(stamp);
            RowValues {
                key: Arc::new(RowKey {
                    benchmark: name.as_str().into(),
                    params: result.params.clone(),
                }),
                version: version.map(Arc::from),
                values: result.values.iter().map(number).collect(),
                bounds: bounds(result),
            }
        };
        Self {
            commit: set.commit_hash.clone(),
            environment: set.env_name.clone(),
            facts: facts(set, rules),
            rows: set.results.iter().map(row).collect(),
        }
    }
}

/// A number, or the NaN that says why there is none.
fn number(value: &Value) -> f64 {
    match value {
        Value::Failed => f64::from_bits(FAILED),
        Value::Skipped => f64::from_bits(SKIPPED),
        Value::Number(_) | Value::Other(_) => value
            .as_f64()
            .filter(|value| value.is_finite())
            .unwrap_or(f64::from_bits(OTHER)),
    }
}

/// Why a value is no number; `None` for a number.
pub(super) fn gap(value: f64) -> Option<Gap> {
    if value.is_finite() {
        return None;
    }
    Some(match value.to_bits() {
        FAILED => Gap::Failed,
        SKIPPED => Gap::Skipped,
        _ => Gap::Other,
    })
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "seven digits are shown of it"
)]
fn bounds(result: &BenchmarkResult) -> Vec<[f32; 2]> {
    let mut any = false;
    let all = (0..result.values.len())
        .map(|index| {
            let stats = result.stats.get(index).and_then(Option::as_ref);
            let (low, high) = stats.map_or((f64::NAN, f64::NAN), |stats| stats.ci_99);
            if low.is_finite() && high.is_finite() {
                any = true;
                [low as f32, high as f32]
            } else {
                [f32::NAN; 2]
            }
        })
        .collect();
    if any { all } else { Vec::new() }
}

#[cfg(test)]
mod tests;
