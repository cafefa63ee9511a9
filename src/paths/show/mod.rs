//! Reports as parts of a document, a file a mode.

mod counts;
mod example;
mod fit;
mod listing;
mod per_call;
mod planning;
mod profile;
mod summary;
mod variability;

pub use example::document;
pub use listing::listing;
