//! JSON as Python's `json` module reads and writes it: bare `NaN` and `Infinity`, integers of any
//! size kept apart from floats, keys in the order of the file, and two writers that reproduce
//! Python's bytes (compact and pretty).

mod read;
mod value;
mod write;

pub use read::{ParseError, parse};
pub use value::{Json, Object};
pub use write::{float_repr, to_compact, to_pretty};
