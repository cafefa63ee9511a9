//! What a report leaves in the history: one benchmark for each thing that was measured, as asv's files
//! hold them. Times and differences are kept; speed-ups follow from them.

mod columns;

use crate::json::{Json, Object};
use crate::results::{
    Addition, BenchmarkIndex, BenchmarkProvenance, BenchmarkRecord, BenchmarkResult, ResultSet,
};

use super::report::{ExampleReport, Report};
use columns::{Column, columns};

/// The first part of all names.
const PREFIX: &str = "paths";

/// Stands where asv has the source of a benchmark.
const CODE: &str = "# measured by `lcmbench paths`";

/// Grows when the way of measuring changes: stored results of another one are not compared with.
const REVISION: u32 = 1;

/// Whether a record of `benchmarks.json` is one of this room's, and not of a suite.
pub fn is_of_paths(record: &BenchmarkRecord) -> bool {
    record.raw.get("code").and_then(Json::as_str) == Some(CODE)
}

/// What is saved of a report.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Records {
    pub index: BenchmarkIndex,
    /// The results and what is known about each, without header.
    pub set: ResultSet,
    pub provenance: Vec<(String, BenchmarkProvenance)>,
}

impl Records {
    /// Everything of a report that can be kept. A section that was interrupted is left out.
    pub fn of(report: &Report, started_at: i64) -> Self {
        let mut records = Self::default();
        let last = report.examples.len().saturating_sub(1);
        for (place, example) in report.examples.iter().enumerate() {
            let cut = report.interrupted.is_some() && place == last;
            let complete = example.sections.len().saturating_sub(usize::from(cut));
            for section in &example.sections[..complete] {
                for column in columns(section) {
                    records.add(example, column, started_at);
                }
            }
        }
        records
    }

    /// Whether there is nothing to keep.
    pub fn is_empty(&self) -> bool {
        self.set.results.is_empty()
    }

    /// The results under a header, ready for the store.
    pub fn addition(self, header: ResultSet, aliases: Vec<String>) -> Addition {
        let mut set = header;
        set.results = self.set.results;
        if let Some(provenance) = &mut set.provenance {
            provenance.benchmarks.extend(self.provenance);
        }
        Addition {
            set,
            aliases,
            ..Addition::default()
        }
    }

    fn add(&mut self, example: &ExampleReport, column: Column, started_at: i64) {
        let name = format!("{PREFIX}.{}.{}", word(&example.entry.name), column.name);
        let version = format!("{}-{REVISION}", example.definition);
        let params: Vec<Vec<String>> = match column.parameter {
            Some(_) => vec![column.cells.iter().map(|cell| repr(&cell.label)).collect()],
            None => Vec::new(),
        };
        let record = record(&name, &column, &params, &version);
        self.index
            .benchmarks
            .insert(name.clone(), BenchmarkRecord::from_raw(&name, record));
        let mut result = BenchmarkResult {
            params,
            version: Some(version),
            started_at: Some(started_at),
            ..BenchmarkResult::default()
        };
        let mut failures = Vec::new();
        for cell in column.cells {
            result.values.push(cell.value);
            result.stats.push(cell.stats);
            failures.push(cell.failure);
        }
        if result.stats.iter().all(Option::is_none) {
            result.stats.clear();
        }
        if failures.iter().all(Option::is_none) {
            failures.clear();
        }
        self.provenance.push((
            name.clone(),
            BenchmarkProvenance {
                failures,
                ..BenchmarkProvenance::default()
            },
        ));
        self.set.results.insert(name, result);
    }
}

/// The record of `benchmarks.json`, with the keys that asv's own have.
fn record(name: &str, column: &Column, params: &[Vec<String>], version: &str) -> Object {
    let param_names: Vec<String> = column.parameter.into_iter().map(str::to_owned).collect();
    let params: Vec<Json> = params.iter().map(|axis| axis.clone().into()).collect();
    [
        ("code", CODE.into()),
        ("name", name.into()),
        ("param_names", param_names.into()),
        ("params", Json::Array(params)),
        ("timeout", 60.0.into()),
        ("type", column.kind.into()),
        ("unit", column.unit.into()),
        ("version", version.into()),
    ]
    .into_iter()
    .map(|(key, value)| (key.to_owned(), value))
    .collect()
}

/// A label as a part of a benchmark's name.
fn word(label: &str) -> String {
    label
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '_' })
        .collect()
}

/// A label as Python would print it, which is how asv keeps parameters.
fn repr(label: &str) -> String {
    format!("'{}'", label.replace('\\', "\\\\").replace('\'', "\\'"))
}

#[cfg(test)]
mod tests;
