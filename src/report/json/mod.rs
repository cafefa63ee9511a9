//! The reports for programs: strict JSON with a version, described in `docs/json.md`.

mod changes;
mod comparison;
mod listing;
mod value;

pub use changes::changes;
pub use comparison::comparison;
pub use listing::{results, series};

use serde::Serialize;

/// Version of the layout; it grows when a key changes its meaning or goes away.
pub const FORMAT: u32 = 1;

/// Pretty-printed, so that a person can read it as well.
pub(crate) fn print(document: &impl Serialize) -> String {
    // The documents hold strings, numbers and lists alone, which always serialise.
    serde_json::to_string_pretty(document).unwrap_or_default()
}
