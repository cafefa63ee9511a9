//! Data as scripts: a page from a disk may load those, and nothing else.

use serde::Serialize;

use super::File;

/// The layout of the data; the page refuses what it does not know.
pub(super) const FORMAT: u32 = 2;

/// A data file; `key` is how the page asks for it: the path without its ending.
pub(super) fn script(key: &str, json: &str) -> File {
    File {
        path: format!("{key}.js"),
        text: format!("lcmbench({},{json});\n", text(key)),
    }
}

/// A data file of a document.
pub(super) fn document(key: &str, document: &impl Serialize) -> File {
    // Maps with keys that are no texts do not occur, and nothing else can fail.
    let json = serde_json::to_string(document).unwrap_or_else(|_| "null".to_owned());
    script(key, &json)
}

/// A text as JSON.
pub(super) fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
