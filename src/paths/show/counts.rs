//! Counts by stage.

use super::interrupted_before;
use crate::paths::counts::Counts;
use crate::paths::document::{Cell, Part, Table};

pub(super) fn parts(result: &Counts) -> Vec<Part> {
    let mut parts = vec![Part::Heading("Work of a fit".to_owned())];
    if let Some(problem) = &result.problem {
        parts.push(Part::strong(problem.sentence()));
        return parts;
    }
    if result.stages.is_empty() {
        parts.push(interrupted_before("the fit"));
        return parts;
    }
    parts.push(Part::line(format!("One fit on the path {}.", result.path)));
    let mut columns = vec![("After".to_owned(), false)];
    for counter in &result.counters {
        columns.push((counter.clone(), true));
        columns.push(("in this stage".to_owned(), true));
    }
    let mut table = Table::new(
        columns
            .iter()
            .map(|(text, number)| (text.as_str(), *number)),
    );
    for (stage, totals) in result.stages.iter().zip(result.running_totals()) {
        let mut cells: Vec<Cell> = vec![stage.label.as_str().into()];
        for (total, calls) in totals.iter().zip(&stage.calls) {
            cells.push(Cell::strong(total.to_string()));
            cells.push(calls.to_string().into());
        }
        table.push(cells);
    }
    parts.push(Part::Table(table));
    parts
}
