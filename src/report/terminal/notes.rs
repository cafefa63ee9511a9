//! What stands below the table: reasons, what is hidden, what has no row, remarks.

use std::collections::HashMap;

use super::short_name;
use crate::report::accepted::RowKey;
use crate::report::grid::plain_line;
use crate::report::order::is_changed;
use crate::report::row::{Absence, Cell, Comparison, Estimator, Row, Verdict};
use crate::report::shorten::shorten;
use crate::report::units::percent;
use crate::report::verdict::Summary;
use crate::report::words::capitalised;

/// Longer reasons are cut in the middle.
const MOST_OF_A_REASON: usize = 200;

/// More names than this are counted instead of listed.
const MOST_NAMES: usize = 5;

/// More reasons of one verdict than this are counted instead of listed.
const MOST_REASONS: usize = 10;

/// What stands below the table, one block each.
pub(super) fn notes(comparison: &Comparison, shown: &[&Row]) -> Vec<String> {
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
    lines.extend(accepted(comparison));
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

/// Declared regressions: what each accepts, and why others have no effect.
fn accepted(comparison: &Comparison) -> Vec<String> {
    let mut lines = Vec::new();
    for acceptance in &comparison.accepted {
        let rows = comparison.rows.iter().filter(|row| acceptance.accepts(row));
        let names: Vec<String> = rows.map(short_name).collect();
        if !names.is_empty() {
            lines.push(format!(
                "Accepted up to {} until {} ({}): {}.",
                percent(acceptance.up_to),
                acceptance.expires,
                shorten(&acceptance.reason, MOST_OF_A_REASON),
                listed(&names)
            ));
        }
        let name = |key: &RowKey| {
            let row = comparison.rows.iter().find(|row| RowKey::of(row) == *key);
            row.map_or_else(|| key.benchmark.clone(), short_name)
        };
        if let Some(complaint) = acceptance.complaint(name) {
            lines.push(format!(
                "Declared as accepted, without effect: {} ({complaint}).",
                acceptance.declared()
            ));
        }
    }
    lines
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
pub(in crate::report) fn reason(row: &Row) -> String {
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
