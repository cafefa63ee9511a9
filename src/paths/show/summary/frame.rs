//! What the tables of all modes have in common: a line an example, and one loop over them.

use crate::paths::document::{Cell, Part, Table};
use crate::paths::report::{ExampleReport, Problem, Section};

/// The results of one mode, with their examples.
pub(super) type Results<'a, T> = Vec<(&'a ExampleReport, &'a T)>;

/// The results of one mode, with their examples.
pub(super) fn of_mode<'a, T>(
    examples: &'a [ExampleReport],
    of_section: impl Fn(&'a Section) -> Option<&'a T>,
) -> Results<'a, T> {
    examples
        .iter()
        .filter_map(|example| {
            let found = example.sections.iter().find_map(&of_section)?;
            Some((example, found))
        })
        .collect()
}

/// What an example's line says after its name.
#[derive(Default)]
pub(super) struct Line {
    cells: Vec<Cell>,
    flagged: bool,
    dim: bool,
}

impl Line {
    pub(super) fn of(cells: impl IntoIterator<Item = Cell>) -> Self {
        Self {
            cells: cells.into_iter().collect(),
            ..Self::default()
        }
    }

    /// An example without a result of this mode: the reason.
    pub(super) fn without(problem: &Problem) -> Self {
        Self {
            cells: vec![problem.sentence().into()],
            flagged: problem.is_failure(),
            dim: !problem.is_failure(),
        }
    }

    /// The line with cells before its own.
    pub(super) fn after(mut self, cells: impl IntoIterator<Item = Cell>) -> Self {
        self.cells.splice(..0, cells);
        self
    }

    pub(super) fn flagged(mut self, flagged: bool) -> Self {
        self.flagged = flagged;
        self
    }
}

/// A heading and a table with a line for each example; nothing where no example has this mode. The
/// columns are those after the example's name.
pub(super) fn section<T>(
    heading: &str,
    columns: &[(&str, bool)],
    results: &Results<'_, T>,
    line_of: impl Fn(&ExampleReport, &T) -> Line,
) -> Vec<Part> {
    if results.is_empty() {
        return Vec::new();
    }
    let mut all = vec![("Example", false)];
    all.extend_from_slice(columns);
    let mut table = Table::new(all);
    for (example, result) in results {
        let line = line_of(example, result);
        let mut cells: Vec<Cell> = vec![example.entry.name.as_str().into()];
        cells.extend(line.cells);
        cells.resize(table.columns.len(), Cell::default());
        let row = table.push(cells);
        row.flagged = line.flagged;
        row.dim = line.dim;
    }
    vec![Part::Heading(heading.to_owned()), Part::Table(table)]
}

/// The labels that the results name, each once, in their order.
pub(super) fn labels<'a, T, I: Iterator<Item = &'a str>>(
    results: &Results<'a, T>,
    of_result: impl Fn(&'a T) -> I,
) -> Vec<&'a str> {
    let mut labels = Vec::new();
    for label in results.iter().flat_map(|(_, result)| of_result(result)) {
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    labels
}
