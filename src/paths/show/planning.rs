//! The cost of planning.

use super::interrupted_before;
use crate::paths::document::{Cell, Part, Table};
use crate::paths::planning::{PlanTime, REMARKABLE_SHARE, StagePlanning};
use crate::paths::text;
use crate::report::units;

pub(super) fn parts(result: &PlanTime) -> Vec<Part> {
    let mut parts = vec![Part::Heading("Planning".to_owned())];
    if let Some(problem) = &result.problem {
        parts.push(Part::strong(problem.sentence()));
        return parts;
    }
    if result.stages.is_empty() {
        parts.push(interrupted_before("the fit"));
        return parts;
    }
    parts.push(Part::line(format!("One fit on the path {}.", result.path)));
    if let Some(remark) = &result.remark {
        parts.push(Part::line(format!(
            "Only what is planned before that is found out: {remark}."
        )));
    }
    let mut columns: Vec<(&str, bool)> = vec![("Stage", false)];
    columns.extend(result.parts.iter().map(|part| (part.as_str(), true)));
    columns.extend([
        ("Planning", true),
        ("Wall time", true),
        ("Share", true),
        ("", false),
    ]);
    let mut table = Table::new(columns);
    for stage in result.stages.iter().chain(&result.whole) {
        push(&mut table, stage);
    }
    parts.push(Part::Table(table));
    parts
}

fn push(table: &mut Table, stage: &StagePlanning) {
    let mut cells: Vec<Cell> = vec![stage.label.as_str().into()];
    for part in &stage.parts {
        let shown = if part.calls == 0 {
            "no call".to_owned()
        } else {
            format!(
                "{} in {}",
                text::seconds(part.seconds),
                text::count(part.calls, "call")
            )
        };
        cells.push(shown.into());
    }
    cells.push(text::seconds(stage.planning).into());
    cells.push(text::seconds(stage.seconds).into());
    cells.push(Cell::strong(units::percent(stage.share)));
    let flag = if stage.remarkable {
        format!("above {}", units::percent(REMARKABLE_SHARE))
    } else {
        String::new()
    };
    cells.push(flag.into());
    table.push(cells).flagged = stage.remarkable;
}
