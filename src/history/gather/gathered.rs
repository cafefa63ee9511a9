//! What gathering leaves for those who draw the history.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::config::NormaliseRules;
use crate::history::merge::Merged;
use crate::history::report::NormaliseReport;
use crate::history::values::{FileValues, KeptValues};
use crate::results::{Detail, Problem, ResultFile};

/// What was done, and what is known of the files now.
#[derive(Debug)]
pub struct Gathered {
    pub merged: Merged,
    pub report: NormaliseReport,
    pub(super) files: HashMap<PathBuf, Identity>,
    pub(super) rules: NormaliseRules,
    pub(super) values: Option<KeptValues>,
    pub(super) ledger: Option<PathBuf>,
}

/// What a file of the history is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Digest of its content.
    pub digest: String,
    /// Full hash of the measured commit.
    pub commit: String,
    /// The environment's name in the file.
    pub environment: String,
}

impl Gathered {
    /// What a file is; `None` for one that cannot be used.
    pub fn identity_of(&self, file: &ResultFile) -> Option<&Identity> {
        self.files.get(&file.path)
    }

    /// The numbers of a file, which is not read for them if they are known.
    pub fn values_of(&self, file: &ResultFile) -> Result<FileValues, Problem> {
        let digest = self.identity_of(file).map(|known| known.digest.as_str());
        let kept = self.values.as_ref().zip(digest);
        if let Some(known) = kept.and_then(|(values, digest)| values.get(digest)) {
            return Ok(known);
        }
        let (loaded, _) = file.read(&file.text()?, Detail::Values)?;
        let read = FileValues::of(&loaded.set, self.rules);
        if let Some((values, digest)) = kept {
            values.add(digest, &read);
        }
        Ok(read)
    }

    /// Where those who draw may remember what they did; it goes when the ledger goes.
    pub fn memory(&self) -> Option<PathBuf> {
        let ledger: &Path = self.ledger.as_deref()?;
        Some(ledger.with_extension("drawn"))
    }
}
