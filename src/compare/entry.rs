//! What the history needs of one result file: a number per series.

use std::sync::Arc;

use crate::gpu::is_voiding;
use crate::results::{BenchmarkProvenance, BenchmarkResult, ResultSet, Value};

use super::digest::Digest;
use super::measured::log_floor_of;

/// Names one series: benchmark, parameters and, apart, the version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SeriesKey {
    /// Hash of the benchmark's name and the strings of its parameters.
    pub(super) name: u64,
    /// Hash of the version; zero for none, which matches any.
    pub(super) version: u64,
}

impl SeriesKey {
    /// The key of an unparameterised benchmark, and the start of [`SeriesKey::with_params`].
    pub(super) fn of(benchmark: &str, version: Option<&str>) -> Self {
        Self {
            name: Digest::new().with(benchmark.as_bytes()).value(),
            version: version.map_or(0, |version| {
                Digest::new().with(version.as_bytes()).value() | 1
            }),
        }
    }

    /// The key of one combination of parameters.
    #[must_use]
    pub(super) fn with_params<'a>(self, params: impl IntoIterator<Item = &'a str>) -> Self {
        let start = Digest::new().with(&self.name.to_le_bytes());
        let all = params
            .into_iter()
            .fold(start, |digest, param| digest.with(param.as_bytes()));
        Self {
            name: all.value(),
            ..self
        }
    }

    /// Whether both may be the same series; names are equal already.
    pub(super) fn same_version(self, other: Self) -> bool {
        self.version == 0 || other.version == 0 || self.version == other.version
    }
}

/// The series of a file in its order. Files of neighbouring commits mostly have the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) keys: Vec<SeriesKey>,
    pub(super) hash: u64,
}

impl Layout {
    pub(super) fn new(keys: Vec<SeriesKey>) -> Self {
        let mut layout = Self { keys, hash: 0 };
        layout.hash = Digest::new().with(&layout.to_bytes()).value();
        layout
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        self.keys
            .iter()
            .flat_map(|key| [key.name.to_le_bytes(), key.version.to_le_bytes()])
            .flatten()
            .collect()
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Self {
        let (words, _) = bytes.as_chunks::<8>();
        let keys = words
            .as_chunks::<2>()
            .0
            .iter()
            .map(|[name, version]| SeriesKey {
                name: u64::from_le_bytes(*name),
                version: u64::from_le_bytes(*version),
            })
            .collect();
        Self::new(keys)
    }
}

/// One result file, as far as the history needs it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    /// Full hash of the commit.
    pub(super) commit: String,
    pub(super) environment: String,
    pub(super) machine: String,
    /// How often `setup` ran; empty if not recorded.
    pub(super) setup_scope: String,
    /// Measured with uncommitted changes.
    pub(super) dirty: bool,
    pub(super) layout: Arc<Layout>,
    /// The logarithm of each series' stored value; NaN where there is no positive number.
    pub(super) medians: Vec<f64>,
    /// The logarithm of each series' floor estimate, NaN where there is none; empty if no series
    /// has one.
    pub(super) floors: Vec<f64>,
}

impl Entry {
    /// The numbers of a result file.
    pub(super) fn of(set: &ResultSet) -> Self {
        let mut columns = Columns::default();
        for (name, result) in &set.results {
            let provenance = set
                .provenance
                .as_ref()
                .and_then(|provenance| provenance.benchmarks.get(name));
            columns.add(name, result, provenance);
        }
        let has_floors = columns.floors.iter().any(|floor| !floor.is_nan());
        Self {
            commit: set.commit_hash.clone(),
            environment: set.env_name.clone(),
            machine: machine_of(set).to_owned(),
            setup_scope: setup_scope_of(set).unwrap_or_default().to_owned(),
            dirty: set.provenance.as_ref().is_some_and(|known| known.dirty),
            layout: Arc::new(Layout::new(columns.keys)),
            medians: columns.medians,
            floors: if has_floors {
                columns.floors
            } else {
                Vec::new()
            },
        }
    }
}

/// The machine's name in a result file.
pub(super) fn machine_of(set: &ResultSet) -> &str {
    set.params
        .get("machine")
        .and_then(|name| name.as_str())
        .unwrap_or_default()
}

/// How often `setup` ran for a timed benchmark, if the record says so.
pub(super) fn setup_scope_of(set: &ResultSet) -> Option<&str> {
    set.provenance
        .as_ref()?
        .worker
        .get("setup_scope")?
        .as_str()
        .filter(|scope| !scope.is_empty() && *scope != "auto")
}

#[derive(Default)]
struct Columns {
    keys: Vec<SeriesKey>,
    medians: Vec<f64>,
    floors: Vec<f64>,
}

impl Columns {
    fn add(
        &mut self,
        name: &str,
        result: &BenchmarkResult,
        provenance: Option<&BenchmarkProvenance>,
    ) {
        let benchmark = SeriesKey::of(name, result.version.as_deref());
        let disturbed = provenance.is_some_and(|known| is_voiding(&known.flags));
        for (index, value) in result.values.iter().enumerate() {
            self.keys.push(combination_key(benchmark, result, index));
            // Only times have statistics of samples; the bytes of a disturbed run are as good as ever.
            let void = disturbed && matches!(result.stats.get(index), Some(Some(_)));
            let number = value.as_f64().filter(|_| !void);
            self.medians.push(log_of(number));
            let floor = match value {
                Value::Number(_) if !void => log_floor_of(result, provenance, index),
                _ => None,
            };
            self.floors.push(floor.unwrap_or(f64::NAN));
        }
    }
}

/// The logarithm of a positive, finite number; NaN for everything else.
fn log_of(value: Option<f64>) -> f64 {
    match value {
        Some(value) if value > 0.0 && value.is_finite() => value.ln(),
        _ => f64::NAN,
    }
}

/// The key of the combination at `index` (last axis fastest).
pub(super) fn combination_key(
    benchmark: SeriesKey,
    result: &BenchmarkResult,
    index: usize,
) -> SeriesKey {
    if result.params.is_empty() {
        benchmark
    } else {
        benchmark.with_params(result.combination(index))
    }
}
