//! The exact writer: a result set as asv would write it.

use crate::json::{Json, Object, to_compact};

use super::read::VERSION;
use super::{ResultSet, columns, row};

impl ResultSet {
    /// The text of a result file, byte for byte as asv writes these results, plus the `lcmbench`
    /// key before the version.
    pub fn to_text(&self) -> String {
        to_compact(&Json::Object(to_object(self)))
    }
}

/// The document of a result set, keys in asv's order.
pub(super) fn to_object(set: &ResultSet) -> Object {
    let columns = columns_of(set);
    let mut document = header(set);
    document.insert("result_columns".to_owned(), columns.clone().into());
    let rows: Object = set
        .results
        .iter()
        .map(|(name, result)| (name.clone(), row::to_json(result, &columns)))
        .collect();
    document.insert("results".to_owned(), rows.into());
    let durations: Object = set
        .durations
        .iter()
        .map(|(key, seconds)| (key.clone(), (*seconds).into()))
        .collect();
    document.insert("durations".to_owned(), durations.into());
    document.extend(set.extra.clone());
    if let Some(provenance) = &set.provenance {
        document.insert("lcmbench".to_owned(), provenance.to_json());
    }
    document.insert("version".to_owned(), VERSION.into());
    document
}

/// What identifies the measurement, from `commit_hash` to `env_vars`.
pub(super) fn header(set: &ResultSet) -> Object {
    let date = set.date.map_or(Json::Null, Json::Int);
    [
        ("commit_hash", set.commit_hash.clone().into()),
        ("env_name", set.env_name.clone().into()),
        ("date", date),
        ("params", set.params.clone().into()),
        ("python", set.python.clone().into()),
        ("requirements", set.requirements.clone().into()),
        ("env_vars", set.env_vars.clone().into()),
    ]
    .into_iter()
    .map(|(key, json): (&str, Json)| (key.to_owned(), json))
    .collect()
}

/// asv's columns, and after them every unknown one that some result has.
pub(super) fn columns_of(set: &ResultSet) -> Vec<String> {
    let mut columns = columns::standard_names();
    for name in set
        .results
        .values()
        .flat_map(|result| result.extra_columns.keys())
    {
        if !columns.contains(name) {
            columns.push(name.clone());
        }
    }
    columns
}

#[cfg(test)]
mod tests;
