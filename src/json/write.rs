//! The two writers, byte for byte as Python's `json.dump`.

use super::Json;

/// One line, separators `", "` and `": "`, keys in insertion order, non-ASCII escaped.
pub fn to_compact(_value: &Json) -> String {
    String::new()
}

/// Indent 4, keys sorted, no trailing newline (`json.dump(indent=4, sort_keys=True)`).
pub fn to_pretty(_value: &Json) -> String {
    String::new()
}

/// A float as Python's `repr` writes it: `1.0`, `5.77e-07`, `1e+16`, `NaN`, `-Infinity`.
pub fn float_repr(_value: f64) -> String {
    String::new()
}
