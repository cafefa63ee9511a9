//! Results of many commits as one history: merged, normalised, read as series, searched for changes.

mod borders;
mod changes;
mod error;
mod gather;
mod lifetimes;
mod load;
mod merge;
mod normalise;
mod normaliser;
mod renames;
mod report;
mod series;
#[cfg(test)]
mod testing;
mod values;

pub use changes::{Change, Criteria, changes};
pub use error::HistoryError;
pub use gather::{Gathered, Gathering, Identity, gather, unexplained};
pub use load::{Wanted, load};
pub use merge::{Merged, merge};
pub use normalise::normalise;
pub use renames::Renames;
pub use report::NormaliseReport;
pub use series::{Border, Gap, Line, Series, SeriesSet};
pub use values::FileValues;
