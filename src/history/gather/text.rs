//! The rules, applied to the text of one result file.

use std::sync::Arc;

use crate::config::{EnvironmentSettings, HistorySettings};
use crate::history::normaliser::{Normaliser, Place};
use crate::history::renames::Renames;
use crate::history::report::NormaliseReport;
use crate::history::values::{FileValues, KeptValues};
use crate::results::{Detail, Problem, RawResults, ResultFile, ResultSet};

use super::ledger::Facts;

/// The rules that are applied.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules<'a> {
    pub(super) settings: &'a HistorySettings,
    pub(super) environment: &'a EnvironmentSettings,
    pub(super) renames: &'a Renames,
    /// Where the numbers of files go that are read.
    pub(super) values: Option<&'a KeptValues>,
}

/// A result file and what the rules make of it.
#[derive(Debug)]
pub(super) struct Normalised {
    /// What is to be stored; `None` if the text stays as it is.
    pub(super) finished: Option<String>,
    /// The text as asv reads it, where it does not read the given one; without the rules.
    pub(super) plain: Option<String>,
    pub(super) commit: String,
    /// The environment's name in the file.
    pub(super) stored_environment: String,
    pub(super) facts: Facts,
    /// The numbers, where they were wanted and easily had.
    pub(super) values: Option<FileValues>,
    pub(super) problems: Vec<Problem>,
}

impl Normalised {
    /// What is to be stored, the text having been this one.
    pub(super) fn outcome_of<'t>(&'t self, text: &'t str) -> &'t str {
        let plain = self.plain.as_deref();
        self.finished.as_deref().or(plain).unwrap_or(text)
    }
}

impl Rules<'_> {
    /// Reads a text and applies the rules. Files that are as asv writes them stay text but for what
    /// changes.
    pub(super) fn apply(
        &self,
        text: &str,
        file: &ResultFile,
        place: Place<'_>,
        report: &mut NormaliseReport,
    ) -> Result<Normalised, Problem> {
        let normaliser = Normaliser {
            settings: self.settings,
            environment: self.environment,
            renames: self.renames,
        };
        if let Some(mut raw) = RawResults::read(text).filter(|raw| !self.renames_in(&raw.set)) {
            if let Some(problem) = file.wrong_machine(&raw.set) {
                return Err(problem);
            }
            let stored = raw.set.env_name.clone();
            let changed = normaliser.apply(&mut raw.set, place, report);
            let finished = changed.then(|| raw.to_text());
            let problems = file.remarks(std::mem::take(&mut raw.remarks));
            let values = self
                .values
                .and_then(|known| FileValues::of_raw(&raw, self.settings.rules, known));
            return Ok(Normalised {
                values,
                ..normalised(&raw.set, stored, finished, None, problems)
            });
        }
        let (loaded, problems) = file.read(text, Detail::Full)?;
        let mut set = loaded.set;
        let stored = set.env_name.clone();
        let plain = RawResults::read(text).is_none().then(|| set.to_text());
        let changed = normaliser.apply(&mut set, place, report);
        let finished = changed.then(|| set.to_text());
        Ok(normalised(&set, stored, finished, plain, problems))
    }

    fn renames_in(&self, set: &ResultSet) -> bool {
        self.settings.rules.renames
            && set
                .results
                .keys()
                .any(|name| self.renames.new_name(name).is_some())
    }
}

fn normalised(
    set: &ResultSet,
    stored_environment: String,
    finished: Option<String>,
    plain: Option<String>,
    problems: Vec<Problem>,
) -> Normalised {
    let names: Vec<String> = set.results.keys().cloned().collect();
    Normalised {
        finished,
        plain,
        commit: set.commit_hash.clone(),
        stored_environment,
        facts: Facts {
            commit: set.commit_hash.clone(),
            date: set.date.unwrap_or(0),
            environment: set.env_name.clone(),
            python: set.python.clone(),
            names: Arc::from(names),
        },
        values: None,
        problems,
    }
}
