//! Reads the small text files under `/proc` and `/sys`; what is not there or not readable is absent.

use std::path::{Path, PathBuf};

use fs_err as fs;

/// The tree of the host's pseudo files. `/` in the program, a made-up folder in tests.
#[derive(Debug, Clone)]
pub(super) struct Files {
    root: PathBuf,
}

impl Files {
    pub(super) fn at(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// The file's text without blanks at both ends.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        let text = fs::read(self.root.join(path)).ok()?;
        let text = String::from_utf8_lossy(&text);
        Some(text.trim().to_owned())
    }

    /// The file's text as a number.
    pub(super) fn number<T: std::str::FromStr>(&self, path: &str) -> Option<T> {
        self.text(path)?.parse().ok()
    }

    /// The names in a folder, sorted; none if it cannot be read.
    pub(super) fn names(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.root.join(folder)) else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        names.sort();
        names
    }
}

/// The value of the first line `key: value` (or `key value`, for `separator` blank).
pub(super) fn value_of<'a>(text: &'a str, key: &str, separator: char) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let (name, value) = line.split_once(separator)?;
        (name.trim() == key).then(|| value.trim())
    })
}
