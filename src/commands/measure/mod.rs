//! What `run`, `quick` and `list` have in common.

mod arguments;
mod conclusion;
mod flow;
mod history;
mod place;
mod session;
mod show_tables;

pub(super) use arguments::{MeasureArguments, SelectionArguments, WorkerArguments};
pub(super) use flow::{Dirty, Request, measure};
pub(super) use history::durations;
pub(super) use session::Session;
