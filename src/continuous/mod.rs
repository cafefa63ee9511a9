//! Base against head in one sitting: pairs of processes, evidence, verdicts (`docs/paired.md`).

mod bench;
mod journal;
mod rows;
mod schedule;
mod selftest;
mod sitting;
mod target;
#[cfg(test)]
mod tests;
mod track;
mod validity;
mod waits;

pub use bench::Bench;
pub use journal::{Header, Journal, JournalError};
pub use rows::{judge, with_verdicts};
pub use schedule::{Limits, Stage};
pub use selftest::{SelfTest, false_alarms, smallest_found};
pub use sitting::{Ended, Notice, Options};
pub use target::Facts;
pub use track::{Side, Track, Verdict};
pub use waits::Waits;
