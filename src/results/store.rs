//! The results folder: `results/<machine>/<hash8>-<env>.json`.

use std::path::PathBuf;

/// A results folder on disk.
#[derive(Debug, Clone)]
pub struct Store {
    root: PathBuf,
}

impl Store {
    /// The store at `root`, which need not exist yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The folder itself.
    pub fn root(&self) -> &std::path::Path {
        &self.root
    }
}
