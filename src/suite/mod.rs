//! Benchmarks and parameters as types, and their selection by regular expression.

mod benchmark;
mod pattern;
mod python_regex;
mod selection;

pub use benchmark::{Benchmark, Kind, benchmarks_of};
pub use pattern::{Pattern, PatternError};
pub use python_regex::TranslateError;
pub use selection::{Selected, SelectionError, select, without_combinations};
