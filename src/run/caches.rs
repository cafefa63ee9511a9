//! The results of `setup_cache`: one folder for each key, made for its first user.

use std::collections::HashMap;
use std::path::PathBuf;

use tempfile::TempDir;

use crate::results::{Failure, FailureKind};
use crate::worker::{Ending, Executor, JobOutcome, WorkerError};

use super::failure;
use super::jobs::cache_job;
use super::plan::SetupCache;
use super::reading::{cache_failure, worker_failure};

/// The folder of a cache, or why there is none.
pub(super) type Made = Result<TempDir, Failure>;

/// The caches that are there, or could not be made. Their folders go with this value.
#[derive(Debug, Default)]
pub(super) struct Caches(HashMap<String, Made>);

impl Caches {
    /// Whether the cache was made, or could not be.
    pub(super) fn knows(&self, wanted: &SetupCache) -> bool {
        self.0.contains_key(&wanted.key)
    }

    /// Keeps what came of making a cache.
    pub(super) fn keep(&mut self, wanted: &SetupCache, made: Made) {
        self.0.insert(wanted.key.clone(), made);
    }

    /// The folder of a cache for one of its users, `None` for one that is not known yet. The failure
    /// says that of the user, whose cache could not be made.
    pub(super) fn folder(&self, wanted: &SetupCache) -> Result<Option<PathBuf>, Failure> {
        match self.0.get(&wanted.key) {
            Some(Ok(folder)) => Ok(Some(folder.path().to_owned())),
            Some(Err(failure)) => Err(failure::without_cache(&wanted.key, failure)),
            None => Ok(None),
        }
    }

    /// Removes a cache that nobody uses any more.
    pub(super) fn remove(&mut self, wanted: &SetupCache) {
        self.0.remove(&wanted.key);
    }
}

/// The name under which the duration of a `setup_cache` is kept, as in asv.
pub(super) fn duration_key(wanted: &SetupCache) -> String {
    format!("<setup_cache {}>", wanted.key)
}

/// An empty folder for a cache.
pub(super) fn new_folder() -> Made {
    let folder = tempfile::Builder::new().prefix("lcmbench-cache-").tempdir();
    folder.map_err(|error| Failure {
        kind: FailureKind::SetupCache,
        message: format!("cannot make a folder for it: {error}"),
        details: String::new(),
    })
}

/// Has `setup_cache` fill the folder. Beside the cache there is the outcome of its process, `None` if
/// none could run. The error is the signal that has ended us.
pub(super) fn fill(
    executor: &mut dyn Executor,
    wanted: &SetupCache,
    folder: TempDir,
) -> Result<(Made, Option<JobOutcome>), i32> {
    match executor.execute(&cache_job(wanted, folder.path())) {
        Ok(outcome) => {
            if let Ending::Interrupted(signal) = outcome.ending {
                return Err(signal);
            }
            let made = match cache_failure(&outcome, wanted) {
                Some(failure) => Err(failure),
                None => Ok(folder),
            };
            Ok((made, Some(outcome)))
        }
        Err(WorkerError::Interrupted(signal)) => Err(signal),
        Err(error) => Ok((Err(worker_failure(&error)), None)),
    }
}
