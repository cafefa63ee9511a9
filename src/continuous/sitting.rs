//! What a sitting is asked to do, what is said of it meanwhile, and how it ends.

use crate::run::{Outcome, Sampling};
use crate::stats::LowEstimator;

use super::schedule::{Limits, Stage};
use super::track::{Side, Track};
use super::waits::Waits;

/// How pairs are measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    pub limits: Limits,
    pub sampling: Sampling,
    pub estimator: LowEstimator,
    pub seed: u64,
}

/// Something that happened, for who watches. Said between pairs only.
#[derive(Debug, Clone, PartialEq)]
pub enum Notice<'a> {
    /// A stage begins, with so many benchmarks in it.
    Stage(Stage, usize),
    /// Pair number `pair` (from 1) of this is about to be measured.
    Pair {
        name: &'a str,
        pair: usize,
    },
    Void {
        name: &'a str,
        reason: &'a str,
    },
    Failed {
        name: &'a str,
        side: Side,
        reason: &'a str,
    },
    /// The time is used up.
    BudgetSpent,
}

/// How it ended.
#[derive(Debug, Clone)]
pub struct Ended {
    pub tracks: Vec<Track>,
    pub base: Outcome,
    pub head: Outcome,
    pub interrupted: Option<i32>,
    pub budget_spent: bool,
    pub waits: Waits,
}
