//! The end of a report on several examples: one table a mode.

mod frame;

use crate::paths::document::{Cell, Part};
use crate::paths::report::{ExampleReport, Problem, Section};
use crate::paths::text;
use crate::report::units;
use frame::{Line, labels, of_mode, section};

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
    let paths = labels(&results, |result| {
        result.paths.iter().map(|path| path.label.as_str())
    });
    let mut columns = vec![("Exercises", false)];
    columns.extend(paths.iter().map(|path| (*path, true)));
    columns.extend([("Speed-up", true), ("Largest difference", true)]);
    section("Per call", &columns, &results, |example, result| {
        let compiled = result.path(&result.compiled);
        let speed = compiled.and_then(|path| text::ratio_over(&path.speed_ups, &result.reference));
        let difference = compiled.and_then(|path| {
            let mut all = path.differences.iter();
            all.find(|found| found.from == result.reference)
        });
        let exercises = example.entry.exercises.join(", ");
        if let Some(problem) = &result.problem {
            return Line::without(problem).after([exercises.into()]);
        }
        let mut cells: Vec<Cell> = vec![exercises.into()];
        cells.extend(paths.iter().map(|label| match result.path(label) {
            Some(path) => timed(path.problem.as_ref(), path.median),
            None => Cell::default(),
        }));
        cells.push(Cell::strong(speed.unwrap_or_default()));
        cells.push(Cell::strong(
            difference.map_or_else(String::new, |found| text::difference(found.largest)),
        ));
        Line::of(cells)
    })
}

fn fits(examples: &[ExampleReport]) -> Vec<Part> {
    let results = of_mode(examples, |section| match section {
        Section::Fit(result) => Some(result),
        _ => None,
    });
    let paths = labels(&results, |result| {
        result.paths.iter().map(|path| path.label.as_str())
    });
    let mut columns: Vec<(&str, bool)> = paths.iter().map(|path| (*path, true)).collect();
    columns.push(("Speed-up", true));
    section("Full fit, median", &columns, &results, |_, result| {
        if let Some(problem) = &result.problem {
            return Line::without(problem);
        }
        let mut cells: Vec<Cell> = paths
            .iter()
            .map(|label| match result.path(label) {
                Some(path) => timed(path.problem.as_ref(), path.median),
                None => Cell::default(),
            })
            .collect();
        let speed = result
            .path(&result.compiled)
            .and_then(|path| text::ratio_over(&path.speed_ups, &result.reference));
        cells.push(Cell::strong(speed.unwrap_or_default()));
        Line::of(cells)
    })
}

/// The time of a path, or why there is none in a word.
fn timed(problem: Option<&Problem>, median: Option<f64>) -> Cell {
    match (problem, median) {
        (Some(problem), _) if problem.is_failure() => "failed".into(),
        (_, Some(median)) => text::seconds(median).into(),
        (Some(_), None) => "skipped".into(),
        (None, None) => Cell::default(),
    }
}

fn counts(examples: &[ExampleReport]) -> Vec<Part> {
    let results = of_mode(examples, |section| match section {
        Section::Counts(result) => Some(result),
        _ => None,
    });
    let counters = labels(&results, |result| {
        result.counters.iter().map(String::as_str)
    });
    let columns: Vec<(&str, bool)> = counters.iter().map(|counter| (*counter, true)).collect();
    section("Work of a fit", &columns, &results, |_, result| {
        if let Some(problem) = &result.problem {
            return Line::without(problem);
        }
        let totals = result.running_totals().pop().unwrap_or_default();
        Line::of(counters.iter().map(|counter| {
            let place = result.counters.iter().position(|own| own == counter);
            let total = place.and_then(|place| totals.get(place));
            Cell::strong(total.map_or_else(String::new, i64::to_string))
        }))
    })
}

fn planning(examples: &[ExampleReport]) -> Vec<Part> {
    let results = of_mode(examples, |section| match section {
        Section::PlanTime(result) => Some(result),
        _ => None,
    });
    let columns = [("Planning", true), ("Whole fit", true), ("Share", true)];
    section("Planning", &columns, &results, |_, result| {
        match (&result.problem, &result.whole) {
            (Some(problem), _) => Line::without(problem),
            (None, Some(whole)) => Line::of([
                text::seconds(whole.planning).into(),
                text::seconds(whole.seconds).into(),
                Cell::strong(units::percent(whole.share)),
            ])
            .flagged(whole.remarkable),
            (None, None) => Line::of([]),
        }
    })
}

fn variability(examples: &[ExampleReport]) -> Vec<Part> {
    let results = of_mode(examples, |section| match section {
        Section::Variability(result) => Some(result),
        _ => None,
    });
    let columns = [
        ("At the best optimum", true),
        ("Worst parameter", false),
        ("Spread", true),
        ("Start-sensitive", true),
    ];
    section("Variability", &columns, &results, |_, result| {
        if let Some(problem) = &result.problem {
            return Line::without(problem);
        }
        let worst = result.worst.and_then(|place| result.parameters.get(place));
        let sensitive = result
            .parameters
            .iter()
            .filter(|spread| spread.start_sensitive)
            .count();
        Line::of([
            format!("{} of {}", result.best().count(), result.runs.len()).into(),
            worst.map_or("", |spread| spread.name.as_str()).into(),
            worst
                .map_or_else(String::new, |spread| units::percent(spread.relative))
                .into(),
            sensitive.to_string().into(),
        ])
        .flagged(sensitive > 0)
    })
}

fn profiles(examples: &[ExampleReport]) -> Vec<Part> {
    let results = of_mode(examples, |section| match section {
        Section::Profile(result) => Some(result),
        _ => None,
    });
    let columns = [("Time per call", true), ("Flame graph", false)];
    section("Profile", &columns, &results, |_, result| {
        if let Some(problem) = &result.problem {
            return Line::without(problem);
        }
        let per_call = result
            .seconds
            .map(|seconds| seconds / f64::from(result.calls.max(1)));
        let graph = result
            .output
            .as_ref()
            .map_or_else(String::new, |output| output.display().to_string());
        Line::of([
            per_call.map_or_else(String::new, text::seconds).into(),
            graph.into(),
        ])
    })
}
