//! The fixtures that there are.

use crate::paths::document::{Part, Table};
use crate::paths::fixture::Entry;

/// `--list` for people.
pub fn listing(entries: &[Entry]) -> Vec<Part> {
    let mut table = Table::new([
        ("Number", true),
        ("Example", false),
        ("Exercises", false),
        ("", false),
    ]);
    for entry in entries {
        let remark = match (&entry.reason, &entry.error) {
            (Some(reason), _) => reason.clone(),
            (None, Some(error)) => format!("cannot be used: {error}"),
            (None, None) => String::new(),
        };
        let row = table.push([
            entry.number.to_string().into(),
            entry.name.as_str().into(),
            entry.exercises.join(", ").into(),
            remark.into(),
        ]);
        row.flagged = entry.error.is_some();
        row.dim = entry.reason.is_some();
    }
    vec![Part::Table(table)]
}
