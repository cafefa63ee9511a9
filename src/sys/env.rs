//! The environment variables, read once.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

/// A snapshot of the process's environment variables; tests build their own.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
}

impl Environment {
    /// The variables of this process.
    pub fn of_process() -> Self {
        Self {
            variables: std::env::vars_os().collect(),
        }
    }

    /// The variable `name`, if it is set, not empty and UTF-8.
    pub fn get(&self, name: &str) -> Option<&str> {
        let value = self.variables.get(std::ffi::OsStr::new(name))?.to_str()?;
        (!value.is_empty()).then_some(value)
    }

    /// The variable `name` as a path, if it is set and not empty.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        let value = self.variables.get(std::ffi::OsStr::new(name))?;
        (!value.is_empty()).then(|| PathBuf::from(value))
    }

    /// Where temporary files go: `TMPDIR`, or `/tmp`.
    pub fn temporary_folder(&self) -> PathBuf {
        self.path("TMPDIR").unwrap_or_else(|| "/tmp".into())
    }

    /// Whether `name` is set at all, even to nothing.
    pub fn is_set(&self, name: &str) -> bool {
        self.variables.contains_key(std::ffi::OsStr::new(name))
    }

    /// All variables, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&OsString, &OsString)> {
        self.variables.iter()
    }

    /// Whether this runs as a step of a GitHub Actions workflow.
    pub fn in_actions(&self) -> bool {
        self.get("GITHUB_ACTIONS") == Some("true")
    }
}

impl<K: Into<OsString>, V: Into<OsString>> FromIterator<(K, V)> for Environment {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        Self {
            variables: pairs
                .into_iter()
                .map(|(k, v)| (k.into(), v.into()))
                .collect(),
        }
    }
}
