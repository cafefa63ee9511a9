//! Results, indexes and histories for the tests, in a few words.

use indexmap::IndexMap;

use crate::compare::entry::Entry;
use crate::compare::{History, Input, Options, compare};
use crate::config::Limits;
use crate::json::Json;
use crate::report::{Comparison, Row};
use crate::results::{
    BenchmarkIndex, BenchmarkProvenance, BenchmarkRecord, BenchmarkResult, Failure, FailureKind,
    Provenance, ResultSet, SampleStats, Value,
};

/// One side of one unparameterised benchmark.
#[derive(Debug, Clone)]
pub(super) struct Given {
    value: Option<Value>,
    version: Option<&'static str>,
    ci_99: Option<(f64, f64)>,
    repeat: i64,
    samples: Option<Vec<f64>>,
    sizes: Vec<usize>,
    reason: Option<&'static str>,
    flags: Vec<String>,
}

/// A stored number.
pub(super) fn number(value: f64) -> Given {
    given(Some(Value::Number(Json::Float(value))))
}

pub(super) fn integer(value: i64) -> Given {
    given(Some(Value::Number(Json::Int(value))))
}

pub(super) fn failed() -> Given {
    given(Some(Value::Failed))
}

pub(super) fn skipped() -> Given {
    given(Some(Value::Skipped))
}

/// No result at all.
pub(super) fn missing() -> Given {
    given(None)
}

/// A value that is no number.
pub(super) fn other(value: impl Into<Json>) -> Given {
    given(Some(Value::Other(value.into())))
}

/// The median of these samples, with asv's statistics.
pub(super) fn sampled(samples: &[f64]) -> Given {
    let summary = crate::stats::summarise(samples).unwrap();
    Given {
        samples: Some(samples.to_vec()),
        ..number(summary.median).interval(summary.ci_99.0, summary.ci_99.1)
    }
}

fn given(value: Option<Value>) -> Given {
    Given {
        value,
        version: Some("v1"),
        ci_99: None,
        repeat: 10,
        samples: None,
        sizes: Vec::new(),
        reason: None,
        flags: Vec::new(),
    }
}

impl Given {
    pub(super) fn version(self, version: Option<&'static str>) -> Self {
        Self { version, ..self }
    }

    /// Statistics with this 99 % interval.
    pub(super) fn interval(self, low: f64, high: f64) -> Self {
        Self {
            ci_99: Some((low, high)),
            ..self
        }
    }

    pub(super) fn repeat(self, repeat: i64) -> Self {
        Self { repeat, ..self }
    }

    /// The samples came from processes of these sizes.
    pub(super) fn processes(self, sizes: &[usize]) -> Self {
        Self {
            sizes: sizes.to_vec(),
            ..self
        }
    }

    /// With this remark in the record.
    pub(super) fn flagged(self, flag: &str) -> Self {
        Self {
            flags: vec![flag.to_owned()],
            ..self
        }
    }

    pub(super) fn because(self, reason: &'static str) -> Self {
        Self {
            reason: Some(reason),
            ..self
        }
    }

    fn result(&self) -> Option<BenchmarkResult> {
        let stats = self.ci_99.map(|ci_99| SampleStats {
            ci_99,
            q_25: ci_99.0,
            q_75: ci_99.1,
            number: 1,
            repeat: self.repeat,
        });
        Some(BenchmarkResult {
            values: vec![self.value.clone()?],
            version: self.version.map(str::to_owned),
            stats: vec![stats],
            samples: vec![self.samples.clone()],
            ..BenchmarkResult::default()
        })
    }

    fn provenance(&self) -> BenchmarkProvenance {
        BenchmarkProvenance {
            process_sizes: vec![self.sizes.clone()],
            failures: vec![self.reason.map(|message| Failure {
                kind: FailureKind::Exception,
                message: message.to_owned(),
                details: String::new(),
            })],
            flags: self.flags.clone(),
            ..BenchmarkProvenance::default()
        }
    }
}

pub(super) fn limits() -> Limits {
    Limits {
        alert: 1.1,
        minimum_effect: 0.02,
        ..Limits::default()
    }
}

/// A set of results of one machine.
pub(super) fn set(results: &[(&str, &Given)]) -> ResultSet {
    let mut set = empty_set();
    let mut provenance = Provenance::default();
    for (name, given) in results {
        if let Some(result) = given.result() {
            set.results.insert((*name).to_owned(), result);
            provenance
                .benchmarks
                .insert((*name).to_owned(), given.provenance());
        }
    }
    set.provenance = Some(provenance);
    set
}

pub(super) fn empty_set() -> ResultSet {
    ResultSet {
        commit_hash: "0".repeat(40),
        env_name: "env".to_owned(),
        params: [("machine".to_owned(), Json::from("m"))]
            .into_iter()
            .collect(),
        ..ResultSet::default()
    }
}

/// A benchmark whose combinations are those of one axis.
pub(super) fn along(axis: &[&str], values: &[f64]) -> BenchmarkResult {
    BenchmarkResult {
        values: values
            .iter()
            .map(|value| Value::Number(Json::Float(*value)))
            .collect(),
        params: vec![axis.iter().map(|&text| text.to_owned()).collect()],
        version: Some("v1".to_owned()),
        ..BenchmarkResult::default()
    }
}

pub(super) fn index(records: &[(&str, &str, &str)]) -> BenchmarkIndex {
    let benchmarks = records
        .iter()
        .map(|(name, kind, unit)| {
            let record = BenchmarkRecord {
                name: (*name).to_owned(),
                kind: (*kind).to_owned(),
                unit: (*unit).to_owned(),
                ..BenchmarkRecord::default()
            };
            ((*name).to_owned(), record)
        })
        .collect::<IndexMap<_, _>>();
    BenchmarkIndex { benchmarks }
}

/// A history in which these benchmarks (of version `v1`) had these values, oldest first.
pub(super) fn history(series: &[(&str, &[f64])]) -> History {
    let length = series
        .iter()
        .map(|(_, values)| values.len())
        .max()
        .unwrap_or(0);
    let sets = (0..length).map(|at| {
        let mut set = empty_set();
        for (name, values) in series {
            if let Some(result) = values.get(at).and_then(|value| number(*value).result()) {
                set.results.insert((*name).to_owned(), result);
            }
        }
        set
    });
    history_of(sets)
}

pub(super) fn history_of(sets: impl IntoIterator<Item = ResultSet>) -> History {
    History::of(sets.into_iter().map(|set| Entry::of(&set)).collect())
}

/// Everything that one comparison of a benchmark needs, with defaults.
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) index: BenchmarkIndex,
    pub(super) history: History,
    pub(super) limits: Limits,
}

impl Default for Case {
    fn default() -> Self {
        Self {
            name: "bench.time_x",
            index: index(&[("bench.time_x", "time", "seconds")]),
            history: History::default(),
            limits: limits(),
        }
    }
}

impl Case {
    pub(super) fn track(unit: &str) -> Self {
        Self {
            name: "bench.track_x",
            index: index(&[("bench.track_x", "track", unit)]),
            ..Self::default()
        }
    }

    pub(super) fn with_history(values: &[f64]) -> Self {
        Self {
            history: history(&[("bench.time_x", values)]),
            ..Self::default()
        }
    }

    /// The one row of the comparison.
    pub(super) fn row(&self, base: &Given, head: &Given) -> Row {
        self.row_with(base, head, &Options::default())
    }

    pub(super) fn row_with(&self, base: &Given, head: &Given, options: &Options) -> Row {
        let (base, head) = (set(&[(self.name, base)]), set(&[(self.name, head)]));
        let mut rows = self.compare(Some(&base), &head, options).rows;
        assert_eq!(rows.len(), 1, "{rows:?}");
        rows.remove(0)
    }

    pub(super) fn compare(
        &self,
        base: Option<&ResultSet>,
        head: &ResultSet,
        options: &Options,
    ) -> Comparison {
        let input = Input {
            base,
            head,
            base_name: None,
            head_name: None,
            index: &self.index,
            history: &self.history,
            limits: &self.limits,
        };
        compare(&input, options)
    }
}
