//! What `run`, `quick` and `list` have in common.

mod arguments;
mod checks;
mod conclusion;
mod flow;
mod history;
mod place;
mod request;
mod session;
mod show_tables;
mod trust;

pub(super) use arguments::{MeasureArguments, SelectionArguments, SkipArguments, WorkerArguments};
pub(super) use checks::check_package;
pub(super) use flow::{Measured, Start, measure, measure_and_tell};
pub(super) use history::durations;
pub(super) use place::{Place, environment_names};
pub(super) use request::{Dirty, Request};
pub(super) use session::Session;
pub(super) use trust::require_trusted;
