//! What people and machines read: labels, units, the terminal table, Markdown and JSON. Pure
//! functions of typed rows.

mod accepted;
pub mod changes;
pub mod escape;
mod gate;
pub mod grid;
mod group;
pub mod handoff;
pub mod json;
mod labels;
pub mod listing;
pub mod markdown;
pub mod order;
mod row;
mod shorten;
pub mod show;
pub mod terminal;
#[cfg(test)]
mod testing;
pub mod units;
pub mod verdict;
pub(crate) mod words;

pub use accepted::{Acceptance, AcceptanceState, RowKey};
pub use gate::Gate;
pub use group::{Group, Line, groups};
pub use labels::{Label, Labels, matches_benchmark};
pub use row::{
    Absence, AbsentBenchmark, Alert, Cell, Comparison, Confidence, Difference, Estimator, Mark,
    MetricKind, Row, Side, Strength, Verdict,
};
pub use shorten::shorten;
