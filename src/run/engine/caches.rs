//! The results of `setup_cache` in a run: said, timed, and kept until their last user.

use std::path::PathBuf;
use std::time::Duration;

use crate::results::Failure;
use crate::run::caches::{Made, duration_key, fill, new_folder};
use crate::run::event::RunEvent;
use crate::run::failure;
use crate::run::plan::SetupCache;

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
        if !self.caches.knows(wanted) {
            let made = self.make_cache(wanted)?;
            self.caches.keep(wanted, made);
        }
        Ok(self.caches.folder(wanted))
    }

    fn make_cache(&mut self, wanted: &SetupCache) -> Result<Made, Stop> {
        let event = RunEvent::CacheStarted { key: &wanted.key };
        self.world.reporter.report(&event);
        let folder = match new_folder() {
            Ok(folder) => folder,
            Err(failure) => return Ok(Err(failure)),
        };
        let (made, ended) = fill(self.world.executor, wanted, folder).map_err(Stop)?;
        let (wall, output) = ended
            .as_ref()
            .map_or((Duration::ZERO, String::new()), |ended| {
                (ended.wall, failure::output_of(ended))
            });
        self.outcome.leftovers += ended.map_or(0, |ended| ended.leftovers);
        self.outcome
            .durations
            .insert(duration_key(wanted), wall.as_secs_f64());
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
