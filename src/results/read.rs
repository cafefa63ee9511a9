//! The tolerant reader of result files of every version.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::json::{self, Json, Object, Tree};

use super::columns::Column;
use super::row::{self, RowReader};
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
    /// What is wrong with the `lcmbench` key.
    pub(super) remarks: Vec<String>,
}

/// Reads the text of a result file of any version.
pub(super) fn read_results(text: &str, detail: Detail) -> Result<Reading, NotAResult> {
    if text.trim().is_empty() {
        return Err(NotAResult::unreadable("is empty"));
    }
    let parts = json::read_with(text, |reader| DocumentSeed { detail }.deserialize(reader))
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
        reading.set.results = self.results.into_rows()?;
        Ok(reading)
    }
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

    fn into_rows(self) -> Result<IndexMap<String, BenchmarkResult>, NotAResult> {
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
                members
                    .into_iter()
                    .map(|(name, json)| {
                        let result = row::from_json(&columns, &json).ok_or_else(|| {
                            NotAResult::unreadable(format!("has no list of columns for `{name}`"))
                        })?;
                        Ok((name, result))
                    })
                    .collect()
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

/// Reads the top level; `None` if it is no object.
struct DocumentSeed {
    detail: Detail,
}

impl<'de> DeserializeSeed<'de> for DocumentSeed {
    type Value = Option<Parts>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<Parts>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for DocumentSeed {
    type Value = Option<Parts>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Option<Parts>, A::Error> {
        let mut parts = Parts::default();
        let mut columns: Option<Vec<String>> = None;
        while let Some(key) = members.next_key::<String>()? {
            match json::plain_text(&key) {
                "results" => {
                    parts.results = match (&columns, self.detail) {
                        (_, Detail::Header) => {
                            members.next_value::<IgnoredAny>()?;
                            Results::Skipped
                        }
                        (Some(columns), detail) => {
                            Results::Typed(members.next_value_seed(RowsSeed { columns, detail })?)
                        }
                        (None, _) => {
                            Results::Whole(members.next_value_seed(Tree::prepared())?, None)
                        }
                    };
                }
                "result_columns" => {
                    let list = members.next_value_seed(Tree::prepared())?;
                    columns = column_names(list);
                }
                key => {
                    let value = members.next_value_seed(Tree::prepared())?;
                    parts.rest.insert(key.to_owned(), value);
                }
            }
        }
        if let Results::Whole(_, late) = &mut parts.results {
            *late = columns;
        }
        Ok(Some(parts))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Option<Parts>, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Option<Parts>, E> {
        Ok(None)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Option<Parts>, E> {
        Ok(None)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Option<Parts>, E> {
        Ok(None)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Option<Parts>, E> {
        Ok(None)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Option<Parts>, E> {
        Ok(None)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Option<Parts>, E> {
        Ok(None)
    }
}

/// The names in the list `result_columns`.
pub(super) fn column_names(list: Json) -> Option<Vec<String>> {
    match list {
        Json::Array(names) => Some(names.into_iter().map(row::text).collect()),
        _ => None,
    }
}

/// Reads the object `results`, a row at a time.
struct RowsSeed<'c> {
    columns: &'c [String],
    detail: Detail,
}

impl<'de> DeserializeSeed<'de> for RowsSeed<'_> {
    type Value = IndexMap<String, BenchmarkResult>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RowsSeed<'_> {
    type Value = IndexMap<String, BenchmarkResult>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("results by benchmark")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let wanted: Vec<(Column, bool, &str)> = self
            .columns
            .iter()
            .map(|name| {
                let column = Column::named(name);
                (column, self.detail.wants(column), name.as_str())
            })
            .collect();
        let mut rows = IndexMap::new();
        while let Some(key) = members.next_key::<String>()? {
            let result = members.next_value_seed(RowSeed { wanted: &wanted })?;
            rows.insert(json::plain_text(&key).to_owned(), result);
        }
        Ok(rows)
    }
}

/// Reads one row.
struct RowSeed<'c> {
    /// Column, whether it is wanted, and its name.
    wanted: &'c [(Column, bool, &'c str)],
}

impl<'de> DeserializeSeed<'de> for RowSeed<'_> {
    type Value = BenchmarkResult;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for RowSeed<'_> {
    type Value = BenchmarkResult;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a list of columns")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut cells: A) -> Result<BenchmarkResult, A::Error> {
        let mut row = RowReader::default();
        for &(column, is_wanted, name) in self.wanted {
            let cell = if is_wanted {
                cells.next_element_seed(Tree::prepared())?
            } else {
                cells.next_element::<IgnoredAny>()?.map(|_| Json::Null)
            };
            match cell {
                Some(cell) => row.take(column, name, cell),
                None => return Ok(row.finish()),
            }
        }
        while cells.next_element::<IgnoredAny>()?.is_some() {}
        Ok(row.finish())
    }
}

#[cfg(test)]
mod tests;
