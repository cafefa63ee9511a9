//! The same report at the size that each target bears. Nothing is cut inside a table: whole kinds of
//! content are left out, one after the other, and counted.

use crate::config::ReportSettings;
use crate::report::markdown::{Excerpt, comment_of};
use crate::report::{AcceptanceState, Comparison, Row, Verdict};

/// Characters of a comment; GitHub refuses more than 65,536.
pub const COMMENT_LIMIT: usize = 65_000;

/// Bytes of a job's summary; GitHub drops one above 1,048,576.
pub const SUMMARY_LIMIT: usize = 900 * 1024;

/// How many of the rows that matter most are kept, step by step.
const MOST_IMPORTANT: [usize; 4] = [100, 30, 10, 3];

/// What is rendered.
#[derive(Debug, Clone, Copy)]
pub struct Report<'a> {
    pub comparison: &'a Comparison,
    /// Comments for programs at the top.
    pub blocks: &'a [String],
    /// Lines of Markdown at the end.
    pub notes: &'a [String],
    /// Where the whole report can be found, as Markdown.
    pub whole: &'a str,
    pub settings: &'a ReportSettings,
}

/// The report with everything in it.
pub fn whole(report: &Report<'_>) -> String {
    rendered(report, report.comparison, &[], false)
}

/// The report for a comment.
pub fn for_comment(report: &Report<'_>) -> String {
    within(report, |text| text.chars().count() <= COMMENT_LIMIT)
}

/// The report for a job's summary.
pub fn for_summary(report: &Report<'_>) -> String {
    within(report, |text| text.len() <= SUMMARY_LIMIT)
}

/// The fullest version that fits.
fn within(report: &Report<'_>, fits: impl Fn(&str) -> bool) -> String {
    let text = whole(report);
    if fits(&text) {
        return text;
    }
    let all = report.comparison;
    let left_out = |count: usize, what: &str| format!("{count} {what}; {}", report.whole);

    let mut shown = all.clone();
    shown.rows.retain(|row| !is_unchanged(row));
    let hidden = all.rows.len() - shown.rows.len();
    let mut notes = vec![left_out(
        hidden,
        "unchanged rows are left out, since the comment would be too long",
    )];
    let text = rendered(report, &shown, &notes, false);
    if fits(&text) {
        return text;
    }

    shown.absent.clear();
    shown.differences.clear();
    shown.remarks.clear();
    shown
        .accepted
        .retain(|one| one.state() == AcceptanceState::Used);
    notes.push(
        "differences of the environment, absences, remarks and what is accepted without effect are \
         left out, too"
            .to_owned(),
    );
    let text = rendered(report, &shown, &notes, false);
    if fits(&text) {
        return text;
    }

    let mut important = shown.rows.clone();
    important.sort_by(|one, two| importance(two).total_cmp(&importance(one)));
    for most in MOST_IMPORTANT {
        if important.len() <= most {
            continue;
        }
        let excerpt = Comparison {
            rows: important[..most].to_vec(),
            ..shown.clone()
        };
        let notes = [left_out(
            all.rows.len() - most,
            "more rows are left out, since the comment would be too long; those that matter most \
             are shown",
        )];
        let text = rendered(report, &excerpt, &notes, false);
        if fits(&text) {
            return text;
        }
    }

    shown.rows.clear();
    shown.accepted.clear();
    let notes = [left_out(
        all.rows.len(),
        "rows are left out, since the comment would be too long",
    )];
    rendered(report, &shown, &notes, true)
}

fn rendered(report: &Report<'_>, shown: &Comparison, more: &[String], brief: bool) -> String {
    let notes: Vec<String> = more.iter().chain(report.notes).cloned().collect();
    let excerpt = Excerpt {
        shown,
        blocks: report.blocks,
        notes: &notes,
        brief,
    };
    comment_of(report.comparison, &excerpt, report.settings)
}

/// Whether nobody needs to look at a row.
fn is_unchanged(row: &Row) -> bool {
    row.verdict == Verdict::Same && row.alert.is_none()
}

/// Failures first, then what got slower by how much, then the rest by how much it changed.
fn importance(row: &Row) -> f64 {
    let effect = row
        .ratio
        .filter(|ratio| *ratio > 0.0)
        .map_or(0.0, |ratio| ratio.ln().abs());
    let rank = match row.verdict {
        Verdict::Failed => 3.0,
        Verdict::Slower => 2.0,
        _ if row.alert.is_some() => 1.0,
        _ => 0.0,
    };
    // An effect is far below a thousand: the logarithm of the largest number is 710.
    rank * 1000.0 + effect.min(999.0)
}

#[cfg(test)]
mod tests;
