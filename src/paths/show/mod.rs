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

use super::document::Part;

pub use example::document;
pub use listing::listing;
pub use profile::suite_profile;

/// Stands where an interruption left nothing to show.
fn interrupted_before(what: &str) -> Part {
    Part::line(format!("Interrupted before {what} was done."))
}
