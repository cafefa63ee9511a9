//! The whole comment, from its marker to its remarks.

use crate::config::ReportSettings;
use crate::report::escape;
use crate::report::row::{Comparison, Side};
use crate::report::shorten::shorten;
use crate::report::verdict::sentence;

use super::table::{Names, legend, table};
use super::{acceptances, folds};

/// The first line of every comment; the check finds the comment by it.
pub const MARKER: &str = "<!-- benchmark-check -->";

/// Longer names are cut in the middle where a comment is brief.
const MOST_OF_A_BRIEF_NAME: usize = 80;

/// How much of a comparison a comment shows.
#[derive(Debug, Clone, Copy)]
pub struct Excerpt<'a> {
    /// The comparison with only the rows, absences, differences and remarks that are shown.
    pub shown: &'a Comparison,
    /// HTML comments for programs, put right under those of every comment.
    pub blocks: &'a [String],
    /// Lines of Markdown at the end, each an item of a list.
    pub notes: &'a [String],
    /// Cut long names in the sentence, so that its length is bounded.
    pub brief: bool,
}

/// The comment for a comparison. Its first line is [`MARKER`], its second names HEAD; then come one
/// sentence, the table, and what explains it.
pub fn comment(comparison: &Comparison, settings: &ReportSettings) -> String {
    let excerpt = Excerpt {
        shown: comparison,
        blocks: &[],
        notes: &[],
        brief: false,
    };
    comment_of(comparison, &excerpt, settings)
}

/// A comment whose sentence is about the whole comparison and whose tables show an excerpt.
pub fn comment_of(whole: &Comparison, excerpt: &Excerpt, settings: &ReportSettings) -> String {
    let shown = excerpt.shown;
    let names = Names::new(whole, settings);
    let mut top = vec![MARKER.to_owned(), head_marker(&whole.head)];
    top.extend(excerpt.blocks.iter().cloned());
    let sentence = sentence(whole, |row| {
        if excerpt.brief {
            escape::text(&shorten(&row.benchmark, MOST_OF_A_BRIEF_NAME))
        } else {
            names.of(row)
        }
    });
    let mut blocks = vec![
        format!("{}\n\n**{sentence}**", top.join("\n")),
        if excerpt.brief {
            sides(&brief(whole))
        } else {
            sides(whole)
        },
    ];
    blocks.extend(table(shown, settings));
    blocks.extend(legend(shown, settings));
    blocks.extend(acceptances::accepted(shown, &names));
    blocks.extend(acceptances::ignored(shown, &names));
    blocks.extend(folds::verdicts(shown, &names));
    blocks.extend(folds::absent(shown, &names));
    blocks.extend(folds::differences(shown));
    blocks.extend(remarks(shown, excerpt.notes));
    let mut text = blocks.join("\n\n");
    text.push('\n');
    text
}

/// Both sides with names of a bounded length, and nothing else.
fn brief(whole: &Comparison) -> Comparison {
    let cut = |side: &Side| Side {
        commit: side.commit.clone(),
        name: side
            .name
            .as_deref()
            .map(|name| shorten(name, MOST_OF_A_BRIEF_NAME)),
        machine: shorten(&side.machine, MOST_OF_A_BRIEF_NAME),
        environment: shorten(&side.environment, MOST_OF_A_BRIEF_NAME),
    };
    Comparison {
        base: whole.base.as_ref().map(cut),
        head: cut(&whole.head),
        rows: Vec::new(),
        absent: Vec::new(),
        accepted: Vec::new(),
        differences: Vec::new(),
        remarks: Vec::new(),
    }
}

fn head_marker(head: &Side) -> String {
    format!("<!-- head-sha:{} -->", short_hash(&head.commit))
}

/// Eight hexadecimal digits; what is no digit of a hash cannot close the marker.
fn short_hash(commit: &str) -> String {
    commit
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .take(8)
        .collect()
}

/// Which commits were compared, and where they were measured. The hashes are meant to become links.
fn sides(comparison: &Comparison) -> String {
    let head = &comparison.head;
    let place = |side: &Side| {
        format!(
            "machine {}, environment {}",
            escape::text(&side.machine),
            escape::text(&side.environment)
        )
    };
    match &comparison.base {
        Some(base) if (&base.machine, &base.environment) == (&head.machine, &head.environment) => {
            format!(
                "before: {}, after: {}; {}",
                named(base),
                named(head),
                place(head)
            )
        }
        Some(base) => format!(
            "before: {} ({}), after: {} ({})",
            named(base),
            place(base),
            named(head),
            place(head)
        ),
        None => format!("HEAD: {}; {}", named(head), place(head)),
    }
}

fn named(side: &Side) -> String {
    let hash = short_hash(&side.commit);
    match &side.name {
        Some(name) => format!("{hash} ({})", escape::text(name)),
        None => hash,
    }
}

fn remarks(comparison: &Comparison, notes: &[String]) -> Option<String> {
    let remarks = comparison.remarks.iter().map(|remark| escape::text(remark));
    let lines: Vec<String> = remarks
        .chain(notes.iter().cloned())
        .map(|line| format!("- {line}"))
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

#[cfg(test)]
mod tests;
