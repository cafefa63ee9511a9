//! The table of a comparison for people at a terminal: asv's columns, our verdict, and below it
//! everything that the table alone does not say.

use std::collections::HashMap;

use super::grid::{Align, Grid, Tint, plain_line};
use super::order::{Section, Sort, display_name, is_changed, sort};
use super::row::{Absence, Cell, Comparison, Estimator, Row, Side, Verdict};
use super::shorten::shorten;
use super::units;
use super::verdict::{Summary, sentence};

/// Longer parameters are cut in the middle.
const MOST_OF_A_PARAMETER: usize = 60;

/// Longer reasons are cut in the middle.
const MOST_OF_A_REASON: usize = 200;

/// More names than this are counted instead of listed.
const MOST_NAMES: usize = 5;

/// More reasons of one verdict than this are counted instead of listed.
const MOST_REASONS: usize = 10;

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
        Cell::Number { value, spread } => units::asv::value(Some(value), unit, *spread),
        Cell::Other(value) => shorten(
            &units::asv::value(Some(value), unit, None),
            MOST_OF_A_PARAMETER,
        ),
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

/// What stands below the table, one block each.
fn notes(comparison: &Comparison, shown: &[&Row]) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(hidden(comparison, shown));
    lines.extend(reasons(&comparison.rows));
    if shown.iter().any(|row| row.estimator == Estimator::Floor) {
        lines.push(
            "Ratios come from the fastest samples of each process where both sides have six \
             processes, so they can differ a little from those of the medians shown."
                .to_owned(),
        );
    }
    if shown.iter().any(|row| row.uncertain) {
        lines.push("~: the ratio passes the factor and is not significant.".to_owned());
    }
    lines.extend(absent(comparison));
    for difference in &comparison.differences {
        lines.push(format!(
            "Differs: {} was {} and is {}.",
            difference.what, difference.base, difference.head
        ));
    }
    for remark in &comparison.remarks {
        lines.push(format!("Note: {remark}"));
    }
    let lines: Vec<String> = lines.iter().map(|line| plain_line(line)).collect();
    if lines.is_empty() {
        Vec::new()
    } else {
        vec![lines.join("\n")]
    }
}

/// How many rows `--only-changed` hides, by verdict.
fn hidden(comparison: &Comparison, shown: &[&Row]) -> Option<String> {
    let count = comparison.rows.len() - shown.len();
    if count == 0 {
        return None;
    }
    let rows = comparison.rows.iter().filter(|row| !is_changed(row));
    let counts: Vec<String> = Summary::of(rows)
        .counts
        .iter()
        .map(|(verdict, count)| format!("{count} {}", verdict.words()))
        .collect();
    Some(format!("Hidden by --only-changed: {}.", counts.join(", ")))
}

/// Why rows got a verdict that says less than people hope for, the gravest first; equal reasons
/// once, and of many different ones those of the largest changes.
fn reasons(rows: &[Row]) -> Vec<String> {
    let mut verdicts = Verdict::ALL;
    verdicts.sort_by_key(|verdict| std::cmp::Reverse(verdict.severity()));
    verdicts
        .into_iter()
        // What got slower or faster stands in the table, with its ratio.
        .filter(|verdict| !matches!(verdict, Verdict::Slower | Verdict::Faster | Verdict::Same))
        .flat_map(|verdict| reasons_of(verdict, rows))
        .collect()
}

fn reasons_of(verdict: Verdict, rows: &[Row]) -> Vec<String> {
    let mut rows: Vec<&Row> = rows
        .iter()
        .filter(|row| row.verdict == verdict && !raw_reason(row).is_empty())
        .collect();
    let effect = |row: &Row| row.ratio.map_or(0.0, |ratio| ratio.ln().abs());
    rows.sort_by(|a, b| effect(b).total_cmp(&effect(a)));
    // In the order of the first row of each.
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut found: Vec<Vec<&Row>> = Vec::new();
    for row in rows {
        let place = *places.entry(raw_reason(row)).or_insert(found.len());
        match found.get_mut(place) {
            Some(known) => known.push(row),
            None => found.push(vec![row]),
        }
    }
    let mut lines: Vec<String> = found
        .iter()
        .take(MOST_REASONS)
        .map(|rows| reason_line(verdict, rows))
        .collect();
    if found.len() > MOST_REASONS {
        lines.push(format!(
            "{}: {} more reasons are in --format json.",
            capitalised(verdict.words()),
            found.len() - MOST_REASONS
        ));
    }
    lines
}

fn reason_line(verdict: Verdict, rows: &[&Row]) -> String {
    let reason = rows.first().map(|row| reason(row)).unwrap_or_default();
    let why = if reason == verdict.words() {
        String::new()
    } else {
        format!(" ({reason})")
    };
    let mut names: Vec<String> = rows
        .iter()
        .take(MOST_NAMES)
        .map(|row| short_name(row))
        .collect();
    if rows.len() > MOST_NAMES {
        let more = rows.len() - MOST_NAMES;
        let last = names.pop().unwrap_or_default();
        names.push(format!("{last} and {more} more"));
    }
    format!(
        "{}{why}: {}",
        capitalised(verdict.words()),
        names.join(", ")
    )
}

/// The failure's or skip's own reason where there is one, else the verdict's; not too long to read.
pub(super) fn reason(row: &Row) -> String {
    shorten(raw_reason(row), MOST_OF_A_REASON)
}

fn raw_reason(row: &Row) -> &str {
    let own = match &row.head {
        Cell::Failed { reason } | Cell::Skipped { reason } => reason.as_deref(),
        _ => None,
    };
    own.unwrap_or(&row.reason).trim()
}

fn absent(comparison: &Comparison) -> Vec<String> {
    [Absence::NotSelected, Absence::Gone, Absence::NotRun]
        .into_iter()
        .filter_map(|absence| {
            let names: Vec<String> = comparison
                .absent
                .iter()
                .filter(|benchmark| benchmark.absence == absence)
                .map(|benchmark| benchmark.benchmark.clone())
                .collect();
            (!names.is_empty()).then(|| {
                format!(
                    "With a result before alone, {}: {}.",
                    absence.words(),
                    listed(&names)
                )
            })
        })
        .collect()
}

/// `a, b` or `a, b, c, d, e and 12 more`.
fn listed(names: &[String]) -> String {
    let first = names[..names.len().min(MOST_NAMES)].join(", ");
    if names.len() > MOST_NAMES {
        format!("{first} and {} more", names.len() - MOST_NAMES)
    } else {
        first
    }
}

fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests;
