//! The table of a comparison for people at a terminal: asv's columns, our verdict, and below it
//! everything that the table alone does not say.

mod notes;

use crate::json::Json;

use super::grid::{Align, Grid, Tint, plain_line};
use super::order::{Section, Sort, display_name, is_changed, sort};
use super::row::{Cell, Comparison, Row, Side};
use super::shorten::shorten;
use super::units;
use super::verdict::sentence;
use notes::notes;

pub(super) use notes::reason;

/// Longer parameters are cut in the middle.
const MOST_OF_A_PARAMETER: usize = 60;

/// What the user asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct TableOptions {
    pub sort: Sort,
    pub only_changed: bool,
    pub split: bool,
    /// Tint lines; the mark and the verdict say the same in words.
    pub color: bool,
}

/// The whole output of `compare`.
pub fn table(comparison: &Comparison, options: TableOptions) -> String {
    let mut blocks = Vec::new();
    let shown: Vec<&Row> = comparison
        .rows
        .iter()
        .filter(|row| !options.only_changed || is_changed(row))
        .collect();
    if options.split {
        for section in Section::ALL {
            let rows: Vec<&Row> = shown
                .iter()
                .copied()
                .filter(|row| Section::of(row) == section)
                .collect();
            if !rows.is_empty() {
                blocks.push(section.title().to_owned());
                blocks.push(grid(comparison, rows, options));
            }
        }
    } else if !shown.is_empty() {
        if !options.only_changed {
            blocks.push("All benchmarks:".to_owned());
        }
        blocks.push(grid(comparison, shown.clone(), options));
    }
    blocks.push(plain_line(&sentence(comparison, short_name)));
    blocks.extend(notes(comparison, &shown));
    blocks.join("\n\n")
}

fn grid(comparison: &Comparison, mut rows: Vec<&Row>, options: TableOptions) -> String {
    sort(&mut rows, options.sort);
    let base = comparison
        .base
        .as_ref()
        .map_or_else(|| "Before".to_owned(), |side| heading("Before", side));
    let mut grid = Grid::new([
        ("Change", Align::Left),
        (&base, Align::Left),
        (&heading("After", &comparison.head), Align::Left),
        ("Ratio", Align::Right),
        ("Verdict", Align::Left),
        ("Benchmark (Parameter)", Align::Left),
    ]);
    for row in rows {
        let cells = [
            row.mark.sign().to_owned(),
            cell(&row.base, &row.unit),
            cell(&row.head, &row.unit),
            ratio(row),
            verdict(row),
            short_name(row),
        ];
        grid.push(cells, tint(row));
    }
    grid.render(options.color)
}

fn heading(word: &str, side: &Side) -> String {
    let hash: String = side.commit.chars().take(8).collect();
    match &side.name {
        Some(name) => format!("{word} [{hash}] <{name}>"),
        None => format!("{word} [{hash}]"),
    }
}

fn cell(cell: &Cell, unit: &str) -> String {
    match cell {
        Cell::Other(value)
        | Cell::Number {
            value: value @ Json::BigInt(_),
            ..
        } => shorten(
            &units::asv::value(Some(value), unit, None),
            MOST_OF_A_PARAMETER,
        ),
        Cell::Number { value, spread } => units::asv::value(Some(value), unit, *spread),
        Cell::Failed { .. } => "failed".to_owned(),
        Cell::Skipped { .. } => "skipped".to_owned(),
        Cell::Missing => "n/a".to_owned(),
    }
}

fn ratio(row: &Row) -> String {
    let shown = units::ratio(row.ratio);
    if row.uncertain {
        format!("~{shown}")
    } else {
        shown
    }
}

/// The verdict, with an exclamation mark where the ratio is beyond its limit.
fn verdict(row: &Row) -> String {
    match row.alert {
        Some(alert) => format!(
            "{} (alert: {})",
            row.verdict.words(),
            units::ratio(Some(alert.limit))
        ),
        None => row.verdict.words().to_owned(),
    }
}

fn tint(row: &Row) -> Option<Tint> {
    match Section::of(row) {
        Section::Improved => Some(Tint::Good),
        Section::Worse => Some(Tint::Bad),
        Section::NotComparable => Some(Tint::Dim),
        Section::Same | Section::NoVerdict => None,
    }
}

/// The row's name with parameters that are not too long to read.
fn short_name(row: &Row) -> String {
    if row
        .params
        .iter()
        .all(|(_, value)| value.len() <= MOST_OF_A_PARAMETER)
    {
        return display_name(row);
    }
    let params: Vec<String> = row
        .params
        .iter()
        .map(|(_, value)| shorten(value, MOST_OF_A_PARAMETER))
        .collect();
    format!("{}({})", row.benchmark, params.join(", "))
}

#[cfg(test)]
mod tests;
