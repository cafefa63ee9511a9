//! Lasting changes in a history, for people.

mod document;
mod markdown;
mod terminal;
#[cfg(test)]
mod testing;

pub use document::{ChangedCommit, ChangesReport, LevelChange, SurroundingChange};
pub use markdown::markdown;
pub use terminal::text;
