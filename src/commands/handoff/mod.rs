//! What a measurement without a token hands to a job that may write to GitHub: one JSON document.

mod baseline;
mod document;

pub(super) use document::{Handoff, HandoffError, Told};
