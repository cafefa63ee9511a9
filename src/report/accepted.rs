//! Regressions that the project wants, and what became of each declaration in a comparison.

use jiff::civil::Date;

use super::row::{Comparison, Row};
use super::units::percent;

/// More rows than this are counted instead of named.
const MOST_NAMES: usize = 5;

/// A declaration, and the rows that it is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Acceptance {
    /// Benchmarks as they were declared, and the parameters' values where those were.
    pub benchmarks: Vec<String>,
    pub params: Option<Vec<String>>,
    /// Relative change that is still accepted.
    pub up_to: f64,
    pub reason: String,
    /// The last day on which it counts.
    pub expires: Date,
    /// Whether that day is over; then it is ignored.
    pub is_expired: bool,
    /// Whether HEAD ran anything that it is about.
    pub is_about_something: bool,
    /// Regressions that it accepts: they are shown and do not gate.
    pub rows: Vec<RowKey>,
    /// Regressions that it is about and that are larger: they gate.
    pub beyond: Vec<RowKey>,
}

/// Which row of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowKey {
    pub benchmark: String,
    pub combination: usize,
}

/// What became of a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AcceptanceState {
    /// It accepts something.
    Used,
    /// All regressions that it is about are larger.
    Exceeded,
    /// Nothing that it is about got worse.
    Unused,
    /// Its day is over.
    Expired,
}

impl AcceptanceState {
    /// The word of the JSON report.
    pub fn key(self) -> &'static str {
        match self {
            Self::Used => "used",
            Self::Exceeded => "exceeded",
            Self::Unused => "unused",
            Self::Expired => "expired",
        }
    }
}

impl RowKey {
    pub fn of(row: &Row) -> Self {
        Self {
            benchmark: row.benchmark.clone(),
            combination: row.combination,
        }
    }

    fn is_of(&self, row: &Row) -> bool {
        self.benchmark == row.benchmark && self.combination == row.combination
    }
}

impl Acceptance {
    pub fn state(&self) -> AcceptanceState {
        if self.is_expired {
            AcceptanceState::Expired
        } else if !self.rows.is_empty() {
            AcceptanceState::Used
        } else if !self.beyond.is_empty() {
            AcceptanceState::Exceeded
        } else {
            AcceptanceState::Unused
        }
    }

    /// What was declared: `m.time_a(5), m.time_b(5)`.
    pub fn declared(&self) -> String {
        let params = match &self.params {
            Some(params) => format!("({})", params.join(", ")),
            None => String::new(),
        };
        let names: Vec<String> = self
            .benchmarks
            .iter()
            .map(|name| format!("{name}{params}"))
            .collect();
        names.join(", ")
    }

    /// Why it has no effect, or not on all; `None` where it does all that it can. `name` says what a
    /// row is called where the sentence goes.
    pub fn complaint(&self, name: impl Fn(&RowKey) -> String) -> Option<String> {
        let mut beyond: Vec<String> = self.beyond.iter().take(MOST_NAMES).map(name).collect();
        if self.beyond.len() > MOST_NAMES {
            beyond.push(format!("and {} more", self.beyond.len() - MOST_NAMES));
        }
        match self.state() {
            AcceptanceState::Expired => {
                Some(format!("expired on {}, so it is ignored", self.expires))
            }
            AcceptanceState::Unused if !self.is_about_something => {
                Some("no benchmark that HEAD ran is called so".to_owned())
            }
            AcceptanceState::Unused => {
                Some("nothing that it is about got worse, so it is not needed".to_owned())
            }
            AcceptanceState::Used | AcceptanceState::Exceeded => (!beyond.is_empty()).then(|| {
                format!(
                    "more than {} worse, so not accepted: {}",
                    percent(self.up_to),
                    beyond.join(", ")
                )
            }),
        }
    }

    /// Whether it accepts a row.
    pub fn accepts(&self, row: &Row) -> bool {
        self.rows.iter().any(|key| key.is_of(row))
    }
}

impl Comparison {
    /// Whether a row's regression is wanted.
    pub fn is_accepted(&self, row: &Row) -> bool {
        self.accepted.iter().any(|one| one.accepts(row))
    }

    /// How many rows' regressions are wanted.
    pub fn count_accepted(&self) -> usize {
        let accepted = self.rows.iter().filter(|row| self.is_accepted(row));
        accepted.count()
    }
}
