//! From stored results to what a pull request is told, for every command that tells it.
//!
//! Three steps that do not know each other: [`find`] compares stored results and needs no token,
//! [`Rendering`] makes texts of what was found, [`posting`] talks to GitHub.

mod arguments;
mod baseline;
mod block;
mod checkout;
mod finding;
mod merge_base;
mod not_needed;
mod notes;
pub(super) mod posting;
mod rendering;

pub(super) use arguments::CommentArguments;
pub(super) use checkout::require_head;
pub(super) use finding::{Baseline, Finding, Question, find};
pub(super) use merge_base::in_clone as merge_base_of;
pub(super) use not_needed::NotNeeded;
pub(super) use rendering::{Rendering, append_summary};
