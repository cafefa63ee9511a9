//! One benchmark, typed: what asv's record says and what discovery found beside it.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::json::{Json, Object};
use crate::results::BenchmarkRecord;
use crate::worker::{Discovered, Discovery};

/// A benchmark of the suite.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Benchmark {
    pub record: BenchmarkRecord,
    pub kind: Kind,
    /// Number of processes that measure one combination; 1 for everything but timings.
    pub rounds: usize,
    /// The benchmark's own time-out in seconds; `None` for the configured default.
    pub timeout: Option<f64>,
    /// Benchmarks with the same key share the result of one `setup_cache`.
    pub setup_cache_key: Option<String>,
    /// Time-out of that `setup_cache`, in seconds.
    pub setup_cache_timeout: Option<f64>,
    /// Dotted module below the suite; empty for the package itself.
    pub module: String,
    pub class: Option<String>,
    pub file: PathBuf,
    /// 1-based line of the function in `file`.
    pub line: u64,
    /// Combinations that the suite skips.
    pub skipped: BTreeSet<usize>,
}

/// The kinds of benchmark that are run differently.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Kind {
    /// `time_`, `timeraw_`: samples.
    Time,
    /// `mem_`: size of a returned object.
    Memory,
    /// `peakmem_`: peak of the process, which therefore must be its own.
    PeakMemory,
    /// `track_` and everything else: a returned value.
    #[default]
    Track,
}

impl Kind {
    /// Reads the `type` of asv's record. A `track_` benchmark may name any type, so an unknown one
    /// is a track.
    fn of(kind: &str) -> Self {
        match kind {
            "time" => Self::Time,
            "memory" => Self::Memory,
            "peakmemory" => Self::PeakMemory,
            _ => Self::Track,
        }
    }
}

impl Benchmark {
    /// The full name, `module.Class.function`.
    pub fn name(&self) -> &str {
        &self.record.name
    }

    /// Number of parameter combinations: one if unparameterised, zero if an axis is empty.
    pub fn combinations(&self) -> usize {
        self.record.combinations()
    }

    /// Whether it has parameters.
    pub fn parameterised(&self) -> bool {
        !self.record.params.is_empty()
    }

    /// Whether it needs a process that imported nothing but its own module.
    pub fn isolated(&self) -> bool {
        self.kind == Kind::PeakMemory
    }

    /// The typed view of what discovery reported.
    pub fn of_discovered(discovered: &Discovered) -> Self {
        let raw = &discovered.record;
        let name = text(raw, "name").unwrap_or_default();
        let record = BenchmarkRecord::from_raw(&name, raw.clone());
        let rounds = raw.get("rounds").and_then(whole).unwrap_or(1).max(1);
        Self {
            kind: Kind::of(&record.kind),
            rounds,
            timeout: number(raw, "timeout"),
            setup_cache_key: text(raw, "setup_cache_key"),
            setup_cache_timeout: number(raw, "setup_cache_timeout"),
            module: discovered.module.clone(),
            class: discovered.class.clone(),
            file: discovered.file.clone(),
            line: discovered.line,
            skipped: discovered.skip_params.iter().copied().collect(),
            record,
        }
    }
}

/// The benchmarks of a discovery, sorted by name as asv runs and stores them. Of several with one
/// name the last one counts, as in asv.
pub fn benchmarks_of(discovery: &Discovery) -> Vec<Benchmark> {
    let by_name: std::collections::BTreeMap<String, Benchmark> = discovery
        .benchmarks
        .iter()
        .map(Benchmark::of_discovered)
        .map(|benchmark| (benchmark.record.name.clone(), benchmark))
        .collect();
    by_name.into_values().collect()
}

fn text(record: &Object, key: &str) -> Option<String> {
    record.get(key).and_then(Json::as_str).map(str::to_owned)
}

/// A number of seconds; infinity stands for no limit.
fn number(record: &Object, key: &str) -> Option<f64> {
    record
        .get(key)
        .and_then(Json::as_f64)
        .filter(|value| !value.is_nan())
}

/// A number as a count, cut off as Python's `int()` does.
fn whole(value: &Json) -> Option<usize> {
    match value {
        Json::Int(value) => usize::try_from(*value).ok(),
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the value lies between 0 and 10^9"
        )]
        Json::Float(value) if (0.0..1e9).contains(value) => Some(*value as usize),
        Json::Bool(value) => Some(usize::from(*value)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(pairs: &[(&str, Json)]) -> Discovered {
        Discovered {
            record: pairs
                .iter()
                .map(|(key, value)| ((*key).to_owned(), value.clone()))
                .collect(),
            skip_params: vec![2],
            ..Discovered::default()
        }
    }

    #[test]
    fn reads_what_the_schedule_needs() {
        let axis: Json = vec!["1", "2"].into();
        let benchmark = Benchmark::of_discovered(&record(&[
            ("name", "m.C.time_x".into()),
            ("type", "time".into()),
            ("unit", "seconds".into()),
            ("params", Json::Array(vec![axis.clone(), axis])),
            ("param_names", vec!["n", "k"].into()),
            ("rounds", 3.into()),
            ("timeout", 1.5.into()),
            ("setup_cache_key", "m:12".into()),
        ]));
        assert_eq!(benchmark.name(), "m.C.time_x");
        assert_eq!(benchmark.combinations(), 4);
        assert_eq!(benchmark.record.display_name(2), "m.C.time_x(2, 1)");
        assert_eq!(benchmark.rounds, 3);
        assert_eq!(benchmark.timeout, Some(1.5));
        assert_eq!(benchmark.setup_cache_key.as_deref(), Some("m:12"));
        assert!(benchmark.skipped.contains(&2));
        assert!(!benchmark.isolated());
    }

    #[test]
    fn a_track_may_name_any_type_and_has_one_round() {
        let benchmark = Benchmark::of_discovered(&record(&[
            ("name", "m.track_x".into()),
            ("type", "speed".into()),
        ]));
        assert_eq!(benchmark.kind, Kind::Track);
        assert_eq!(benchmark.rounds, 1);
        assert_eq!(benchmark.combinations(), 1);
    }

    #[test]
    fn sorts_by_name_and_keeps_the_last_of_a_name() {
        let named =
            |name: &str, unit: &str| record(&[("name", name.into()), ("unit", unit.into())]);
        let discovery = Discovery {
            benchmarks: vec![named("b", "x"), named("a", "x"), named("b", "y")],
            ..Discovery::default()
        };
        let found = benchmarks_of(&discovery);
        let names: Vec<&str> = found.iter().map(Benchmark::name).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(found[1].record.unit, "y");
    }
}
