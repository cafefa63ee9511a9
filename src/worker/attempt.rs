//! One try at a job: one process, from the request to the last leftover.

use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::follow::{End, Followed, Place};
use super::job::{Ending, Job, JobOutcome, Launch, WorkerError};
use super::request;
use super::session::Session;
use super::start::not_unicode;
use crate::sys::process::{Mark, Sweep};
use crate::sys::signals::Signals;

/// How long helpers of a job that has ended by itself may take to follow it.
pub(super) const HELPER_PATIENCE: Duration = Duration::from_millis(200);

/// What to try, and where.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attempt<'a> {
    pub(super) id: i64,
    pub(super) job: &'a Job,
    pub(super) place: Place,
    pub(super) mark: &'a Mark,
    pub(super) signals: Option<&'a Signals>,
}

impl Attempt<'_> {
    /// Sends a job, follows it to its end, stops it in time, and sweeps up after it.
    pub(super) fn run(self, session: &mut Session, cwd: &Path) -> Result<Run, WorkerError> {
        let request = match self.place {
            Place::Child => "fork",
            Place::Own => "run",
        };
        let request = request::job(request, self.id, self.job, cwd);
        let request = request.ok_or_else(|| not_unicode(cwd))?;
        let mut followed = Followed::new(self.id, self.place);
        let sweep = Sweep::begin();
        let started_at = milliseconds_since_1970();
        let begun = Instant::now();
        let deadline = begun.checked_add(self.job.deadline);
        session.send(&request).map_err(WorkerError::Prepare)?;
        let mut end = followed
            .follow(session, deadline, self.signals)
            .map_err(WorkerError::Prepare)?;
        let cut = match end {
            End::Expired => Some(Ending::TimedOut),
            End::Interrupted(signal) => Some(Ending::Interrupted(signal)),
            _ => None,
        };
        if cut.is_some() {
            let stopped = followed.stop(session).map_err(WorkerError::Prepare)?;
            end = stopped.unwrap_or(end);
        }
        let wall = begun.elapsed();
        let patience = if cut.is_some() {
            Duration::ZERO
        } else {
            HELPER_PATIENCE
        };
        let leftovers = sweep.end(self.mark, patience);
        session.process.read_rest().map_err(WorkerError::Prepare)?;
        Ok(Run {
            followed,
            end,
            cut,
            started_at,
            wall,
            leftovers,
            stdout: session.process.stdout.text(),
            stderr: session.process.stderr.text(),
        })
    }
}

/// What one try came to.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) followed: Followed,
    pub(super) end: End,
    /// Why it was ended before its time.
    pub(super) cut: Option<Ending>,
    started_at: i64,
    wall: Duration,
    leftovers: usize,
    stdout: String,
    stderr: String,
}

impl Run {
    /// The outcome, as the schedule gets it.
    pub(super) fn outcome(self, launch: Launch) -> JobOutcome {
        let (ending, max_rss) = match self.end {
            End::Job { status, max_rss } => (status.into(), max_rss),
            End::Server(exit) => (Ending::WithItsWorker(exit.status), None),
            // Only when it was cut and would not go.
            End::Refused(_) | End::Expired | End::Interrupted(_) => (Ending::TimedOut, None),
        };
        JobOutcome {
            reports: self.followed.reports,
            ending: self.cut.unwrap_or(ending),
            started_at: self.started_at,
            wall: self.wall,
            stdout: self.stdout,
            stderr: self.stderr,
            max_rss,
            launch,
            leftovers: self.leftovers,
            run_queue_delay: self.followed.run_queue_delay,
            flags: Vec::new(),
        }
    }
}

fn milliseconds_since_1970() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    })
}
