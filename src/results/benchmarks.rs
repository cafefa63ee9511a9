//! `benchmarks.json`: the suite's benchmarks by name.

mod file;

use indexmap::IndexMap;

use crate::json::Object;

use super::combinations;

/// All benchmarks of a suite, by name (sorted on disk).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BenchmarkIndex {
    pub benchmarks: IndexMap<String, BenchmarkRecord>,
}

/// One benchmark as discovery exported it: a typed view of the record that asv writes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BenchmarkRecord {
    pub name: String,
    /// `time`, `memory`, `peakmemory`, `track` or a suite's own word.
    pub kind: String,
    pub unit: String,
    /// Axes of parameter strings; empty when unparameterised.
    pub params: Vec<Vec<String>>,
    pub param_names: Vec<String>,
    /// `None` in old files.
    pub version: Option<String>,
    pub pretty_name: Option<String>,
    /// The whole record, for writing it back.
    pub raw: Object,
}

impl BenchmarkRecord {
    /// Number of parameter combinations: one if unparameterised, zero if an axis is empty.
    pub fn combinations(&self) -> usize {
        combinations::count(&self.params)
    }

    /// The parameter strings of combination `index`, last axis fastest.
    pub fn combination(&self, index: usize) -> Vec<&str> {
        combinations::at(&self.params, index)
    }

    /// `name`, or `name(p1, p2)` for a parameterised benchmark.
    pub fn display_name(&self, index: usize) -> String {
        if self.params.is_empty() {
            self.name.clone()
        } else {
            format!("{}({})", self.name, self.combination(index).join(", "))
        }
    }
}
