//! The end of a report on several examples: one table a mode.

mod frame;

use crate::paths::counts::Counts;
use crate::paths::document::{Cell, Part, Table};
use crate::paths::fit::FitTimes;
use crate::paths::per_call::PerCall;
use crate::paths::planning::PlanTime;
use crate::paths::profile::Profile;
use crate::paths::report::{ExampleReport, Section};
use crate::paths::text;
use crate::paths::variability::Variability;
use crate::report::units;
use frame::{labels, of_mode, push_problem, section, without};

/// The title of the summary and a table for each mode that was run.
pub(super) fn summary(examples: &[ExampleReport]) -> Vec<Part> {
    let mut parts = vec![Part::Title("Summary".to_owned())];
    parts.extend(per_call(examples));
    parts.extend(fits(examples));
    parts.extend(counts(examples));
    parts.extend(planning(examples));
    parts.extend(variability(examples));
    parts.extend(profiles(examples));
    for example in examples
        .iter()
        .filter(|example| example.sections.is_empty())
    {
        if let Some(problem) = &example.problem {
            parts.push(Part::line(format!(
                "{} {}",
                example.entry.name,
                problem.sentence()
            )));
        }
    }
    parts
}

fn per_call(examples: &[ExampleReport]) -> Vec<Part> {
    let results = of_mode(examples, |section| match section {
        Section::PerCall(result) => Some(result),
        _ => None,
    });
    let paths = labels(
        results
            .iter()
            .flat_map(|(_, result)| &result.paths)
            .map(|path| path.label.as_str()),
    );
    let mut columns = vec![("Example", false), ("Exercises", false)];
    columns.extend(paths.iter().map(|path| (*path, true)));
    columns.extend([("Speed-up", true), ("Largest difference", true)]);
    let mut table = Table::new(columns);
    for (example, result) in results {
        let mut cells: Vec<Cell> = vec![
            example.entry.name.as_str().into(),
            example.entry.exercises.join(", ").into(),
        ];
        if let Some(problem) = &result.problem {
            cells.push(problem.sentence().into());
            push_problem(&mut table, cells, problem);
            continue;
        }
        cells.extend(paths.iter().map(|path| time(result, path)));
        let compiled = result.path(&result.compiled);
        let speed = compiled
            .and_then(|path| {
                path.speed_ups
                    .iter()
                    .find(|found| found.over == result.reference)
            })
            .map_or_else(String::new, |found| {
                format!("{}×", units::ratio(Some(found.ratio.ratio)))
            });
        let difference = compiled
            .and_then(|path| {
                path.differences
                    .iter()
                    .find(|found| found.from == result.reference)
            })
            .map_or_else(String::new, |found| text::difference(found.largest));
        cells.extend([Cell::strong(speed), Cell::strong(difference)]);
        table.push(cells);
    }
    section("Per call", table)
}

fn time(result: &PerCall, label: &str) -> Cell {
    match result.path(label) {
        Some(path) => match &path.problem {
            Some(problem) if problem.is_failure() => "failed".into(),
            Some(_) => "skipped".into(),
            None => path.median.map_or_else(String::new, text::seconds).into(),
        },
        None => Cell::default(),
    }
}

fn fits(examples: &[ExampleReport]) -> Vec<Part> {
    let results = of_mode(examples, |section| match section {
        Section::Fit(result) => Some(result),
        _ => None,
    });
    let paths = labels(
        results
            .iter()
            .flat_map(|(_, result)| &result.paths)
            .map(|path| path.label.as_str()),
    );
    let mut columns = vec![("Example", false)];
    columns.extend(paths.iter().map(|path| (*path, true)));
    let mut table = Table::new(columns);
    let cell = |result: &FitTimes, label: &str| -> Cell {
        match result.path(label) {
            Some(path) => match (&path.problem, path.median) {
                (Some(problem), _) if problem.is_failure() => "failed".into(),
                (_, Some(median)) => text::seconds(median).into(),
                (Some(_), None) => "skipped".into(),
                (None, None) => Cell::default(),
            },
            None => Cell::default(),
        }
    };
    for (example, result) in results {
        if let Some(problem) = &result.problem {
            without(&mut table, example, problem);
            continue;
        }
        let mut cells: Vec<Cell> = vec![example.entry.name.as_str().into()];
        cells.extend(paths.iter().map(|path| cell(result, path)));
        table.push(cells);
    }
    section("Full fit, median", table)
}

fn counts(examples: &[ExampleReport]) -> Vec<Part> {
    let results = of_mode(examples, |section| match section {
        Section::Counts(result) => Some(result),
        _ => None,
    });
    let counters = labels(
        results
            .iter()
            .flat_map(|(_, result): &(_, &Counts)| &result.counters)
            .map(String::as_str),
    );
    let mut columns = vec![("Example", false)];
    columns.extend(counters.iter().map(|counter| (*counter, true)));
    let mut table = Table::new(columns);
    for (example, result) in results {
        if let Some(problem) = &result.problem {
            without(&mut table, example, problem);
            continue;
        }
        let totals = result.running_totals().pop().unwrap_or_default();
        let mut cells: Vec<Cell> = vec![example.entry.name.as_str().into()];
        cells.extend(counters.iter().map(|counter| {
            let place = result.counters.iter().position(|own| own == counter);
            let total = place.and_then(|place| totals.get(place));
            Cell::strong(total.map_or_else(String::new, i64::to_string))
        }));
        table.push(cells);
    }
    section("Work of a fit", table)
}

fn planning(examples: &[ExampleReport]) -> Vec<Part> {
    let results = of_mode(examples, |section| match section {
        Section::PlanTime(result) => Some(result),
        _ => None,
    });
    let mut table = Table::new([
        ("Example", false),
        ("Planning", true),
        ("Whole fit", true),
        ("Share", true),
    ]);
    for (example, result) in results {
        let result: &PlanTime = result;
        match (&result.problem, &result.whole) {
            (Some(problem), _) => without(&mut table, example, problem),
            (None, Some(whole)) => {
                table
                    .push([
                        example.entry.name.as_str().into(),
                        text::seconds(whole.planning).into(),
                        text::seconds(whole.seconds).into(),
                        Cell::strong(units::percent(whole.share)),
                    ])
                    .flagged = whole.remarkable;
            }
            (None, None) => {}
        }
    }
    section("Planning", table)
}

fn variability(examples: &[ExampleReport]) -> Vec<Part> {
    let results = of_mode(examples, |section| match section {
        Section::Variability(result) => Some(result),
        _ => None,
    });
    let mut table = Table::new([
        ("Example", false),
        ("At the best optimum", true),
        ("Worst parameter", false),
        ("Spread", true),
        ("Start-sensitive", true),
    ]);
    for (example, result) in results {
        let result: &Variability = result;
        if let Some(problem) = &result.problem {
            without(&mut table, example, problem);
            continue;
        }
        let worst = result.worst.and_then(|place| result.parameters.get(place));
        let sensitive = result
            .parameters
            .iter()
            .filter(|spread| spread.start_sensitive)
            .count();
        table
            .push([
                example.entry.name.as_str().into(),
                format!("{} of {}", result.best().count(), result.runs.len()).into(),
                worst.map_or("", |spread| spread.name.as_str()).into(),
                worst
                    .map_or_else(String::new, |spread| units::percent(spread.relative))
                    .into(),
                sensitive.to_string().into(),
            ])
            .flagged = sensitive > 0;
    }
    section("Variability", table)
}

fn profiles(examples: &[ExampleReport]) -> Vec<Part> {
    let results = of_mode(examples, |section| match section {
        Section::Profile(result) => Some(result),
        _ => None,
    });
    let mut table = Table::new([
        ("Example", false),
        ("Time per call", true),
        ("Flame graph", false),
    ]);
    for (example, result) in results {
        let result: &Profile = result;
        if let Some(problem) = &result.problem {
            without(&mut table, example, problem);
            continue;
        }
        let per_call = result
            .seconds
            .map(|seconds| seconds / f64::from(result.calls.max(1)));
        table.push([
            example.entry.name.as_str().into(),
            per_call.map_or_else(String::new, text::seconds).into(),
            result
                .output
                .as_ref()
                .map_or_else(String::new, |output| output.display().to_string())
                .into(),
        ]);
    }
    section("Profile", table)
}
