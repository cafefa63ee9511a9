//! What a report leaves in the history: one benchmark for each thing that was measured, as asv's files
//! hold them. Times and differences are kept; speed-ups follow from them.

use crate::json::{Json, Object};
use crate::results::{
    Addition, BenchmarkIndex, BenchmarkProvenance, BenchmarkRecord, BenchmarkResult, Failure,
    FailureKind, ResultSet, SampleStats, Value,
};
use crate::run::summarise;

use super::counts::Counts;
use super::fit::{FitRun, FitTimes};
use super::per_call::{PathTimes, PerCall};
use super::planning::PlanTime;
use super::report::{ExampleReport, Problem, Report, Section};
use super::variability::Variability;

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

/// One benchmark to be.
struct Column {
    name: String,
    /// asv's type: `time` or `track`.
    kind: &'static str,
    unit: &'static str,
    /// Name of the one parameter, if there is one.
    parameter: Option<&'static str>,
    cells: Vec<Cell>,
}

/// One value of a benchmark.
struct Cell {
    label: String,
    value: Value,
    stats: Option<SampleStats>,
    failure: Option<Failure>,
}

impl Cell {
    fn number(label: &str, value: impl Into<Json>) -> Self {
        Self {
            label: label.to_owned(),
            value: Value::Number(value.into()),
            stats: None,
            failure: None,
        }
    }

    /// The median of samples, with asv's statistics of them.
    fn samples(label: &str, samples: &[f64], calls: u32) -> Option<Self> {
        let (median, stats) = summarise(samples, i64::from(calls))?;
        Some(Self {
            stats: Some(stats),
            ..Self::number(label, median)
        })
    }

    fn without_value(label: &str, problem: &Problem) -> Self {
        let (value, kind, message, details) = match problem {
            Problem::Skipped { reason } => {
                (Value::Skipped, FailureKind::Skipped, reason, String::new())
            }
            Problem::Failed { reason, details } => (
                Value::Failed,
                FailureKind::Exception,
                reason,
                details.clone(),
            ),
        };
        Self {
            label: label.to_owned(),
            value,
            stats: None,
            failure: Some(Failure {
                kind,
                message: message.clone(),
                details,
            }),
        }
    }
}

fn columns(section: &Section) -> Vec<Column> {
    let columns = match section {
        Section::PerCall(result) => per_call(result),
        Section::Fit(result) => fits(result),
        Section::Counts(result) => counts(result),
        Section::PlanTime(result) => planning(result),
        Section::Variability(result) => variability(result),
        // A profile is for the eye.
        Section::Profile(_) => Vec::new(),
    };
    columns
        .into_iter()
        .filter(|column| !column.cells.is_empty())
        .collect()
}

fn per_call(result: &PerCall) -> Vec<Column> {
    let calls = result.calls / u32::try_from(result.rounds.max(1)).unwrap_or(1);
    let of_paths = |of: &dyn Fn(&PathTimes) -> Option<Cell>| -> Vec<Cell> {
        let cell = |path: &PathTimes| match &path.problem {
            Some(problem) => Some(Cell::without_value(&path.label, problem)),
            None => of(path),
        };
        result.paths.iter().filter_map(cell).collect()
    };
    let difference = |path: &PathTimes| {
        let from = path
            .differences
            .iter()
            .find(|from| from.from == result.reference)?;
        Some(Cell::number(&path.label, from.largest))
    };
    let compiling = result.paths.iter().filter(|path| path.compiles);
    let once = compiling.filter_map(|path| match &path.problem {
        Some(problem) => Some(Cell::without_value(&path.label, problem)),
        None => path
            .once()
            .map(|seconds| Cell::number(&path.label, seconds)),
    });
    vec![
        Column {
            name: "time_per_call".to_owned(),
            kind: "time",
            unit: "seconds",
            parameter: Some("path"),
            cells: of_paths(&|path| Cell::samples(&path.label, &path.samples, calls)),
        },
        Column {
            name: "track_largest_difference".to_owned(),
            kind: "track",
            unit: "unit",
            parameter: Some("path"),
            cells: of_paths(&difference),
        },
        Column {
            name: "track_compile_time".to_owned(),
            kind: "track",
            unit: "seconds",
            parameter: Some("path"),
            cells: once.collect(),
        },
    ]
}

fn fits(result: &FitTimes) -> Vec<Column> {
    let cells = result.paths.iter().filter_map(|path| {
        if let Some(problem) = &path.problem {
            return Some(Cell::without_value(&path.label, problem));
        }
        let seconds: Vec<f64> = path.runs.iter().map(FitRun::seconds).collect();
        Cell::samples(&path.label, &seconds, 1)
    });
    vec![Column {
        name: "time_fit".to_owned(),
        kind: "time",
        unit: "seconds",
        parameter: Some("path"),
        cells: cells.collect(),
    }]
}

fn counts(result: &Counts) -> Vec<Column> {
    let counters = result.counters.iter().enumerate();
    counters
        .map(|(place, counter)| Column {
            name: format!("track_{}", word(counter)),
            kind: "track",
            unit: "calls",
            parameter: Some("stage"),
            cells: result
                .stages
                .iter()
                .filter_map(|stage| Some(Cell::number(&stage.label, *stage.calls.get(place)?)))
                .collect(),
        })
        .collect()
}

fn planning(result: &PlanTime) -> Vec<Column> {
    let whole = result.whole.iter();
    let cells = whole.flat_map(|whole| {
        let parts = result.parts.iter().zip(&whole.parts);
        parts.map(|(label, part)| Cell::number(label, part.seconds))
    });
    vec![Column {
        name: "track_planning_time".to_owned(),
        kind: "track",
        unit: "seconds",
        parameter: Some("part"),
        cells: cells.collect(),
    }]
}

fn variability(result: &Variability) -> Vec<Column> {
    if result.parameters.is_empty() {
        return Vec::new();
    }
    let sensitive = result
        .parameters
        .iter()
        .filter(|spread| spread.start_sensitive);
    let count = i64::try_from(sensitive.count()).unwrap_or(i64::MAX);
    vec![Column {
        name: "track_start_sensitive_parameters".to_owned(),
        kind: "track",
        unit: "count",
        parameter: None,
        cells: vec![Cell::number("", count)],
    }]
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
