//! The whole comment, from its marker to its remarks.

use crate::config::ReportSettings;
use crate::report::escape;
use crate::report::row::{Comparison, Side};
use crate::report::verdict::sentence;

use super::folds;
use super::table::{Names, legend, table};

/// The first line of every comment; the check finds the comment by it.
pub const MARKER: &str = "<!-- benchmark-check -->";

/// The comment for a comparison. Its first line is [`MARKER`], its second names HEAD; then come one
/// sentence, the table, and what explains it.
pub fn comment(comparison: &Comparison, settings: &ReportSettings) -> String {
    let names = Names::new(comparison, settings);
    let mut blocks = vec![
        format!(
            "{MARKER}\n{}\n\n**{}**",
            head_marker(&comparison.head),
            sentence(comparison, |row| names.of(row))
        ),
        sides(comparison),
    ];
    blocks.extend(table(comparison, settings));
    blocks.extend(legend(comparison, settings));
    blocks.extend(folds::verdicts(comparison, &names));
    blocks.extend(folds::absent(comparison, &names));
    blocks.extend(folds::differences(comparison));
    blocks.extend(remarks(comparison));
    let mut text = blocks.join("\n\n");
    text.push('\n');
    text
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

fn remarks(comparison: &Comparison) -> Option<String> {
    let lines: Vec<String> = comparison
        .remarks
        .iter()
        .map(|remark| format!("- {}", escape::text(remark)))
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

#[cfg(test)]
mod tests;
