//! The results of `setup_cache`: made for the first user, kept until the last.

use std::path::PathBuf;
use std::time::Duration;

use tempfile::TempDir;

use crate::results::{Failure, FailureKind};
use crate::run::event::RunEvent;
use crate::run::failure;
use crate::run::jobs::cache_job;
use crate::run::plan::SetupCache;
use crate::run::reading::{cache_failure, worker_failure};
use crate::worker::{Ending, WorkerError};

use super::{Run, Stop};

impl Run<'_, '_> {
    /// The folder with the result of `setup_cache`, made the first time it is asked for; or why
    /// there is none.
    pub(super) fn cache(
        &mut self,
        wanted: Option<&SetupCache>,
    ) -> Result<Result<Option<PathBuf>, Failure>, Stop> {
        let Some(wanted) = wanted else {
            return Ok(Ok(None));
        };
        if !self.caches.contains_key(&wanted.key) {
            let made = self.make_cache(wanted)?;
            self.caches.insert(wanted.key.clone(), made);
        }
        Ok(match self.caches.get(&wanted.key) {
            Some(Ok(folder)) => Ok(Some(folder.path().to_owned())),
            Some(Err(failure)) => Err(failure::without_cache(&wanted.key, failure)),
            None => Ok(None),
        })
    }

    fn make_cache(&mut self, wanted: &SetupCache) -> Result<Result<TempDir, Failure>, Stop> {
        let event = RunEvent::CacheStarted { key: &wanted.key };
        self.world.reporter.report(&event);
        let folder = match tempfile::Builder::new().prefix("lcmbench-cache-").tempdir() {
            Ok(folder) => folder,
            Err(error) => {
                return Ok(Err(Failure {
                    kind: FailureKind::SetupCache,
                    message: format!("cannot make a folder for it: {error}"),
                    details: String::new(),
                }));
            }
        };
        let job = cache_job(wanted, folder.path());
        let (made, wall, output) = match self.world.executor.execute(&job) {
            Ok(outcome) => {
                if let Ending::Interrupted(signal) = outcome.ending {
                    return Err(Stop(signal));
                }
                self.outcome.leftovers += outcome.leftovers;
                let made = match cache_failure(&outcome, wanted) {
                    Some(failure) => Err(failure),
                    None => Ok(folder),
                };
                (made, outcome.wall, failure::output_of(&outcome))
            }
            Err(WorkerError::Interrupted(signal)) => return Err(Stop(signal)),
            Err(error) => (Err(worker_failure(&error)), Duration::ZERO, String::new()),
        };
        let key = format!("<setup_cache {}>", wanted.key);
        self.outcome.durations.insert(key, wall.as_secs_f64());
        let event = RunEvent::CacheFinished {
            key: &wanted.key,
            wall,
            failure: made.as_ref().err(),
            output: &output,
        };
        self.world.reporter.report(&event);
        Ok(made)
    }
}
