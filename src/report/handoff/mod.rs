//! A comparison as a document that crosses a border of trust: written by a job that ran a fork's code,
//! read by one that may write to GitHub.
//!
//! The reader takes it for hostile. Every key is known, every text has a greatest length, every number
//! a range, and nothing in it is markup: what is read is the same typed [`Comparison`] that every
//! renderer escapes.

mod document;
mod limits;
mod read;
mod write;

pub use document::ComparisonDocument;
pub use limits::Refused;

#[cfg(test)]
mod tests;
