//! Bring, add, push; again when somebody else was faster.

use std::path::Path;
use std::time::Duration;

use fs_err as fs;

use crate::config::{EnvironmentSettings, HistorySettings};
use crate::history::{Gathered, Gathering, Merged, NormaliseReport, gather, unexplained};
use crate::results::Store;

use super::site::{Site, SitePlace};
use super::{DrawError, PublishError};

/// As often as this somebody else may be faster.
const ATTEMPTS: u32 = 12;

/// As often as this a remote may refuse without anybody having pushed.
const REFUSALS: u32 = 3;

/// The first pause; each is twice the one before, up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(20);

/// What is to be published, and where.
pub struct Request<'a> {
    pub site: &'a SitePlace,
    pub local: &'a Store,
    pub history: &'a HistorySettings,
    pub environment: &'a EnvironmentSettings,
    /// Draws what goes beside the results, given the project's folder in the clone.
    pub draw: &'a dyn Fn(&Path, &Gathered) -> Result<(), DrawError>,
    /// Message of the commit.
    pub message: &'a str,
    /// How far to go.
    pub until: Outcome,
    /// Sleeps; tests do not.
    pub pause: &'a dyn Fn(Duration),
    /// A number from zero to one that is another one each time, so that two publishers do not wake
    /// together.
    pub jitter: &'a dyn Fn() -> f64,
}

impl std::fmt::Debug for Request<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Request")
            .field("site", &self.site)
            .field("message", &self.message)
            .finish_non_exhaustive()
    }
}

/// How far it went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The site has all of it already.
    Nothing,
    /// Committed in the clone, not pushed.
    Committed,
    Pushed,
}

/// What was done.
#[derive(Debug, Clone)]
pub struct Published {
    pub outcome: Outcome,
    /// Hash of the commit in the site repository, if there is one.
    pub commit: Option<String>,
    pub branch: String,
    pub normalised: NormaliseReport,
    pub merged: Merged,
}

/// Publishes: brings the site's history, adds the local results (which count where both have some),
/// makes all alike, commits and pushes. When somebody else pushed meanwhile all of it is done again
/// on what is there then, so that nothing of either is lost.
pub fn publish(request: &Request<'_>) -> Result<Published, PublishError> {
    let mut refusals = 0;
    for attempt in 0..ATTEMPTS {
        let mut site = Site::refresh(request.site)?;
        let ledger = site.ledger();
        site.drop_unless_explained(&|results, candidates| {
            unexplained(&gathering(request, results, &ledger), candidates)
        })?;
        let gathered = add_results(
            &site.root,
            request.local,
            request.history,
            request.environment,
            Some(&ledger),
        )?;
        (request.draw)(&site.root, &gathered).map_err(PublishError::Draw)?;
        let Gathered {
            merged,
            report: normalised,
            ..
        } = gathered;
        let commit = site.commit(request.message)?;
        let published = |outcome, commit| Published {
            outcome,
            commit,
            branch: site.branch.clone(),
            normalised,
            merged,
        };
        if commit.is_none() {
            return Ok(published(Outcome::Nothing, None));
        }
        if request.until != Outcome::Pushed {
            return Ok(published(Outcome::Committed, commit));
        }
        match site.push() {
            Ok(()) => return Ok(published(Outcome::Pushed, commit)),
            Err(error) => {
                if !site.was_overtaken()? {
                    refusals += 1;
                    if refusals == REFUSALS {
                        return Err(PublishError::Refused(error));
                    }
                }
            }
        }
        (request.pause)(pause(attempt, (request.jitter)()));
    }
    Err(PublishError::Overtaken { attempts: ATTEMPTS })
}

fn gathering<'a>(request: &'a Request<'_>, results: &'a Store, ledger: &'a Path) -> Gathering<'a> {
    Gathering {
        target: results,
        local: Some(request.local),
        settings: request.history,
        environment: request.environment,
        ledger: Some(ledger),
        values: true,
    }
}

/// Adds the local results to those in `root/results` and makes all alike. What is remembered of it
/// for the next time lies in `ledger`.
pub fn add_results(
    root: &Path,
    local: &Store,
    history: &HistorySettings,
    environment: &EnvironmentSettings,
    ledger: Option<&Path>,
) -> Result<Gathered, PublishError> {
    let results = root.join("results");
    fs::create_dir_all(&results).map_err(|source| PublishError::Folder {
        path: results.clone(),
        source,
    })?;
    let gathered = gather(&Gathering {
        target: &Store::new(results),
        local: Some(local),
        settings: history,
        environment,
        ledger,
        values: true,
    })?;
    Ok(gathered)
}

/// Half of the doubled pause, and up to as much again.
fn pause(attempt: u32, jitter: f64) -> Duration {
    let doubled = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(attempt));
    doubled
        .min(LONGEST_PAUSE)
        .mul_f64(0.5 + 0.5 * jitter.clamp(0.0, 1.0))
}
