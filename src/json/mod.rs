//! JSON as Python's `json` module reads and writes it: bare `NaN` and `Infinity`, integers of any
//! size kept apart from floats, keys in the order of the file, and two writers that reproduce
//! Python's bytes (compact and pretty).
//!
//! A lone surrogate (`"\ud800"`), which Python writes and Rust's strings cannot hold, is kept in
//! memory as U+10FFFF followed by a private-use character, and is written as it was read.

mod prepare;
mod read;
mod scan;
#[cfg(test)]
pub(crate) mod testing;
mod tree;
mod value;
mod write;

pub use read::{ParseError, parse, read_with};
pub use scan::Scanner;
pub use tree::{Tree, marked_number, plain_text};
pub use value::{Json, Object, object};
pub use write::{float_repr, to_compact, to_pretty};
