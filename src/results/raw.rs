//! A result file whose rows stay text: what is changed about it is its header, and which rows it has.
//!
//! Reading every number of a file only to write it again costs most of the time of going through a
//! history. Files that are in any way unusual are read in full instead.

use indexmap::IndexMap;

use crate::json::{Json, Object, Scanner, to_compact};

use super::columns::{Column, Statistic};
use super::read::{self, VERSION, column_names};
use super::row::MOST_COMBINATIONS;
use super::{BenchmarkResult, ResultSet, write};

/// An empty cell.
const NULL: &str = "null";

/// Cells of a row, as they stand in the file; `null` where there is none.
#[derive(Debug, Clone, Copy)]
pub struct RawNumbers<'r> {
    pub name: &'r str,
    pub params: &'r str,
    pub result: &'r str,
    /// Bounds of the 99 % intervals.
    pub low: &'r str,
    pub high: &'r str,
}

/// A result file of the present version. Its set has the names and versions of the benchmarks, and
/// nothing else of their rows.
#[derive(Debug)]
pub struct RawResults<'t> {
    pub set: ResultSet,
    /// What is wrong with the `lcmbench` key.
    pub remarks: Vec<String>,
    columns: &'t str,
    /// Where in a row the version is.
    version_at: Option<usize>,
    /// The same of result, parameters and both bounds of the interval.
    numbers_at: [Option<usize>; 4],
    durations: Option<&'t str>,
    rows: IndexMap<String, Vec<&'t str>>,
}

impl<'t> RawResults<'t> {
    /// Reads a text; `None` if it is no plain result file of the present version.
    pub fn read(text: &'t str) -> Option<Self> {
        // asv reads no text that begins with a byte order mark.
        text.starts_with('{').then_some(())?;
        let mut scanner = Scanner::new(text);
        let mut rest = Object::new();
        let mut columns = None;
        let mut durations = None;
        let mut rows = None;
        scanner.object(|scanner, key| {
            match key.as_str() {
                "results" => rows = Some(cells(scanner)?),
                "result_columns" => columns = Some(scanner.raw()?),
                "durations" => durations = Some(scanner.raw()?),
                _ => {
                    rest.insert(key, scanner.value()?);
                }
            }
            Some(())
        })?;
        scanner.end()?;
        let rows = rows?;
        let columns = columns?;
        let names = column_names(Scanner::new(columns).value()?)?;
        let position = |column| names.iter().position(|name| Column::named(name) == column);
        (rest.shift_remove("version")? == Json::Int(VERSION)).then_some(())?;
        let reading = read::header(rest).ok()?;
        let mut raw = Self {
            set: reading.set,
            remarks: reading.remarks,
            columns,
            version_at: position(Column::Version),
            numbers_at: [
                Column::Result,
                Column::Params,
                Column::Stats(Statistic::Ci99A),
                Column::Stats(Statistic::Ci99B),
            ]
            .map(position),
            durations,
            rows,
        };
        let params_at = position(Column::Params);
        for (name, cells) in &raw.rows {
            (cells.len() <= names.len()).then_some(())?;
            if let Some(params) = params_at.and_then(|at| cells.get(at)) {
                (combinations(params)? <= MOST_COMBINATIONS).then_some(())?;
            }
            let version = match raw.version_at.and_then(|at| cells.get(at)) {
                Some(cell) => version(cell)?,
                None => None,
            };
            let row = BenchmarkResult {
                version,
                ..BenchmarkResult::default()
            };
            raw.set.results.insert(name.clone(), row);
        }
        Some(raw)
    }

    /// The cells with numbers of each row that the set still has.
    pub fn numbers(&self) -> impl Iterator<Item = RawNumbers<'_>> {
        let rows = self.rows.iter();
        let rows = rows.filter(|(name, _)| self.set.results.contains_key(*name));
        rows.map(|(name, cells)| {
            let [result, params, low, high] = self
                .numbers_at
                .map(|at| at.and_then(|at| cells.get(at)).copied().unwrap_or(NULL));
            RawNumbers {
                name,
                params,
                result,
                low,
                high,
            }
        })
    }

    /// The text of the file with what the set says now. Of the rows only those are left that the set
    /// has, in their old order, with the set's versions.
    pub fn to_text(&self) -> String {
        let set = &self.set;
        let mut text = String::with_capacity(64 * 1024);
        text.push('{');
        for (key, value) in write::header(set) {
            member(&mut text, &key, &to_compact(&value));
        }
        member(&mut text, "result_columns", self.columns);
        member(&mut text, "results", "");
        text.push('{');
        let mut first = true;
        for (name, cells) in &self.rows {
            let Some(row) = set.results.get(name) else {
                continue;
            };
            if !first {
                text.push_str(", ");
            }
            first = false;
            text.push_str(&to_compact(&name.as_str().into()));
            text.push_str(": [");
            self.row(cells, row.version.as_deref(), &mut text);
            text.push(']');
        }
        text.push('}');
        member(&mut text, "durations", self.durations.unwrap_or("{}"));
        for (key, value) in &set.extra {
            member(&mut text, key, &to_compact(value));
        }
        if let Some(provenance) = &set.provenance {
            member(&mut text, "lcmbench", &to_compact(&provenance.to_json()));
        }
        member(&mut text, "version", &to_compact(&VERSION.into()));
        text.push('}');
        text
    }

    /// The cells of a row; nulls at its end are left out.
    fn row(&self, cells: &[&str], version: Option<&str>, text: &mut String) {
        let version = version.map_or_else(|| "null".to_owned(), |text| to_compact(&text.into()));
        let cell = |at: usize| match self.version_at {
            Some(place) if place == at => version.as_str(),
            _ => cells[at],
        };
        let length = (0..cells.len()).rev().find(|at| cell(*at) != "null");
        for at in 0..length.map_or(0, |last| last + 1) {
            if at > 0 {
                text.push_str(", ");
            }
            text.push_str(cell(at));
        }
    }
}

fn member(text: &mut String, key: &str, value: &str) {
    if text.len() > 1 {
        text.push_str(", ");
    }
    text.push_str(&to_compact(&key.into()));
    text.push_str(": ");
    text.push_str(value);
}

/// The cells of all rows.
fn cells<'t>(scanner: &mut Scanner<'t>) -> Option<IndexMap<String, Vec<&'t str>>> {
    let mut rows = IndexMap::new();
    scanner.object(|scanner, name| {
        let mut cells = Vec::with_capacity(12);
        scanner.array(|scanner| {
            cells.push(scanner.raw()?);
            Some(())
        })?;
        // A name that is there twice is for the other reader.
        rows.insert(name, cells).is_none().then_some(())
    })?;
    Some(rows)
}

/// The text of a version; the inner `None` is that of an unknown one.
#[expect(
    clippy::option_option,
    reason = "no version, and a version that is no text"
)]
fn version(cell: &str) -> Option<Option<String>> {
    match Scanner::new(cell).value()? {
        Json::Null => Some(None),
        Json::String(text) => Some(Some(text)),
        _ => None,
    }
}

/// The number of combinations of these axes.
fn combinations(params: &str) -> Option<usize> {
    if params == "null" {
        return Some(1);
    }
    let mut product = 1_usize;
    Scanner::new(params).array(|scanner| {
        let mut values = 0_usize;
        scanner.array(|scanner| {
            values += 1;
            scanner.skip()
        })?;
        product = product.saturating_mul(values);
        Some(())
    })?;
    Some(product)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::Detail;

    /// As asv writes it.
    const TEXT: &str = r#"{"commit_hash": "0123456789012345678901234567890123456789", "env_name": "e", "date": 5, "params": {"machine": "vm"}, "python": "3.12", "requirements": {}, "env_vars": {}, "result_columns": ["result", "params", "version", "started_at", "duration", "stats_ci_99_a", "stats_ci_99_b", "stats_q_25", "stats_q_75", "stats_number", "stats_repeat", "samples", "profile"], "results": {"b.time_a": [[0.10, NaN], [["1", "2"]], "v", 5, 1.5, [-Infinity, null], [Infinity, null], [0.1, null], [0.1, null], [10, null], [2, null]], "b.x": [null, [], "v"], "b.\u00e9": [[1]]}, "durations": {"<build>": 1.25}, "extra": [1], "version": 2}"#;

    #[test]
    fn an_unchanged_file_is_written_as_it_was() {
        let raw = RawResults::read(TEXT).unwrap();
        assert_eq!(raw.to_text(), TEXT);
        assert_eq!(raw.set.results["b.time_a"].version.as_deref(), Some("v"));
        assert_eq!(raw.set.results["b.\u{e9}"].version, None);
        let full = read::read_results(TEXT, Detail::Header).unwrap();
        assert_eq!(raw.set.params, full.set.params);
    }

    #[test]
    fn what_the_set_says_is_what_the_whole_reader_would_write() {
        let mut raw = RawResults::read(TEXT).unwrap();
        let mut full = read::read_results(TEXT, Detail::Full).unwrap().set;
        for set in [&mut raw.set, &mut full] {
            set.results.shift_remove("b.\u{e9}");
            set.params.insert("ram".to_owned(), "1GB".into());
            for row in set.results.values_mut() {
                row.version = None;
            }
        }
        assert_eq!(raw.to_text(), full.to_text().replace("[[0.1,", "[[0.10,"));
    }

    #[test]
    fn unusual_files_are_left_to_the_whole_reader() {
        let axis = format!("[{}]", vec!["\"1\""; 1001].join(", "));
        let many = format!("[{axis}, {axis}]");
        for odd in [
            format!("\u{FEFF}{TEXT}"),
            TEXT.replace("\"version\": 2", "\"version\": 1"),
            TEXT.replace(", \"version\": 2", ""),
            TEXT.replace("\"durations\"", "\"results\": 5, \"durations\""),
            TEXT.replace("\"v\", 5", "7, 5"),
            TEXT.replace("[[\"1\", \"2\"]]", &many),
            TEXT.replace("\"b.x\": [null, [], \"v\"]", "\"b.x\": 5"),
            TEXT.replace("\"b.x\"", "\"b.time_a\""),
            TEXT.replace("\"result_columns\"", "\"columns\""),
            TEXT.replace('"', "'"),
        ] {
            assert!(RawResults::read(&odd).is_none(), "{odd}");
        }
    }
}
