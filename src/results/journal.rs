//! The append-only journal of a run: finished benchmarks, a line each, until they are folded in.

use std::path::PathBuf;

/// The journal beside one result file.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
}

impl Journal {
    /// Where the journal lies.
    pub fn path(&self) -> &std::path::Path {
        &self.path
    }
}
