//! Numbers for people: asv's forms for the table that looks like asv's, and units that fit the
//! metric for the report.

pub mod asv;
mod decimal;
mod instant;
mod metric;

pub use decimal::{general, scientific};
pub use instant::instant;
pub use metric::{Scale, coverage, percent, ratio};
