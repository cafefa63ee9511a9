//! Reads a document of results as it streams by: what is not wanted is skipped, and rows become
//! results one at a time.

use std::fmt;

use indexmap::IndexMap;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::json::{self, Json, Tree};
use crate::results::BenchmarkResult;
use crate::results::columns::Column;
use crate::results::row::RowReader;

use super::{Detail, Parts, Results, column_names};

/// Reads the top level; `None` if it is no object.
pub(super) struct Document {
    pub(super) detail: Detail,
}

impl<'de> DeserializeSeed<'de> for Document {
    type Value = Option<Parts>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<Parts>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Document {
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
                            let rows = members.next_value_seed(Rows { columns, detail })?;
                            parts.passed_over = rows.passed_over;
                            Results::Typed(rows.usable)
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

/// Reads the object `results`, a row at a time.
struct Rows<'c> {
    columns: &'c [String],
    detail: Detail,
}

/// Rows that are results, and the names of those that are not.
struct ReadRows {
    usable: IndexMap<String, BenchmarkResult>,
    passed_over: Vec<String>,
}

impl<'de> DeserializeSeed<'de> for Rows<'_> {
    type Value = ReadRows;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Rows<'_> {
    type Value = ReadRows;

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
        let mut rows = ReadRows {
            usable: IndexMap::new(),
            passed_over: Vec::new(),
        };
        while let Some(key) = members.next_key::<String>()? {
            let name = json::plain_text(&key).to_owned();
            match members.next_value_seed(Row { wanted: &wanted })? {
                Some(result) => {
                    rows.usable.insert(name, result);
                }
                None => rows.passed_over.push(name),
            }
        }
        Ok(rows)
    }
}

/// Reads one row; `None` for what is no list, or has more combinations than can be.
struct Row<'c> {
    /// Column, whether it is wanted, and its name.
    wanted: &'c [(Column, bool, &'c str)],
}

impl<'de> DeserializeSeed<'de> for Row<'_> {
    type Value = Option<BenchmarkResult>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Row<'_> {
    type Value = Option<BenchmarkResult>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a list of columns")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut cells: A) -> Result<Self::Value, A::Error> {
        let mut row = RowReader::default();
        for &(column, is_wanted, name) in self.wanted {
            let cell = if is_wanted {
                cells.next_element_seed(Tree::prepared())?
            } else {
                cells.next_element::<IgnoredAny>()?.map(|_| Json::Null)
            };
            match cell {
                Some(cell) => row.take(column, name, cell),
                None => break,
            }
        }
        while cells.next_element::<IgnoredAny>()?.is_some() {}
        Ok(row.finish())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Self::Value, E> {
        Ok(None)
    }
}
