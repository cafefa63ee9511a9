//! The tolerant reader.

use super::Json;

/// Where and why a text is no JSON.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ParseError {
    /// 1-based line.
    pub line: usize,
    /// 1-based column, in characters.
    pub column: usize,
    pub message: String,
}

/// Reads JSON as Python's `json.loads` does: `NaN`, `Infinity` and `-Infinity` are floats.
pub fn parse(_text: &str) -> Result<Json, ParseError> {
    Err(ParseError {
        line: 1,
        column: 1,
        message: "reader not built".to_owned(),
    })
}
