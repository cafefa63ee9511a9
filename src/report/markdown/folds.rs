//! What is folded away under the table.

use crate::report::escape;
use crate::report::row::{Absence, Comparison, Confidence, Row, Strength, Verdict};
use crate::report::terminal;
use crate::report::units::{coverage, percent, ratio};
use crate::report::words::capitalised;

use super::table::{Names, one_line, ran_on_head};

/// Verdict, interval and reason of every row that did not simply stay the same.
pub(super) fn verdicts(comparison: &Comparison, names: &Names<'_>) -> Option<String> {
    comparison.base.as_ref()?;
    let ran = || comparison.rows.iter().filter(|row| ran_on_head(row));
    let rows: Vec<&Row> = ran().filter(|row| row.verdict != Verdict::Same).collect();
    if rows.is_empty() {
        return None;
    }
    let same = ran().count() - rows.len();
    let mut lines = vec![
        "| Benchmark | Verdict | Interval of the ratio | Could have seen | Reason |".to_owned(),
        "|---|---|---|---:|---|".to_owned(),
    ];
    for row in rows {
        let cells = [
            names.of(row),
            row.verdict.words().to_owned(),
            row.confidence.map(interval).unwrap_or_default(),
            row.confidence
                .map(|confidence| percent(confidence.resolution))
                .unwrap_or_default(),
            reason(row),
        ];
        lines.push(format!("| {} |", cells.join(" | ")));
    }
    let summary = match same {
        0 => "Verdicts, intervals and reasons".to_owned(),
        _ => format!("Verdicts, intervals and reasons (without {same} that stayed the same)"),
    };
    Some(fold(&summary, &lines.join("\n")))
}

fn interval(confidence: Confidence) -> String {
    let weak = match confidence.strength {
        Strength::Firm => "",
        Strength::Weak => ", weak",
    };
    format!(
        "{} to {} ({}{weak})",
        ratio(Some(confidence.low)),
        ratio(Some(confidence.high)),
        coverage(confidence.level)
    )
}

fn reason(row: &Row) -> String {
    let mut reason = escape::text(&one_line(&terminal::reason(row)));
    for flag in &row.flags {
        if !reason.is_empty() {
            reason.push_str("; ");
        }
        reason.push_str(&escape::text(flag));
    }
    reason
}

/// Counts and names what has a result before and none on HEAD.
pub(super) fn absent(comparison: &Comparison, names: &Names<'_>) -> Option<String> {
    let mut total = 0;
    let mut groups = Vec::new();
    for absence in [Absence::NotSelected, Absence::Gone, Absence::NotRun] {
        let benchmarks = comparison
            .absent
            .iter()
            .filter(|absent| absent.absence == absence)
            .map(|absent| escape::text(&absent.benchmark));
        // Single combinations that HEAD no longer has get no row either.
        let combinations = comparison
            .rows
            .iter()
            .filter(|row| !ran_on_head(row) && absence_of(row) == absence)
            .map(|row| names.of(row));
        let listed: Vec<String> = benchmarks.chain(combinations).collect();
        if !listed.is_empty() {
            total += listed.len();
            groups.push(format!(
                "**{} ({}):** {}",
                capitalised(absence.words()),
                listed.len(),
                listed.join(", ")
            ));
        }
    }
    let summary = if total == 1 {
        "1 benchmark with a result before has none on HEAD".to_owned()
    } else {
        format!("{total} benchmarks with a result before have none on HEAD")
    };
    (total > 0).then(|| fold(&summary, &groups.join("\n\n")))
}

fn absence_of(row: &Row) -> Absence {
    match row.verdict {
        Verdict::Gone => Absence::Gone,
        Verdict::NotNeeded => Absence::NotSelected,
        _ => Absence::NotRun,
    }
}

/// Machine and environment facts that differ between both sides.
pub(super) fn differences(comparison: &Comparison) -> Option<String> {
    comparison.base.as_ref()?;
    let count = comparison.differences.len();
    if count == 0 {
        return None;
    }
    let mut lines = vec![
        "| What | before | after |".to_owned(),
        "|---|---|---|".to_owned(),
    ];
    for difference in &comparison.differences {
        lines.push(format!(
            "| {} | {} | {} |",
            escape::text(&difference.what),
            escape::text(&one_line(&difference.base)),
            escape::text(&one_line(&difference.head))
        ));
    }
    let summary = if count == 1 {
        "1 difference of machine or environment between both sides".to_owned()
    } else {
        format!("{count} differences of machine or environment between both sides")
    };
    Some(fold(&summary, &lines.join("\n")))
}

/// Markdown inside `<details>` is read as such only after an empty line.
fn fold(summary: &str, content: &str) -> String {
    format!("<details>\n<summary>{summary}</summary>\n\n{content}\n\n</details>")
}
