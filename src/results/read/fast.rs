//! The fast way through a plain document, as asv and this program write them.

use indexmap::IndexMap;

use crate::json::{Object, Scanner};
use crate::results::BenchmarkResult;
use crate::results::columns::Column;
use crate::results::row::RowReader;

use super::{Detail, Parts, Results, column_names};

/// The pieces of a document; `None` if it is in any way unusual, and is to be read otherwise.
pub(super) fn document(text: &str, detail: Detail) -> Option<Parts> {
    let mut scanner = Scanner::new(text);
    let mut rest = Object::new();
    let mut columns: Option<Vec<String>> = None;
    let mut results = Results::Missing;
    scanner.object(|scanner, key| {
        match key.as_str() {
            "results" if detail == Detail::Header => {
                scanner.skip()?;
                results = Results::Skipped;
            }
            "results" => results = Results::Typed(rows(scanner, columns.as_deref()?, detail)?),
            "result_columns" => columns = Some(column_names(scanner.value()?)?),
            _ => {
                let value = scanner.value()?;
                rest.insert(key, value);
            }
        }
        Some(())
    })?;
    scanner.end()?;
    Some(Parts {
        rest,
        results,
        passed_over: Vec::new(),
    })
}

fn rows(
    scanner: &mut Scanner<'_>,
    columns: &[String],
    detail: Detail,
) -> Option<IndexMap<String, BenchmarkResult>> {
    let wanted: Vec<(Column, bool, &str)> = columns
        .iter()
        .map(|name| {
            let column = Column::named(name);
            (column, detail.wants(column), name.as_str())
        })
        .collect();
    let mut rows = IndexMap::new();
    scanner.object(|scanner, name| {
        let mut row = RowReader::default();
        let mut cells = wanted.iter();
        scanner.array(|scanner| {
            match cells.next() {
                Some(&(column, true, name)) => row.take(column, name, scanner.value()?),
                _ => scanner.skip()?,
            }
            Some(())
        })?;
        rows.insert(name, row.finish()?);
        Some(())
    })?;
    Some(rows)
}
