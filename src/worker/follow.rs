//! Following one job through a session, and ending it when its time is up.

use std::io;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::event::Event;
use super::job::{Ending, Interpreter, JobReport};
use super::session::{Session, Turn};
use crate::sys::process::{Exit, ExitStatus, GRACE, run_queue_delay, signal_group};
use crate::sys::signals::Signals;

/// How long a process that was killed may take to be gone.
const KILL_PATIENCE: Duration = Duration::from_secs(2);

/// Whose process the job runs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A child of the server, which goes on afterwards.
    Child,
    /// The session's own process.
    Own,
}

/// What has been seen of a job so far.
#[derive(Debug)]
pub(super) struct Followed {
    id: i64,
    place: Place,
    pub(super) hello: Option<Interpreter>,
    /// Leader of the process group of the job, once it has started.
    pub(super) pid: Option<i32>,
    pub(super) reports: Vec<JobReport>,
    /// Share of its time that the process had waited for a processor when it reported last.
    pub(super) run_queue_delay: Option<f64>,
}

/// Why following ended.
#[derive(Debug)]
pub(super) enum End {
    /// The process of the job has ended. `max_rss` in bytes.
    Job {
        status: ExitStatus,
        max_rss: Option<u64>,
    },
    /// The server has ended, and the job with it.
    Server(Exit),
    /// The worker would not take the job.
    Refused(String),
    Expired,
    Interrupted(i32),
}

impl Followed {
    pub(super) fn new(id: i64, place: Place) -> Self {
        Self {
            id,
            place,
            hello: None,
            pid: None,
            reports: Vec::new(),
            run_queue_delay: None,
        }
    }

    /// Takes in the events of the job until it is over. Events of other jobs are passed over.
    pub(super) fn follow(
        &mut self,
        session: &mut Session,
        deadline: Option<Instant>,
        signals: Option<&Signals>,
    ) -> io::Result<End> {
        loop {
            let event = match session.turn(deadline, signals)? {
                Turn::Event(event) => event,
                Turn::Ended(exit) if self.place == Place::Child => return Ok(End::Server(exit)),
                Turn::Ended(exit) => {
                    return Ok(End::Job {
                        status: exit.status,
                        max_rss: Some(exit.max_rss),
                    });
                }
                Turn::Expired => return Ok(End::Expired),
                Turn::Interrupted(signal) => return Ok(End::Interrupted(signal)),
            };
            match event {
                Event::Hello(interpreter) => self.hello = Some(interpreter),
                Event::Started { id, pid } if id == self.id => self.pid = Some(pid),
                Event::Report { id, report } if id == self.id => {
                    // Now, as long as all its threads are there.
                    self.run_queue_delay = self.pid.and_then(run_queue_delay);
                    self.reports.push(report);
                }
                Event::SuiteError { message, id } if id.is_none_or(|id| id == self.id) => {
                    return Ok(End::Refused(message));
                }
                Event::Exited {
                    id,
                    status,
                    max_rss,
                } if id == self.id => {
                    return Ok(End::Job {
                        status: ExitStatus::from_raw(status),
                        max_rss,
                    });
                }
                _ => {}
            }
        }
    }

    /// Ends the job: SIGTERM to its group, SIGKILL after the grace. `None` when it would not go, or
    /// when it is not known which process it is: then the session must go as a whole.
    pub(super) fn stop(&mut self, session: &mut Session) -> io::Result<Option<End>> {
        for (signal, patience) in [(Signal::TERM, GRACE), (Signal::KILL, KILL_PATIENCE)] {
            match (self.pid, self.place) {
                // Not to a wrapper such as `pixi run`, which ends when what it wraps has ended.
                (Some(pid), _) => signal_group(pid, signal),
                (None, Place::Own) => session.process.signal_group(signal),
                (None, Place::Child) => return Ok(None),
            }
            match self.follow(session, Some(Instant::now() + patience), None)? {
                End::Expired => {}
                end => return Ok(Some(end)),
            }
        }
        Ok(None)
    }
}

impl From<ExitStatus> for Ending {
    fn from(status: ExitStatus) -> Self {
        match status {
            ExitStatus::Code(code) => Self::Exited(code),
            ExitStatus::Signal(signal) => Self::Signaled(signal),
        }
    }
}
