//! Time per call.

use super::interrupted_before;
use crate::paths::document::{Cell, Part, Table};
use crate::paths::per_call::{PathTimes, PerCall};
use crate::paths::report::Problem;
use crate::paths::text;

pub(super) fn parts(result: &PerCall) -> Vec<Part> {
    let mut parts = vec![Part::Heading("Per call".to_owned())];
    if let Some(problem) = &result.problem {
        parts.push(Part::strong(problem.sentence()));
        return parts;
    }
    if result.rounds == 0 && result.paths.iter().any(|path| path.problem.is_none()) {
        parts.push(interrupted_before("the first round"));
        parts.extend(result.paths.iter().filter_map(problem_line));
        return parts;
    }
    parts.push(Part::line(what_was_done(result)));
    parts.push(Part::Table(table(result)));
    parts.extend(result.paths.iter().filter_map(problem_line));
    parts.extend(headline(result).map(Part::strong));
    parts.extend(correctness(result).map(Part::strong));
    parts.extend(result.paths.iter().filter_map(once));
    parts
}

fn what_was_done(result: &PerCall) -> String {
    let grid = result
        .grid
        .as_deref()
        .map_or_else(String::new, |grid| format!("Grid {}; ", text::grid(grid)));
    let rounds = i64::try_from(result.rounds).unwrap_or(i64::MAX);
    format!(
        "{grid}{} of each path in {}, after {} warm-ups.",
        text::count(i64::from(result.calls), "call"),
        text::count(rounds, "interleaved round"),
        result.warm_ups
    )
}

/// The paths that all others are compared with: the reference, and the compiled one where that is
/// another.
fn anchors(result: &PerCall) -> Vec<&str> {
    let mut anchors = vec![result.reference.as_str()];
    if result.compiled != result.reference {
        anchors.push(&result.compiled);
    }
    anchors
}

fn table(result: &PerCall) -> Table {
    let anchors = anchors(result);
    let of_anchors = |first: &str, further: &str| -> Vec<(String, bool)> {
        let headings = anchors.iter().enumerate().map(|(place, label)| {
            let what = if place == 0 { first } else { further };
            (format!("{what} {label}"), true)
        });
        headings.collect()
    };
    let mut columns = vec![
        ("Path".to_owned(), false),
        ("Time per call".to_owned(), true),
        ("99 % interval".to_owned(), true),
    ];
    columns.extend(of_anchors("Speed-up over", "over"));
    columns.extend(of_anchors("Largest difference from", "from"));
    let mut table = Table::new(
        columns
            .iter()
            .map(|(heading, number)| (heading.as_str(), *number)),
    );
    for path in &result.paths {
        let time = match (&path.problem, path.median) {
            (Some(problem), _) if problem.is_failure() => "failed".to_owned(),
            (Some(_), _) => "skipped".to_owned(),
            (None, Some(median)) => text::seconds(median),
            (None, None) => "not measured".to_owned(),
        };
        let speed = |label: &&str| Cell::strong(text::speed_up_over(&path.speed_ups, label));
        let mut cells: Vec<Cell> = vec![
            path.label.as_str().into(),
            time.into(),
            path.interval.map_or_else(String::new, text::between).into(),
        ];
        cells.extend(anchors.iter().map(speed));
        cells.extend(anchors.iter().map(|label| difference(path, label)));
        let row = table.push(cells);
        row.flagged = path.problem.as_ref().is_some_and(Problem::is_failure);
        row.dim = path.problem.is_some() && !row.flagged;
    }
    table
}

fn difference(path: &PathTimes, from: &str) -> Cell {
    let found = path.differences.iter().find(|found| found.from == from);
    Cell::strong(found.map_or_else(String::new, |found| text::difference(found.largest)))
}

fn problem_line(path: &PathTimes) -> Option<Part> {
    let problem = path.problem.as_ref()?;
    Some(Part::line(format!("{} {}", path.label, problem.sentence())))
}

/// What most readers came for.
fn headline(result: &PerCall) -> Option<String> {
    let compiled = result.path(&result.compiled)?;
    let over = compiled
        .speed_ups
        .iter()
        .find(|speed_up| speed_up.over == result.reference)?;
    Some(format!(
        "Speed-up of {} over {}: {}.",
        result.compiled,
        result.reference,
        text::speed_up(over.ratio)
    ))
}

fn correctness(result: &PerCall) -> Option<String> {
    let reference = result.path(&result.reference)?;
    if let Some(problem) = &reference.problem {
        let what = if problem.is_failure() {
            "failed"
        } else {
            "was skipped"
        };
        return Some(format!(
            "Correctness: not checked, since the reference, {}, {what}.",
            result.reference
        ));
    }
    let of_path = |path: &PathTimes| {
        let found = path
            .differences
            .iter()
            .find(|found| found.from == result.reference)?;
        Some(format!(
            "{} {}",
            path.label,
            text::difference(found.largest)
        ))
    };
    let differences: Vec<String> = result.paths.iter().filter_map(of_path).collect();
    (!differences.is_empty()).then(|| {
        format!(
            "Correctness: largest difference from {}, at the initial values and at those of another start: {}.",
            result.reference,
            differences.join(", ")
        )
    })
}

/// The price of compiling, which is none of a call's.
fn once(path: &PathTimes) -> Option<Part> {
    let seconds = path.once().filter(|_| path.problem.is_none())?;
    Some(Part::line(format!(
        "{} compiles for {}, once a plan and not once a call.",
        path.label,
        text::seconds(seconds)
    )))
}
