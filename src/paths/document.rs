//! A report as titles, lines and tables, free of any format; and the two formats for people.

use crate::report::escape;
use crate::report::grid::{Align, Grid, Tint, plain_line};

/// A piece of a report.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// The name of an example.
    Title(String),
    /// The name of a mode.
    Heading(String),
    /// A line of text; strong where it matters most.
    Line {
        text: String,
        strong: bool,
    },
    Table(Table),
}

/// A table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    /// Headings, and whether a column holds numbers.
    pub columns: Vec<(String, bool)>,
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    pub cells: Vec<Cell>,
    /// It needs attention.
    pub flagged: bool,
    /// It is there for completeness.
    pub dim: bool,
}

/// A cell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cell {
    pub text: String,
    /// What the reader looks for.
    pub strong: bool,
}

/// How people see a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For a terminal.
    Table {
        color: bool,
    },
    Markdown,
}

impl Part {
    pub(crate) fn line(text: impl Into<String>) -> Self {
        Self::Line {
            text: text.into(),
            strong: false,
        }
    }

    pub(crate) fn strong(text: impl Into<String>) -> Self {
        Self::Line {
            text: text.into(),
            strong: true,
        }
    }
}

impl Cell {
    pub(crate) fn strong(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            strong: true,
        }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self {
            text,
            strong: false,
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl Table {
    /// A table with these columns: the heading, and whether it holds numbers.
    pub(crate) fn new<'a>(columns: impl IntoIterator<Item = (&'a str, bool)>) -> Self {
        Self {
            columns: columns
                .into_iter()
                .map(|(heading, number)| (heading.to_owned(), number))
                .collect(),
            rows: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, cells: impl IntoIterator<Item = Cell>) -> &mut Row {
        let at = self.rows.len();
        self.rows.push(Row {
            cells: cells.into_iter().collect(),
            ..Row::default()
        });
        &mut self.rows[at]
    }
}

/// The text of a report.
pub fn render(parts: &[Part], format: Format) -> String {
    let mut out = String::new();
    let mut before: Option<&Part> = None;
    for part in parts {
        let text = match format {
            Format::Table { color } => terminal(part, color),
            Format::Markdown => markdown(part),
        };
        if let Some(before) = before {
            out.push('\n');
            if !are_neighbours(before, part, format) {
                out.push('\n');
            }
        }
        out.push_str(&text);
        before = Some(part);
    }
    out
}

/// Whether no empty line stands between two parts: lines of text stand together on a terminal, and a
/// title with what follows it.
fn are_neighbours(before: &Part, part: &Part, format: Format) -> bool {
    if format == Format::Markdown {
        return false;
    }
    matches!(
        (before, part),
        (
            Part::Title(_) | Part::Heading(_),
            Part::Line { .. } | Part::Table(_)
        ) | (Part::Line { .. }, Part::Line { .. })
    )
}

fn terminal(part: &Part, color: bool) -> String {
    match part {
        Part::Title(text) => {
            let text = plain_line(text);
            let rule = "=".repeat(text.chars().count());
            format!("{text}\n{rule}")
        }
        Part::Heading(text) => format!("{}:", plain_line(text)),
        Part::Line { text, .. } => plain_line(text),
        Part::Table(table) => {
            let columns = table.columns.iter().map(|(heading, number)| {
                let align = if *number { Align::Right } else { Align::Left };
                (heading.as_str(), align)
            });
            let mut grid = Grid::new(columns);
            for row in &table.rows {
                let cells = row.cells.iter().map(|cell| cell.text.clone());
                let tint = match (row.flagged, row.dim) {
                    (true, _) => Some(Tint::Bad),
                    (false, true) => Some(Tint::Dim),
                    (false, false) => None,
                };
                grid.push(cells, tint);
            }
            grid.render(color)
        }
    }
}

fn markdown(part: &Part) -> String {
    match part {
        Part::Title(text) => format!("## {}", escape::text(text)),
        Part::Heading(text) => format!("### {}", escape::text(text)),
        Part::Line { text, strong } => emphasised(text, *strong),
        Part::Table(table) => {
            let headings: Vec<String> = table
                .columns
                .iter()
                .map(|(heading, _)| escape::text(heading))
                .collect();
            let rules: Vec<&str> = table
                .columns
                .iter()
                .map(|(_, number)| if *number { "---:" } else { "---" })
                .collect();
            let mut lines = vec![
                format!("| {} |", headings.join(" | ")),
                format!("|{}|", rules.join("|")),
            ];
            for row in &table.rows {
                let cells: Vec<String> = row
                    .cells
                    .iter()
                    .map(|cell| emphasised(&cell.text, cell.strong))
                    .collect();
                lines.push(format!("| {} |", cells.join(" | ")));
            }
            lines.join("\n")
        }
    }
}

fn emphasised(text: &str, strong: bool) -> String {
    let text = escape::text(text);
    if strong && !text.is_empty() {
        format!("**{text}**")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts() -> Vec<Part> {
        let mut table = Table::new([("Path", false), ("Time", true)]);
        table.push(["a|b".into(), Cell::strong("1.5 ms")]);
        table.push(["c".into(), "20 ms".into()]).flagged = true;
        vec![
            Part::Title("02_x".to_owned()),
            Part::line("one <b>"),
            Part::strong("two"),
            Part::Heading("Per call".to_owned()),
            Part::Table(table),
            Part::line("end"),
        ]
    }

    #[test]
    fn a_terminal_gets_aligned_tables_and_few_empty_lines() {
        insta::assert_snapshot!(render(&parts(), Format::Table { color: false }), @r"
        02_x
        ====
        one <b>
        two

        Per call:
        | Path |   Time |
        |------|-------:|
        | a\|b | 1.5 ms |
        | c    |  20 ms |

        end
        ");
    }

    #[test]
    fn markdown_escapes_and_emphasises() {
        insta::assert_snapshot!(render(&parts(), Format::Markdown), @r"
        ## 02_x

        one &#60;b&#62;

        **two**

        ### Per call

        | Path | Time |
        |---|---:|
        | a&#124;b | **1.5 ms** |
        | c | 20 ms |

        end
        ");
    }
}
