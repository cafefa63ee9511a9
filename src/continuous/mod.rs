//! Base against head in one sitting: pairs of processes, evidence, verdicts (`docs/paired.md`).

mod bench;
mod journal;
mod rows;
mod schedule;
mod selftest;
#[cfg(test)]
mod tests;
mod track;
mod validity;

pub use bench::{Bench, Ended, Facts, Notice, Options};
pub use journal::{Header, Journal, JournalError};
pub use rows::{judge, with_verdicts};
pub use schedule::{Limits, Stage};
pub use selftest::{SelfTest, false_alarms, smallest_found};
pub use track::{Side, Track, Verdict};
