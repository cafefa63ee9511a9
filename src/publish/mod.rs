//! The site repository: its history brought here, added to, and pushed back.

mod cycle;
mod error;
mod site;
#[cfg(test)]
mod tests;
mod unpushed;

pub use cycle::{Outcome, Published, Request, add_results, publish};
pub use error::{DrawError, PublishError};
pub use site::SitePlace;
