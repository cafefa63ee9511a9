//! Which benchmarks are measured, and which were lost before that.

use super::super::request::Request;
use super::{Prepared, tell};
use crate::commands::CommandError;
use crate::results::{LeftOut, ResultSet, problem_lines};
use crate::run::{Clock, Filing, Finished, SystemClock, count, take_out_existing, unimportable};
use crate::suite::{Selected, SelectionError};
use crate::sys::printer::Printer;

/// What is going to be measured.
pub(super) struct Choice {
    pub(super) selected: Vec<Selected>,
    /// What the result file has already, where that matters.
    pub(super) existing: Option<ResultSet>,
    /// Benchmarks that failed before they could be run.
    pub(super) lost: Vec<Finished>,
    pub(super) left_out: LeftOut,
}

impl Prepared {
    /// Selects benchmarks and passes over what need not be measured; `None` if nothing is left.
    pub(super) fn choose(
        &self,
        request: &Request<'_>,
        clock: &SystemClock,
        printer: &Printer,
    ) -> Result<Option<Choice>, CommandError> {
        let patterns = &request.selection.bench;
        let selected = match self.session.select(patterns, printer) {
            Err(SelectionError::NoMatch { .. }) if is_just_discover(patterns) => Vec::new(),
            Err(error) => return Err(self.session.of_selection(error)),
            Ok(selected) => selected,
        };
        let mut choice = Choice {
            selected,
            existing: None,
            lost: Vec::new(),
            left_out: LeftOut::default(),
        };
        if let Some(filing) = &self.filing {
            choice.lost = unimportable(
                &filing.known_benchmarks(),
                &self.session.benchmarks,
                &self.session.discovery.module_errors,
                patterns,
                clock.unix_millis(),
            );
            let problems = filing.describe(&self.session.benchmarks)?;
            tell(printer, problem_lines(&problems));
        }
        if choice.selected.is_empty() {
            printer.note("the suite was discovered; nothing is measured");
            return Ok(None);
        }
        if let Some(place) = &self.place {
            choice.left_out = place.left_out(&self.session, &choice.selected);
        }
        if let Some(filing) = self.filing.as_ref().or(self.stored.as_ref()) {
            choice.pass_over_existing(request, filing, printer);
        }
        Ok((!choice.selected.is_empty()).then_some(choice))
    }
}

impl Choice {
    /// Takes out what has results already, as far as that is asked for, and loads them where the
    /// run adds to them.
    fn pass_over_existing(&mut self, request: &Request<'_>, filing: &Filing, printer: &Printer) {
        if request.skip_commits && filing.has_commit() {
            printer.note("the commit has results of this machine already; nothing is measured");
            self.selected.clear();
            return;
        }
        if !request.looks_at_existing() {
            return;
        }
        let (existing, problems) = filing.existing();
        tell(printer, problem_lines(&problems));
        let Some(existing) = existing else {
            return;
        };
        let taken = take_out_existing(&mut self.selected, &existing, request.skip);
        if !taken.is_empty() {
            let who = if taken.len() == 1 {
                "it has"
            } else {
                "they have"
            };
            printer.note(&format!(
                "{} passed over: {who} results already",
                count(taken.len(), "benchmark")
            ));
        }
        self.existing = Some(existing);
    }
}

/// asv's way to ask for nothing but `benchmarks.json`.
fn is_just_discover(patterns: &[String]) -> bool {
    matches!(patterns, [only] if only == "just-discover")
}
