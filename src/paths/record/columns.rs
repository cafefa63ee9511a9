//! The benchmarks that each mode is kept as.

use crate::json::Json;
use crate::paths::counts::Counts;
use crate::paths::fit::{FitRun, FitTimes};
use crate::paths::per_call::{PathTimes, PerCall};
use crate::paths::planning::PlanTime;
use crate::paths::report::{Problem, Section};
use crate::paths::variability::Variability;
use crate::results::{Failure, FailureKind, SampleStats, Value};
use crate::run::summarise;

use super::word;

/// One benchmark to be.
pub(super) struct Column {
    pub(super) name: String,
    /// asv's type: `time` or `track`.
    pub(super) kind: &'static str,
    pub(super) unit: &'static str,
    /// Name of the one parameter, if there is one.
    pub(super) parameter: Option<&'static str>,
    pub(super) cells: Vec<Cell>,
}

/// One value of a benchmark.
pub(super) struct Cell {
    pub(super) label: String,
    pub(super) value: Value,
    pub(super) stats: Option<SampleStats>,
    pub(super) failure: Option<Failure>,
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

/// What a section is kept as.
pub(super) fn columns(section: &Section) -> Vec<Column> {
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
