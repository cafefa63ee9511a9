//! The tolerant reader of result files of every version.

mod fast;
mod seeds;

use serde::de::DeserializeSeed;

use crate::json::{self, Json, Object};

use super::columns::Column;
use super::row;
use super::{BenchmarkResult, ProblemKind, Provenance, ResultSet, environment_name, read_v1};

use indexmap::IndexMap;

/// The version of asv's result files that this writes.
pub(super) const VERSION: i64 = 2;

/// How much of a result file is wanted; the rest is skipped, which is faster and smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// Everything but the results of the benchmarks.
    Header,
    /// Without samples and profiles.
    Values,
    /// Without profiles.
    Samples,
    /// Everything.
    Full,
}

impl Detail {
    fn wants(self, column: Column) -> bool {
        match column {
            Column::Samples => self >= Self::Samples,
            Column::Profile => self >= Self::Full,
            _ => self >= Self::Values,
        }
    }
}

/// Why a text is no result, as a phrase that goes on after the file's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NotAResult {
    pub(super) kind: ProblemKind,
    pub(super) message: String,
}

impl NotAResult {
    pub(super) fn unreadable(message: impl Into<String>) -> Self {
        Self {
            kind: ProblemKind::Unreadable,
            message: message.into(),
        }
    }
}

/// A result set and what was odd about its text.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub(super) set: ResultSet,
    /// What is wrong with parts of it.
    pub(super) remarks: Vec<String>,
}

/// Reads the text of a result file of any version.
pub(super) fn read_results(text: &str, detail: Detail) -> Result<Reading, NotAResult> {
    if text.trim().is_empty() {
        return Err(NotAResult::unreadable("is empty"));
    }
    if let Some(parts) = fast::document(text, detail) {
        return parts.into_reading();
    }
    let parts = json::read_with(text, |reader| {
        seeds::Document { detail }.deserialize(reader)
    })
    .map_err(|error| NotAResult::unreadable(format!("is no JSON of results ({error})")))?;
    parts.ok_or_else(foreign).and_then(Parts::into_reading)
}

fn foreign() -> NotAResult {
    NotAResult {
        kind: ProblemKind::Foreign,
        message: "is no result (it has no version)".to_owned(),
    }
}

/// A document in the pieces in which it was read.
#[derive(Debug, Default)]
struct Parts {
    /// Every top-level key but `results` and `result_columns`.
    rest: Object,
    results: Results,
    /// Benchmarks whose row is none.
    passed_over: Vec<String>,
}

#[derive(Debug, Default)]
enum Results {
    /// There is no such key.
    #[default]
    Missing,
    /// Not wanted.
    Skipped,
    /// Read row by row.
    Typed(IndexMap<String, BenchmarkResult>),
    /// A value, since the columns were not known yet, with the columns if they came later.
    Whole(Json, Option<Vec<String>>),
}

impl Parts {
    fn into_reading(mut self) -> Result<Reading, NotAResult> {
        match self.rest.shift_remove("version") {
            None => return Err(foreign()),
            Some(Json::Int(1)) => return read_v1::read(self.rest, self.results.into_object()?),
            Some(Json::Int(VERSION)) => {}
            Some(version @ (Json::Int(_) | Json::BigInt(_))) => {
                return Err(NotAResult {
                    kind: ProblemKind::Newer,
                    message: format!(
                        "is of version {} of asv's format; this reads versions 1 and {VERSION}",
                        row::text(version)
                    ),
                });
            }
            Some(_) => return Err(NotAResult::unreadable("has a version that is no number")),
        }
        let mut reading = header(self.rest)?;
        let mut passed_over = self.passed_over;
        reading.set.results = self.results.into_rows(&mut passed_over)?;
        let remarks = passed_over.iter().map(|name| remark(name));
        reading.remarks.extend(remarks);
        Ok(reading)
    }
}

/// What is said of a row that is none.
pub(super) fn remark(name: &str) -> String {
    format!("has no usable row for `{name}`, which is passed over; the other rows count")
}

impl Results {
    fn into_object(self) -> Result<Object, NotAResult> {
        match self {
            Self::Missing | Self::Skipped => Ok(Object::new()),
            Self::Whole(Json::Object(members), _) => Ok(members),
            Self::Whole(..) | Self::Typed(_) => {
                Err(NotAResult::unreadable("has `results` that are no object"))
            }
        }
    }

    /// The names of rows that are none go to `passed_over`.
    fn into_rows(
        self,
        passed_over: &mut Vec<String>,
    ) -> Result<IndexMap<String, BenchmarkResult>, NotAResult> {
        match self {
            Self::Skipped => Ok(IndexMap::new()),
            Self::Typed(rows) => Ok(rows),
            Self::Missing => Err(NotAResult::unreadable("has no `results`")),
            Self::Whole(json, columns) => {
                let members = Self::Whole(json, None).into_object()?;
                if members.is_empty() {
                    return Ok(IndexMap::new());
                }
                let columns = columns
                    .ok_or_else(|| NotAResult::unreadable("has no list `result_columns`"))?;
                let mut rows = IndexMap::new();
                for (name, json) in members {
                    match row::from_json(&columns, &json) {
                        Some(result) => {
                            rows.insert(name, result);
                        }
                        None => passed_over.push(name),
                    }
                }
                Ok(rows)
            }
        }
    }
}

/// Everything of a result set but its results; the rest of the keys is kept as it is.
pub(super) fn header(mut rest: Object) -> Result<Reading, NotAResult> {
    let mut take = |key: &str| rest.shift_remove(key).filter(|json| !json.is_null());
    let Some(Json::String(commit_hash)) = take("commit_hash") else {
        return Err(NotAResult::unreadable("has no `commit_hash`"));
    };
    let python = take("python").map(row::text).unwrap_or_default();
    let requirements = object(take("requirements"));
    let env_vars = object(take("env_vars"));
    let env_name = take("env_name").map_or_else(
        || environment_name("", &python, &requirements, &env_vars),
        row::text,
    );
    let date = take("date").as_ref().and_then(row::integer);
    let params = object(take("params"));
    let durations = object(take("durations"))
        .into_iter()
        .filter_map(|(key, seconds)| Some((key, seconds.as_f64()?)))
        .collect();
    let mut remarks = Vec::new();
    let provenance = take("lcmbench").and_then(|json| Provenance::from_json(json, &mut remarks));
    let set = ResultSet {
        commit_hash,
        env_name,
        date,
        params,
        python,
        requirements,
        env_vars,
        results: IndexMap::new(),
        durations,
        provenance,
        extra: rest,
    };
    Ok(Reading { set, remarks })
}

fn object(json: Option<Json>) -> Object {
    match json {
        Some(Json::Object(members)) => members,
        _ => Object::new(),
    }
}

/// The names in the list `result_columns`.
pub(super) fn column_names(list: Json) -> Option<Vec<String>> {
    match list {
        Json::Array(names) => Some(names.into_iter().map(row::text).collect()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
