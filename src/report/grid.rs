//! Aligned tables of plain characters, with pipes that Markdown understands too.

use unicode_width::UnicodeWidthStr;

/// On which side a column's cells stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

/// How a row stands out on a terminal that takes colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tint {
    Good,
    Bad,
    Dim,
}

impl Tint {
    fn code(self) -> &'static str {
        match self {
            Self::Good => "\x1b[32m",
            Self::Bad => "\x1b[31m",
            Self::Dim => "\x1b[90m",
        }
    }
}

/// A table: a heading for each column, and rows of as many cells.
#[derive(Debug, Clone)]
pub struct Grid {
    headings: Vec<String>,
    alignments: Vec<Align>,
    rows: Vec<(Vec<String>, Option<Tint>)>,
}

impl Grid {
    pub fn new<'a>(columns: impl IntoIterator<Item = (&'a str, Align)>) -> Self {
        let (headings, alignments) = columns
            .into_iter()
            .map(|(heading, alignment)| (plain(heading), alignment))
            .unzip();
        Self {
            headings,
            alignments,
            rows: Vec::new(),
        }
    }

    /// Adds a row with a cell for each column; what would break the line is spelt out.
    pub fn push(&mut self, cells: impl IntoIterator<Item = String>, tint: Option<Tint>) {
        let mut cells: Vec<String> = cells.into_iter().map(plain).collect();
        cells.resize(self.headings.len(), String::new());
        self.rows.push((cells, tint));
    }

    /// The lines of the table, the last without a line break.
    pub fn render(&self, color: bool) -> String {
        let widths = self.widths();
        let mut out = String::with_capacity(
            (self.rows.len() + 2) * (widths.iter().sum::<usize>() + 3 * widths.len() + 2),
        );
        self.line(&mut out, &self.headings, &widths);
        out.push('\n');
        for (width, alignment) in widths.iter().zip(&self.alignments) {
            out.push('|');
            out.extend(std::iter::repeat_n('-', width + 1));
            out.push(if *alignment == Align::Right { ':' } else { '-' });
        }
        out.push('|');
        for (cells, tint) in &self.rows {
            out.push('\n');
            match tint.filter(|_| color) {
                Some(tint) => {
                    out.push_str(tint.code());
                    self.line(&mut out, cells, &widths);
                    out.push_str("\x1b[0m");
                }
                None => self.line(&mut out, cells, &widths),
            }
        }
        out
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths = vec![0; self.headings.len()];
        let all = std::iter::once(&self.headings).chain(self.rows.iter().map(|(cells, _)| cells));
        for cells in all {
            for (width, cell) in widths.iter_mut().zip(cells) {
                *width = (*width).max(seen_width(cell));
            }
        }
        widths
    }

    fn line(&self, out: &mut String, cells: &[String], widths: &[usize]) {
        for ((cell, width), alignment) in cells.iter().zip(widths).zip(&self.alignments) {
            let padding = std::iter::repeat_n(' ', width - seen_width(cell));
            out.push_str("| ");
            match alignment {
                Align::Left => {
                    out.push_str(cell);
                    out.extend(padding);
                }
                Align::Right => {
                    out.extend(padding);
                    out.push_str(cell);
                }
            }
            out.push(' ');
        }
        out.push('|');
    }
}

/// Columns of the terminal that a text without control characters takes.
fn seen_width(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.width()
    }
}

/// Text that stays on its line and in its cell, and says nothing to the terminal: control
/// characters are spelt out as in Rust and Python, and a pipe gets a backslash.
pub fn plain(text: impl Into<String>) -> String {
    let text = text.into();
    // Nearly every cell is plain already, and looking at bytes is fast.
    let is_plain = |byte: u8| (b' '..=b'~').contains(&byte) && byte != b'|';
    if text.bytes().all(is_plain) || !text.contains(|c: char| c == '|' || is_unsafe(c)) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match character {
            '|' => out.push_str("\\|"),
            _ if is_unsafe(character) => out.extend(character.escape_unicode()),
            _ => out.push(character),
        }
    }
    out
}

/// One line for a terminal outside a table: as [`plain`], and pipes stay.
pub fn plain_line(text: &str) -> String {
    text.chars()
        .map(|character| match character {
            '\n' | '\r' | '\t' => " ".to_owned(),
            _ if is_unsafe(character) => character.escape_unicode().to_string(),
            _ => character.to_string(),
        })
        .collect()
}

/// Control characters and those that change the direction of what follows.
fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Grid {
        let mut grid = Grid::new([
            ("Change", Align::Left),
            ("Ratio", Align::Right),
            ("Benchmark", Align::Left),
        ]);
        grid.push(["+".into(), "12.34".into(), "a".into()], Some(Tint::Bad));
        grid.push([String::new(), "n/a".into(), "中|b\n".into()], None);
        grid
    }

    #[test]
    fn columns_are_aligned_by_what_is_seen() {
        let expected = [
            "| Change | Ratio | Benchmark  |",
            "|--------|------:|------------|",
            "| +      | 12.34 | a          |",
            "|        |   n/a | 中\\|b\\u{a} |",
        ];
        assert_eq!(grid().render(false), expected.join("\n"));
    }

    #[test]
    fn colours_surround_whole_lines_and_add_nothing_else() {
        let colored = grid().render(true);
        assert!(colored.contains("\x1b[31m| +      | 12.34 | a          |\x1b[0m\n"));
        let stripped = colored.replace("\x1b[31m", "").replace("\x1b[0m", "");
        assert_eq!(stripped, grid().render(false));
    }

    #[test]
    fn nothing_speaks_to_the_terminal() {
        assert_eq!(plain("\x1b[2Jx"), "\\u{1b}[2Jx");
        assert_eq!(plain("a\u{202e}b"), "a\\u{202e}b");
        assert_eq!(plain_line("a|b\nc\x07"), "a|b c\\u{7}");
        assert_eq!(plain("time_é"), "time_é");
    }
}
