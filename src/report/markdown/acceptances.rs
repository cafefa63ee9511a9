//! Declared regressions: those that count, and those that do not.

use crate::report::accepted::{Acceptance, RowKey};
use crate::report::escape;
use crate::report::row::{Comparison, Row};
use crate::report::shorten::shorten;
use crate::report::units::{percent, ratio};

use super::table::Names;

/// Longer reasons and names are cut in the middle.
const MOST_OF_A_TEXT: usize = 200;

/// More than this are counted.
const MOST_LINES: usize = 30;

/// The accepted regressions, each with its limit, day and reason.
pub(super) fn accepted(comparison: &Comparison, names: &Names<'_>) -> Option<String> {
    let lines: Vec<String> = comparison
        .accepted
        .iter()
        .flat_map(|one| {
            comparison
                .rows
                .iter()
                .filter(|row| one.accepts(row))
                .map(|row| line(row, one, names))
        })
        .collect();
    list("Accepted, so no reason to fail:", lines)
}

fn line(row: &Row, acceptance: &Acceptance, names: &Names<'_>) -> String {
    format!(
        "- {} ({}): up to {} worse until {} — {}",
        names.of(row),
        ratio(row.ratio),
        percent(acceptance.up_to),
        acceptance.expires,
        text(&acceptance.reason)
    )
}

/// The declarations that have no effect, or not on all that they are about.
pub(super) fn ignored(comparison: &Comparison, names: &Names<'_>) -> Option<String> {
    let name = |key: &RowKey| {
        let row = comparison.rows.iter().find(|row| RowKey::of(row) == *key);
        row.map_or_else(|| escape::text(&key.benchmark), |row| names.of(row))
    };
    let lines: Vec<String> = comparison
        .accepted
        .iter()
        .filter_map(|one| {
            let complaint = one.complaint(name)?;
            Some(format!("- {} — {complaint}", text(&one.declared())))
        })
        .collect();
    list("Declared as accepted, without effect:", lines)
}

fn list(heading: &str, mut lines: Vec<String>) -> Option<String> {
    let count = lines.len();
    lines.truncate(MOST_LINES);
    if count > MOST_LINES {
        lines.push(format!("- and {} more", count - MOST_LINES));
    }
    (count > 0).then(|| format!("{heading}\n\n{}", lines.join("\n")))
}

fn text(raw: &str) -> String {
    let words: Vec<&str> = raw.split_whitespace().collect();
    escape::text(&shorten(&words.join(" "), MOST_OF_A_TEXT))
}
