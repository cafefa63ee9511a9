//! TOML files of a project, as far as they are there.

use std::path::Path;

use fs_err as fs;
use toml::{Table, Value};

use crate::commands::CommandError;

/// The tables of the nearest `pyproject.toml`; empty where there is none.
pub(super) fn pyproject(folder: &Path, top: &Path) -> Result<Table, CommandError> {
    for above in [folder, top] {
        if let Some(table) = table(&above.join("pyproject.toml"))? {
            return Ok(table);
        }
    }
    Ok(Table::new())
}

/// The tables of a file; `None` where there is none.
pub(super) fn table(path: &Path) -> Result<Option<Table>, CommandError> {
    if !path.is_file() {
        return Ok(None);
    }
    let text = fs::read_to_string(path)?;
    text.parse().map(Some).map_err(|error: toml::de::Error| {
        let error = anyhow::anyhow!("{} is no TOML: {}", path.display(), error.message());
        CommandError::usage(error)
    })
}

/// Walks down tables by their names.
pub(super) fn at<'a>(table: &'a Table, path: &[&str]) -> Option<&'a Value> {
    let (first, rest) = path.split_first()?;
    let value = table.get(*first)?;
    if rest.is_empty() {
        return Some(value);
    }
    at(value.as_table()?, rest)
}
