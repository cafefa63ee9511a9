//! What the tables of all modes have in common.

use crate::paths::document::{Cell, Part, Table};
use crate::paths::report::{ExampleReport, Problem, Section};

/// The results of one mode, with the names of their examples.
pub(super) fn of_mode<'a, T>(
    examples: &'a [ExampleReport],
    of_section: impl Fn(&'a Section) -> Option<&'a T>,
) -> Vec<(&'a ExampleReport, &'a T)> {
    examples
        .iter()
        .filter_map(|example| {
            let found = example.sections.iter().find_map(&of_section)?;
            Some((example, found))
        })
        .collect()
}

/// A heading and its table, unless no example has this mode.
pub(super) fn section(heading: &str, table: Table) -> Vec<Part> {
    if table.rows.is_empty() {
        return Vec::new();
    }
    vec![Part::Heading(heading.to_owned()), Part::Table(table)]
}

/// The cells of an example that has no result of this mode: its name and the reason.
pub(super) fn without(table: &mut Table, example: &ExampleReport, problem: &Problem) {
    let cells = vec![
        example.entry.name.as_str().into(),
        problem.sentence().into(),
    ];
    push_problem(table, cells, problem);
}

pub(super) fn push_problem(table: &mut Table, mut cells: Vec<Cell>, problem: &Problem) {
    cells.resize(table.columns.len(), Cell::default());
    let row = table.push(cells);
    row.flagged = problem.is_failure();
    row.dim = !row.flagged;
}

pub(super) fn labels<'a>(all: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut labels = Vec::new();
    for label in all {
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    labels
}
