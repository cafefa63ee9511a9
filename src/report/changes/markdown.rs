//! Changes as Markdown. Names and subjects are written by others, so they are escaped.

use crate::report::{escape, units};

use super::{ChangesReport, LevelChange};

/// A summary, a table and what is no change.
pub fn markdown(report: &ChangesReport) -> String {
    let mut blocks = vec![escape::text(&report.sentence())];
    if !report.changes.is_empty() {
        blocks.push(table(report));
    }
    if !report.borders.is_empty() {
        let mut lines = vec!["Nothing is compared across these:\n".to_owned()];
        let borders = report.borders.iter();
        lines.extend(borders.map(|border| format!("- {}", escape::text(&border.to_string()))));
        blocks.push(lines.join("\n"));
    }
    blocks.extend(report.remarks.iter().map(|remark| escape::text(remark)));
    blocks.join("\n\n")
}

fn table(report: &ChangesReport) -> String {
    let several = report.has_several_places();
    let mut lines = Vec::new();
    let place = if several {
        " Machine, environment |"
    } else {
        ""
    };
    lines.push(format!(
        "| Date |{place} Verdict | Before | After | Ratio | Benchmark | Commits | Most likely |"
    ));
    let dashes = if several { "---|" } else { "" };
    lines.push(format!("|---|{dashes}---|---:|---:|---:|---|---|---|"));
    lines.extend(report.changes.iter().map(|change| line(change, several)));
    lines.join("\n")
}

fn line(change: &LevelChange, several: bool) -> String {
    let [before, after] = change.levels();
    let mut cells = vec![change.likely.day()];
    if several {
        cells.push(format!("{}, {}", change.machine, change.environment));
    }
    let verdict = match change.remark() {
        "" => change.verdict.words().to_owned(),
        remark => format!("{} ({remark})", change.verdict.words()),
    };
    cells.extend([
        verdict,
        before,
        after,
        units::ratio(change.ratio()),
        change.name(),
        change.commits(),
        format!("{} {}", change.likely.short(), change.subject()),
    ]);
    let cells: Vec<String> = cells.iter().map(|cell| escape::text(cell)).collect();
    format!("| {} |", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::changes::testing::{empty, report};

    #[test]
    fn hostile_names_stay_in_their_cells() {
        let text = markdown(&report());
        assert!(!text.contains("<script>"), "{text}");
        assert!(!text.contains("@everyone"), "{text}");
        let rows: Vec<&str> = text
            .lines()
            .filter(|line| line.starts_with("| 20"))
            .collect();
        assert_eq!(rows.len(), 2, "{text}");
        for row in rows {
            assert_eq!(row.matches('|').count(), 10, "{row}");
        }
    }

    #[test]
    fn nothing_is_said_in_words() {
        assert_eq!(
            markdown(&empty()),
            "No lasting change in 3 series of 20 commits on main: 60 values."
        );
    }
}
