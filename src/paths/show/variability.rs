//! How a fit depends on its start.

use super::interrupted_before;
use crate::paths::document::{Cell, Part, Table};
use crate::paths::report::Problem;
use crate::paths::text;
use crate::paths::variability::{SENSITIVE, Spread, StartRun, Variability};
use crate::report::units;

/// What a spread means.
const MEANING: &str = "A spread among runs that reached the same optimum means one of two things: a flat \
    direction of the objective, so that the data do not identify the parameter; or state that is derived \
    once from the initial values and never rebuilt in the fit.";

pub(super) fn parts(result: &Variability) -> Vec<Part> {
    let mut parts = vec![Part::Heading("Variability".to_owned())];
    if let Some(problem) = &result.problem {
        parts.push(Part::strong(problem.sentence()));
        return parts;
    }
    if result.runs.is_empty() {
        parts.push(interrupted_before("the first fit"));
        return parts;
    }
    parts.push(Part::line(format!(
        "Fits on the path {} from the model's own initial values and from {}.",
        result.path,
        starts(result)
    )));
    parts.push(Part::Table(runs(result)));
    for run in &result.runs {
        if let Some(problem) = &run.problem {
            parts.push(Part::line(format!("{} {}", run.name(), problem.sentence())));
        }
    }
    let off: Vec<String> = result.off_optimum().map(StartRun::name).collect();
    if !off.is_empty() {
        parts.push(Part::strong(format!(
            "Converged to a worse optimum, and left out of the spread: {}.",
            off.join(", ")
        )));
    }
    if !result.parameters.is_empty() {
        parts.push(Part::Table(spreads(result)));
        parts.extend(worst(result).map(Part::strong));
        parts.push(Part::line(MEANING));
    }
    parts
}

/// `4 scaled starts`; `2 of 4 scaled starts` after an interruption.
fn starts(result: &Variability) -> String {
    let asked = text::count(
        i64::try_from(result.starts).unwrap_or(i64::MAX),
        "scaled start",
    );
    match result.runs.len() - 1 {
        done if done < result.starts => format!("{done} of {asked}"),
        _ => asked,
    }
}

fn runs(result: &Variability) -> Table {
    let mut table = Table::new([
        ("Run", false),
        ("Reduced χ²", true),
        ("Wall time", true),
        ("", false),
    ]);
    for run in &result.runs {
        let state = match &run.problem {
            Some(problem) if problem.is_failure() => "failed",
            Some(_) => "skipped",
            None if run.best => "",
            None => "worse optimum",
        };
        let row = table.push([
            run.name().into(),
            run.reduced_chi_square
                .map_or_else(String::new, text::value)
                .into(),
            run.seconds.map_or_else(String::new, text::seconds).into(),
            state.into(),
        ]);
        row.flagged = run.problem.as_ref().map_or(!run.best, Problem::is_failure);
        row.dim = run.problem.is_some() && !row.flagged;
    }
    table
}

fn spreads(result: &Variability) -> Table {
    let mut table = Table::new([
        ("Parameter", false),
        ("Reference", true),
        ("Spread", true),
        ("Relative", true),
        ("", false),
    ]);
    for spread in &result.parameters {
        table.push(cells(spread)).flagged = spread.start_sensitive;
    }
    table
}

fn cells(spread: &Spread) -> [Cell; 5] {
    let flag = if spread.start_sensitive {
        "start-sensitive"
    } else {
        ""
    };
    [
        spread.name.as_str().into(),
        spread
            .reference
            .map_or_else(String::new, text::value)
            .into(),
        text::spread(spread.high - spread.low).into(),
        units::percent(spread.relative).into(),
        Cell::strong(flag),
    ]
}

fn worst(result: &Variability) -> Option<String> {
    let spread = result.parameters.get(result.worst?)?;
    let count = result
        .parameters
        .iter()
        .filter(|spread| spread.start_sensitive)
        .count();
    Some(format!(
        "{} of {} runs at the best optimum; largest spread among them: {} ({}); parameters above {}: {count}.",
        result.best().count(),
        result.runs.len(),
        spread.name,
        units::percent(spread.relative),
        units::percent(SENSITIVE)
    ))
}
