//! Changes at a terminal.

use crate::report::Verdict;
use crate::report::grid::{Align, Grid, Tint, plain_line};
use crate::report::units;

use super::{ChangesReport, LevelChange};

/// A table, the newest change first, and below it what is no change.
pub fn text(report: &ChangesReport, color: bool) -> String {
    let mut blocks = Vec::new();
    if !report.changes.is_empty() {
        blocks.push(grid(report, color));
    }
    blocks.push(plain_line(&report.sentence()));
    if !report.borders.is_empty() {
        let mut lines = vec!["Nothing is compared across these:".to_owned()];
        let borders = report.borders.iter();
        lines.extend(borders.map(|border| format!("  {}", plain_line(&border.to_string()))));
        blocks.push(lines.join("\n"));
    }
    blocks.extend(report.remarks.iter().map(|remark| plain_line(remark)));
    blocks.join("\n\n")
}

fn grid(report: &ChangesReport, color: bool) -> String {
    let several = report.has_several_places();
    let mut columns = vec![
        ("Date", Align::Left),
        ("Verdict", Align::Left),
        ("Before", Align::Right),
        ("After", Align::Right),
        ("Ratio", Align::Right),
        ("Benchmark (Parameter)", Align::Left),
        ("Commits", Align::Left),
        ("Most likely", Align::Left),
        ("Remark", Align::Left),
    ];
    if several {
        columns.insert(1, ("Machine, environment", Align::Left));
    }
    if report
        .changes
        .iter()
        .all(|change| change.remark().is_empty())
    {
        columns.pop();
    }
    let mut grid = Grid::new(columns);
    for change in &report.changes {
        let mut cells = cells(change);
        if several {
            let place = format!("{}, {}", change.machine, change.environment);
            cells.insert(1, place);
        }
        grid.push(cells, tint(change));
    }
    grid.render(color)
}

fn cells(change: &LevelChange) -> Vec<String> {
    let [before, after] = change.levels();
    vec![
        change.likely.day(),
        change.verdict.words().to_owned(),
        before,
        after,
        units::ratio(change.ratio()),
        change.name(),
        change.commits(),
        format!("{} {}", change.likely.short(), change.subject()),
        change.remark().to_owned(),
    ]
}

fn tint(change: &LevelChange) -> Option<Tint> {
    match change.verdict {
        Verdict::Slower if change.versions.is_none() => Some(Tint::Bad),
        Verdict::Faster if change.versions.is_none() => Some(Tint::Good),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::changes::testing::{empty, report};

    #[test]
    fn the_newest_change_comes_first_and_borders_below() {
        insta::assert_snapshot!(text(&report(), false), @r#"
        | Date       | Machine, environment | Verdict |  Before |   After | Ratio | Benchmark (Parameter)                 | Commits                        | Most likely                       | Remark                       |
        |------------|----------------------|---------|--------:|--------:|------:|---------------------------------------|--------------------------------|-----------------------------------|------------------------------|
        | 2024-01-13 | gpu-01, cuda12       | slower  |  100 ms |  125 ms |  1.25 | bench.Solve.time_it(10, '<script>\|') | bbbbbbbb..cccccccc (3 commits) | cccccccc Rewrite @everyone \| now |                              |
        | 2024-01-05 | gpu-02, cuda12       | faster  | 7 calls | 5 calls |  0.71 | bench.track_calls                     | aaaaaaaa                       | aaaaaaaa Fewer calls              | the benchmark itself changed |

        1 lasting change for the worse, 1 for the better in 3 series of 20 commits on main: 60 values.

        Nothing is compared across these:
          gpu-01, cuda12: driver was 550 and is 560 from dddddddd (2024-01-16) on
        "#);
    }

    #[test]
    fn nothing_is_said_in_words() {
        assert_eq!(
            text(&empty(), false),
            "No lasting change in 3 series of 20 commits on main: 60 values."
        );
    }
}
