//! The rules, applied to a results folder.

use crate::config::{EnvironmentSettings, HistorySettings};
use crate::results::{Problem, Store};

use super::HistoryError;
use super::gather::{Gathering, gather};
use super::report::NormaliseReport;

/// Makes the results of a folder one history: every rule that is on, file by file, each written whole
/// or not at all. A file that nothing applies to is not touched, so a repetition writes nothing.
///
/// Returns what was done, and the files that could not be read; those stay as they are.
pub fn normalise(
    store: &Store,
    settings: &HistorySettings,
    environment: &EnvironmentSettings,
) -> Result<(NormaliseReport, Vec<Problem>), HistoryError> {
    let gathered = gather(&Gathering {
        target: store,
        local: None,
        settings,
        environment,
        ledger: None,
        values: false,
    })?;
    Ok((gathered.report, gathered.merged.problems))
}

#[cfg(test)]
mod tests;
