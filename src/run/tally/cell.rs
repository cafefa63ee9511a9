//! What the processes of one combination add up to.

use super::Measured;
use crate::results::{Failure, FailureKind, Value};
use crate::run::columns::Column;
use crate::run::earlier::EarlierCell;
use crate::run::statistics::summarise;

/// One combination while it is measured.
#[derive(Debug, Clone, Default)]
pub(super) struct Cell {
    /// `None` as long as it was not run.
    outcome: Option<Outcome>,
    /// Samples of this run and, with `append`, of earlier ones.
    samples: Vec<f64>,
    sizes: Vec<usize>,
    number: Option<i64>,
}

#[derive(Debug, Clone)]
enum Outcome {
    Samples,
    Plain(Value),
    Failed(Failure),
    Skipped(Failure),
}

impl Cell {
    pub(super) fn was_run(&self) -> bool {
        self.outcome.is_some()
    }

    pub(super) fn failed(&self) -> bool {
        matches!(self.outcome, Some(Outcome::Failed(_)))
    }

    /// Calls per sample.
    pub(super) fn number(&self) -> Option<i64> {
        self.number
    }

    /// Enters what one process found out. The samples of `earlier` come before the first ones.
    pub(super) fn enter(&mut self, measured: Measured, earlier: Option<&EarlierCell>) {
        match measured {
            Measured::Samples(samples, number) => {
                if self.outcome.is_none()
                    && let Some(earlier) = earlier
                    && let Some(old) = &earlier.samples
                {
                    self.samples.clone_from(old);
                    self.sizes.clone_from(&earlier.sizes);
                    if self.sizes.is_empty() {
                        self.sizes.push(old.len());
                    }
                }
                self.sizes.push(samples.len());
                self.samples.extend(samples);
                self.number = Some(number);
                self.outcome = Some(Outcome::Samples);
            }
            Measured::Plain(value) => self.replace(Outcome::Plain(value)),
            Measured::Failed(failure) => self.replace(Outcome::Failed(failure)),
            Measured::Skipped(failure) => self.replace(Outcome::Skipped(failure)),
        }
    }

    /// Takes an outcome without samples in place of everything before it.
    fn replace(&mut self, outcome: Outcome) {
        *self = Self {
            outcome: Some(outcome),
            ..Self::default()
        };
    }

    /// What goes into the result; `None` for a combination that was not run.
    pub(super) fn column(&self) -> Option<Column> {
        Some(match self.outcome.as_ref()? {
            Outcome::Samples => match summarise(&self.samples, self.number.unwrap_or(1)) {
                Some((median, stats)) => Column {
                    value: Value::Number(median.into()),
                    stats: Some(stats),
                    samples: Some(self.samples.clone()),
                    sizes: self.sizes.clone(),
                    failure: None,
                },
                None => Column::failed(Failure {
                    kind: FailureKind::NoValue,
                    message: "returned no samples".to_owned(),
                    details: String::new(),
                }),
            },
            Outcome::Plain(value) => Column {
                failure: None,
                ..Column::plain(value.clone())
            },
            Outcome::Failed(failure) => Column::failed(failure.clone()),
            Outcome::Skipped(failure) => Column {
                failure: Some(failure.clone()),
                ..Column::plain(Value::Skipped)
            },
        })
    }
}
