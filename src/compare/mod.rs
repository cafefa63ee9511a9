//! Two sets of results to rows with verdicts (`docs/comparing.md`).
//!
//! [`compare`] is pure: the history behind the verdicts is loaded before, by [`History::load`].

mod absent;
mod accept;
mod asv_rule;
mod cache;
mod cache_format;
mod decide;
mod digest;
mod entry;
mod evidence;
mod fingerprint;
mod history;
mod kind;
mod limits;
mod measured;
mod neighbours;
mod noise;
mod pairs;
mod priors;
mod reason;
mod remarks;
mod rows;
mod subject;
#[cfg(test)]
mod tests;

pub use accept::accept;
pub use cache::Cache;
pub use history::{History, HistoryRequest};
pub use kind::{Metric, metric_of};
pub use limits::{alert_limit, better_of, minimum_effect};
pub use rows::{Input, Options, compare};
