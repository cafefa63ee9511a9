//! What the rounds of one benchmark add up to.

mod cell;

use std::collections::BTreeSet;
use std::time::Duration;

use crate::json::Object;
use crate::results::{BenchmarkResult, Failure, Value};

use super::columns::{Column, Columns};
use super::earlier::Earlier;
use super::event::Finished;
use super::jobs::Known;
use super::plan::Planned;

use cell::Cell;

/// At most so many bytes of what a benchmark's processes print are kept in memory.
const KEPT_OUTPUT: usize = 32 * 1024;

/// What one process found out about one combination.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Measured {
    /// Seconds per call, and the number of calls of each sample.
    Samples(Vec<f64>, i64),
    Plain(Value),
    Failed(Failure),
    /// Skipped by the suite; asv's `NaN`.
    Skipped(Failure),
}

/// How samples are treated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SampleOptions {
    /// Keep the samples in the result.
    pub record: bool,
    /// Add to the samples that the file already has.
    pub append: bool,
}

/// One benchmark while it is measured.
#[derive(Debug)]
pub(super) struct Tally {
    planned: Planned,
    earlier: Option<Earlier>,
    options: SampleOptions,
    cells: Vec<Cell>,
    started_at: i64,
    /// `None` if no process was started (its `setup_cache` failed).
    duration: Option<f64>,
    flags: BTreeSet<String>,
    facts: Object,
    launches: BTreeSet<&'static str>,
    profile: Option<String>,
    output: String,
    /// Everything that ran in a round failed; it is not run again.
    failed: bool,
}

impl Tally {
    pub(super) fn new(planned: Planned, earlier: Option<Earlier>, options: SampleOptions) -> Self {
        Self {
            cells: vec![Cell::default(); planned.benchmark.combinations()],
            planned,
            earlier,
            options,
            started_at: 0,
            duration: None,
            flags: BTreeSet::new(),
            facts: Object::new(),
            launches: BTreeSet::new(),
            profile: None,
            output: String::new(),
            failed: false,
        }
    }

    /// Whether anything of it was run.
    pub(super) fn begun(&self) -> bool {
        self.cells.iter().any(Cell::was_run)
    }

    /// Whether a round of it came to nothing.
    pub(super) fn failed(&self) -> bool {
        self.failed
    }

    /// A round begins.
    pub(super) fn start(&mut self, unix_millis: i64) {
        self.started_at = unix_millis;
        self.profile = None;
        for index in &self.planned.combinations {
            if self.planned.benchmark.skipped.contains(index) {
                let failure = super::failure::skipped("skipped by the suite's parameters");
                self.cells[*index].enter(Measured::Skipped(failure), None);
                self.duration.get_or_insert(0.0);
            }
        }
    }

    /// What is known of it before a process for `combination` is started.
    pub(super) fn known(&self, combination: usize) -> Known {
        Known {
            number: self.number(combination),
            profile: self.profile.clone(),
        }
    }

    /// The number of calls per sample that an earlier round, or with `append` an earlier run, found
    /// out; it is forced on what follows.
    fn number(&self, combination: usize) -> Option<i64> {
        let cell = &self.cells[combination];
        if cell.was_run() || !self.options.append {
            return cell.number();
        }
        let earlier = self.earlier.as_ref()?.cells.get(combination)?.as_ref()?;
        earlier.stats.as_ref().map(|stats| stats.number)
    }

    /// Notes that a process ran for this benchmark (or for a share of it).
    pub(super) fn ran(&mut self, wall: Duration, launch: &'static str, output: &str) {
        *self.duration.get_or_insert(0.0) += wall.as_secs_f64();
        self.launches.insert(launch);
        if !output.is_empty() {
            if !self.output.is_empty() {
                self.output.push('\n');
            }
            self.output.push_str(output);
            let start = self.output.len().saturating_sub(KEPT_OUTPUT);
            let start = self.output.ceil_char_boundary(start);
            self.output.drain(..start);
        }
    }

    /// What was printed has been shown, and is of no further use.
    pub(super) fn forget_output(&mut self) {
        self.output = String::new();
    }

    pub(super) fn flag(&mut self, flags: &[String]) {
        self.flags.extend(flags.iter().cloned());
    }

    /// Keeps what a process said about the measurement; where processes differ, the last word counts.
    pub(super) fn learn(&mut self, facts: &Object) {
        for (name, fact) in facts {
            self.facts.insert(name.clone(), fact.clone());
        }
    }

    pub(super) fn profiled(&mut self, profile: Option<String>) {
        if profile.is_some() {
            self.profile = profile;
        }
    }

    /// Enters what one process found out. Plain values, failures and skips of a later round replace
    /// those of an earlier one; samples are added to the samples before them.
    pub(super) fn enter(&mut self, combination: usize, measured: Measured) {
        let earlier = self
            .earlier
            .as_ref()
            .filter(|_| self.options.append)
            .and_then(|earlier| earlier.cells.get(combination)?.as_ref());
        self.cells[combination].enter(measured, earlier);
    }

    /// Everything selected failed for one reason.
    pub(super) fn fail(&mut self, failure: &Failure) {
        for combination in self.planned.combinations.clone() {
            self.enter(combination, Measured::Failed(failure.clone()));
        }
        self.failed = true;
    }

    /// A round is over.
    pub(super) fn finish_round(&mut self) {
        let mut ran = self
            .planned
            .combinations
            .iter()
            .filter(|index| !self.planned.benchmark.skipped.contains(index))
            .peekable();
        self.failed = ran.peek().is_some() && ran.all(|index| self.cells[*index].failed());
    }

    /// What there is so far. `interrupted` is the reason of combinations that were not reached.
    pub(super) fn finished(&self, interrupted: Option<&Failure>) -> Finished {
        let mut columns = Columns::default();
        for index in 0..self.cells.len() {
            columns.push(self.cell(index, interrupted));
        }
        let profile = self.profile.clone().or_else(|| {
            let earlier = self.earlier.as_ref()?;
            earlier.profile.clone()
        });
        let launches: Vec<&str> = self.launches.iter().copied().collect();
        let (result, mut provenance) = columns.into_result(self.options.record);
        provenance.flags = self.flags.iter().cloned().collect();
        provenance.facts.clone_from(&self.facts);
        provenance.launch = (!launches.is_empty()).then(|| launches.join(", "));
        Finished {
            benchmark: self.planned.benchmark.clone(),
            combinations: self.planned.combinations.clone(),
            result: BenchmarkResult {
                params: self.planned.benchmark.record.params.clone(),
                version: self.planned.benchmark.record.version.clone(),
                started_at: Some(self.started_at),
                duration: self.duration,
                profile,
                ..result
            },
            provenance,
            output: self.output.clone(),
        }
    }

    fn cell(&self, index: usize, interrupted: Option<&Failure>) -> Column {
        let own = self.cells[index].column();
        own.unwrap_or_else(|| self.not_run(index, interrupted))
    }

    /// A combination that was not selected, or not reached: the older value, if there is one.
    fn not_run(&self, index: usize, interrupted: Option<&Failure>) -> Column {
        let earlier = self.earlier.as_ref().and_then(|all| all.cells.get(index));
        if let Some(Some(earlier)) = earlier {
            return Column {
                value: earlier.value.clone(),
                stats: earlier.stats.clone(),
                samples: earlier.samples.clone(),
                sizes: earlier.sizes.clone(),
                failure: earlier.failure.clone(),
            };
        }
        match interrupted.filter(|_| self.planned.combinations.contains(&index)) {
            Some(failure) => Column::failed(failure.clone()),
            None => Column::plain(Value::Skipped),
        }
    }
}
