//! Whole fits.

use super::interrupted_before;
use crate::paths::document::{Cell, Part, Table};
use crate::paths::fit::{FitRun, FitTimes, PathFits};
use crate::paths::report::Problem;
use crate::paths::spread::median;
use crate::paths::text;

pub(super) fn parts(result: &FitTimes) -> Vec<Part> {
    let mut parts = vec![Part::Heading("Full fit".to_owned())];
    if let Some(problem) = &result.problem {
        parts.push(Part::strong(problem.sentence()));
        return parts;
    }
    if result.paths.iter().any(|path| !path.runs.is_empty()) {
        parts.push(Part::line(format!(
            "Time of the stage “{}”; {} of each path in alternating order, each with a model of its own.",
            result.stage,
            text::count(i64::try_from(result.repetitions).unwrap_or(i64::MAX), "fit")
        )));
        parts.push(Part::Table(table(result)));
    } else if result.paths.iter().any(|path| path.problem.is_none()) {
        parts.push(interrupted_before("the first fit"));
    }
    for path in &result.paths {
        if let Some(problem) = &path.problem {
            parts.push(Part::line(format!("{} {}", path.label, problem.sentence())));
        }
    }
    parts.extend(before(result).map(Part::line));
    for path in &result.paths {
        let compilations: i64 = path.runs.iter().map(|run| run.compilations).sum();
        if compilations > 0 {
            parts.push(Part::line(format!(
                "{}: {} in {}, within the times above.",
                path.label,
                text::count(compilations, "compilation"),
                text::count(i64::try_from(path.runs.len()).unwrap_or(0), "fit")
            )));
        }
    }
    parts
}

fn table(result: &FitTimes) -> Table {
    let mut anchors: Vec<&str> = Vec::new();
    for path in &result.paths {
        for speed_up in &path.speed_ups {
            if !anchors.contains(&speed_up.over.as_str()) {
                anchors.push(&speed_up.over);
            }
        }
    }
    let over: Vec<String> = anchors
        .iter()
        .map(|label| format!("Speed-up over {label}"))
        .collect();
    let mut columns = vec![("Path", false), ("Median", true), ("All fits", true)];
    columns.extend(over.iter().map(|heading| (heading.as_str(), true)));
    columns.push(("Reduced χ²", true));
    let mut table = Table::new(columns);
    for path in &result.paths {
        let state = path.problem.as_ref().map_or("", |problem| {
            if problem.is_failure() {
                "failed"
            } else {
                "skipped"
            }
        });
        let median = path.median.map_or_else(|| state.to_owned(), text::seconds);
        let all: Vec<String> = path
            .runs
            .iter()
            .map(|run| text::seconds(run.seconds()))
            .collect();
        let mut cells: Vec<Cell> = vec![
            path.label.as_str().into(),
            median.into(),
            all.join(", ").into(),
        ];
        cells.extend(
            anchors
                .iter()
                .map(|label| Cell::strong(text::speed_up_over(&path.speed_ups, label))),
        );
        cells.push(chi_square(path).into());
        let row = table.push(cells);
        row.flagged = path.problem.as_ref().is_some_and(Problem::is_failure);
        row.dim = path.problem.is_some() && !row.flagged;
    }
    table
}

/// The reduced chi-square that the fits came to: one value, or the range.
fn chi_square(path: &PathFits) -> String {
    let values: Vec<f64> = path.runs.iter().map(|run| run.reduced_chi_square).collect();
    let low = values
        .iter()
        .copied()
        .min_by(f64::total_cmp)
        .map(text::value);
    let high = values
        .iter()
        .copied()
        .max_by(f64::total_cmp)
        .map(text::value);
    match (low, high) {
        (Some(low), Some(high)) if low == high => low,
        (Some(low), Some(high)) => format!("{low} to {high}"),
        _ => String::new(),
    }
}

/// The stages before the compared one, with the median time on each path.
fn before(result: &FitTimes) -> Option<String> {
    let of_path = |path: &PathFits| {
        let earlier = |run: &FitRun| -> f64 {
            let stages = run
                .stages
                .split_last()
                .map_or(&[][..], |(_, before)| before);
            stages.iter().map(|(_, seconds)| seconds).sum()
        };
        let seconds: Vec<f64> = path.runs.iter().map(earlier).collect();
        median(&seconds).map(|seconds| format!("{} {}", path.label, text::seconds(seconds)))
    };
    let run = result.paths.iter().flat_map(|path| &path.runs).next()?;
    let (_, stages) = run.stages.split_last()?;
    if stages.is_empty() {
        return None;
    }
    let labels: Vec<String> = stages
        .iter()
        .map(|(label, _)| format!("“{label}”"))
        .collect();
    let medians: Vec<String> = result.paths.iter().filter_map(of_path).collect();
    Some(format!(
        "Before it, {}: {}.",
        labels.join(", "),
        medians.join(", ")
    ))
}
