//! One row of a result file and the [`BenchmarkResult`] that it stands for.

use indexmap::IndexMap;

use crate::json::{Json, to_compact};

use super::columns::{Column, Statistic};
use super::combinations;
use super::{BenchmarkResult, SampleStats, Value};

/// More combinations than this are only believed where the row has a value for each: the axes of a
/// broken file must not fill the memory with missing values.
pub(super) const MOST_COMBINATIONS: usize = 1_000_000;

/// The cells of a row as they come; missing ones are null.
#[derive(Debug, Default)]
pub(super) struct RowReader {
    result: Option<Json>,
    params: Option<Json>,
    version: Option<Json>,
    started_at: Option<Json>,
    duration: Option<Json>,
    stats: [Option<Json>; 6],
    samples: Option<Json>,
    profile: Option<Json>,
    extra: IndexMap<String, Json>,
}

impl RowReader {
    /// Takes the cell of a column; the name matters for unknown columns alone.
    pub(super) fn take(&mut self, column: Column, name: &str, cell: Json) {
        if cell.is_null() {
            return;
        }
        let slot = match column {
            Column::Result => &mut self.result,
            Column::Params => &mut self.params,
            Column::Version => &mut self.version,
            Column::StartedAt => &mut self.started_at,
            Column::Duration => &mut self.duration,
            Column::Stats(statistic) => &mut self.stats[statistic as usize],
            Column::Samples => &mut self.samples,
            Column::Profile => &mut self.profile,
            Column::Other => {
                self.extra.insert(name.to_owned(), cell);
                return;
            }
        };
        *slot = Some(cell);
    }

    /// The row's result. Lists that are too short are filled with null, too long ones are cut.
    /// `None` for more combinations than can be.
    pub(super) fn finish(mut self) -> Option<BenchmarkResult> {
        let params = self.params.map(axes).unwrap_or_default();
        let combinations = combinations::count(&params);
        let mut values: Vec<Value> = list(self.result)
            .into_iter()
            .map(|json| json.map_or(Value::Failed, value))
            .collect();
        if combinations > values.len().max(MOST_COMBINATIONS) {
            return None;
        }
        values.resize(combinations, Value::Failed);
        let stats = self.stats.each_mut().map(|cell| list(cell.take()));
        Some(BenchmarkResult {
            values,
            version: self.version.map(text),
            started_at: self.started_at.as_ref().and_then(integer),
            duration: self.duration.as_ref().and_then(Json::as_f64),
            stats: without_none(combinations, |index| statistics(&stats, index)),
            samples: samples(self.samples, combinations),
            profile: self.profile.map(text),
            extra_columns: self.extra,
            params,
        })
    }
}

/// Reads a row that is already a value; `None` if it is no list, or has more combinations than can
/// be.
pub(super) fn from_json(columns: &[String], row: &Json) -> Option<BenchmarkResult> {
    let mut reader = RowReader::default();
    for (name, cell) in columns.iter().zip(row.as_array()?) {
        reader.take(Column::named(name), name, cell.clone());
    }
    reader.finish()
}

/// The row of a result, for a file with these columns. As asv writes it: statistics and duration at
/// five significant digits, everything else in full; a list of nulls is null; trailing nulls are
/// left out.
pub(super) fn to_json(result: &BenchmarkResult, columns: &[String]) -> Json {
    let mut row: Vec<Json> = columns
        .iter()
        .map(|name| cell(result, Column::named(name), name))
        .collect();
    let length = row.iter().rposition(|cell| !cell.is_null());
    row.truncate(length.map_or(0, |last| last + 1));
    Json::Array(row)
}

fn cell(result: &BenchmarkResult, column: Column, name: &str) -> Json {
    match column {
        Column::Result => compressed(&result.values, |value| match value {
            Value::Failed => None,
            Value::Skipped => Some(Json::Float(f64::NAN)),
            Value::Number(json) | Value::Other(json) => Some(json.clone()),
        }),
        Column::Params => result.params.clone().into(),
        Column::Version => optional(result.version.clone()),
        Column::StartedAt => optional(result.started_at),
        Column::Duration => optional(result.duration.map(five_digits)),
        Column::Stats(statistic) => compressed(&result.stats, |stats| {
            stats.as_ref().map(|stats| of_statistic(stats, statistic))
        }),
        Column::Samples => compressed(&result.samples, |samples| samples.clone().map(Json::from)),
        Column::Profile => optional(result.profile.clone()),
        Column::Other => optional(result.extra_columns.get(name).cloned()),
    }
}

fn of_statistic(stats: &SampleStats, statistic: Statistic) -> Json {
    match statistic {
        Statistic::Ci99A => five_digits(stats.ci_99.0).into(),
        Statistic::Ci99B => five_digits(stats.ci_99.1).into(),
        Statistic::Q25 => five_digits(stats.q_25).into(),
        Statistic::Q75 => five_digits(stats.q_75).into(),
        Statistic::Number => stats.number.into(),
        Statistic::Repeat => stats.repeat.into(),
    }
}

fn optional(value: Option<impl Into<Json>>) -> Json {
    value.map_or(Json::Null, Into::into)
}

fn compressed<T>(items: &[T], json: impl Fn(&T) -> Option<Json>) -> Json {
    let cells: Vec<Option<Json>> = items.iter().map(json).collect();
    if cells.iter().all(Option::is_none) {
        return Json::Null;
    }
    Json::Array(
        cells
            .into_iter()
            .map(|cell| cell.unwrap_or(Json::Null))
            .collect(),
    )
}

/// The float of five significant digits nearest to `value`, halves to the even digit.
pub(super) fn five_digits(value: f64) -> f64 {
    if value.is_finite() {
        format!("{value:.4e}").parse().unwrap_or(value)
    } else {
        value
    }
}

/// The value that an entry of the `result` list stands for.
fn value(json: Json) -> Value {
    match json {
        Json::Null => Value::Failed,
        Json::Float(number) if number.is_nan() => Value::Skipped,
        Json::Int(_) | Json::BigInt(_) | Json::Float(_) => Value::Number(json),
        other => Value::Other(other),
    }
}

/// The entries of a cell; a lone value is a list of one.
fn list(cell: Option<Json>) -> Vec<Option<Json>> {
    match cell {
        None => Vec::new(),
        Some(Json::Array(items)) => items
            .into_iter()
            .map(|item| (!item.is_null()).then_some(item))
            .collect(),
        Some(single) => vec![Some(single)],
    }
}

/// Axes of parameter strings; what is no text is written as JSON writes it.
pub fn axes(json: Json) -> Vec<Vec<String>> {
    let Json::Array(axes) = json else {
        return Vec::new();
    };
    axes.into_iter()
        .map(|axis| match axis {
            Json::Array(values) => values.into_iter().map(text).collect(),
            single => vec![text(single)],
        })
        .collect()
}

/// A text, or what JSON writes for anything else.
pub(super) fn text(json: Json) -> String {
    match json {
        Json::String(text) => text,
        other => to_compact(&other),
    }
}

/// An integer, or a float cut to one.
pub(super) fn integer(json: &Json) -> Option<i64> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a time in milliseconds; beyond 64 bits it saturates"
    )]
    match json {
        Json::Float(value) if value.is_finite() => Some(*value as i64),
        other => other.as_i64(),
    }
}

/// One entry per combination, or nothing at all if every entry is `None`.
fn without_none<T>(combinations: usize, entry: impl Fn(usize) -> Option<T>) -> Vec<Option<T>> {
    let entries: Vec<Option<T>> = (0..combinations).map(entry).collect();
    if entries.iter().all(Option::is_none) {
        return Vec::new();
    }
    entries
}

fn statistics(columns: &[Vec<Option<Json>>; 6], index: usize) -> Option<SampleStats> {
    let cell = |statistic: Statistic| columns[statistic as usize].get(index)?.as_ref();
    let float = |statistic| cell(statistic).and_then(Json::as_f64);
    let (low, high) = (float(Statistic::Ci99A), float(Statistic::Ci99B));
    let (q_25, q_75) = (float(Statistic::Q25), float(Statistic::Q75));
    let number = cell(Statistic::Number).and_then(integer);
    let repeat = cell(Statistic::Repeat).and_then(integer);
    let is_known =
        [low, high, q_25, q_75].iter().any(Option::is_some) || number.is_some() || repeat.is_some();
    is_known.then(|| SampleStats {
        ci_99: (
            low.unwrap_or(f64::NEG_INFINITY),
            high.unwrap_or(f64::INFINITY),
        ),
        q_25: q_25.unwrap_or(f64::NAN),
        q_75: q_75.unwrap_or(f64::NAN),
        number: number.unwrap_or(1),
        repeat: repeat.unwrap_or(1),
    })
}

fn samples(cell: Option<Json>, combinations: usize) -> Vec<Option<Vec<f64>>> {
    let mut entries = list(cell);
    let flat = |entry: &Option<Json>| entry.as_ref().is_none_or(|json| json.as_f64().is_some());
    if combinations == 1 && entries.len() > 1 && entries.iter().all(flat) {
        // Old files hold the samples of an unparameterised benchmark without the outer list.
        entries = vec![Some(Json::Array(entries.into_iter().flatten().collect()))];
    }
    without_none(combinations, |index| {
        let entry = entries.get(index)?.as_ref()?.as_array()?;
        Some(entry.iter().filter_map(Json::as_f64).collect())
    })
}

#[cfg(test)]
mod tests;
