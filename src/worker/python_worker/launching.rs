//! Jobs in processes: forked from the server, or started afresh.

use std::time::Duration;

use rustix::process::Signal;

use super::PythonWorker;
use crate::worker::attempt::Attempt;
use crate::worker::folder::JobFolder;
use crate::worker::follow::{End, Place};
use crate::worker::job::{Job, JobOutcome, Launch, WorkerError};
use crate::worker::session::Session;
use crate::worker::start::configure;

impl PythonWorker {
    /// Runs a job in a child of the server. A server that died while nobody looked is started again;
    /// it may find this time that forking is not safe.
    pub(super) fn fork(&mut self, job: &Job) -> Result<JobOutcome, WorkerError> {
        self.deaths.check(job)?;
        for _ in 0..2 {
            self.ensure_server()?;
            let Some(server) = self.server.take() else {
                return self.spawn(job);
            };
            if let Some(outcome) = self.fork_once(server, job)? {
                self.deaths.note(job, outcome.ending);
                return Ok(outcome);
            }
        }
        Err(WorkerError::Died {
            ending: "twice before it took a job".to_owned(),
            output: String::new(),
        })
    }

    /// `None` when the server ended before it took the job.
    fn fork_once(
        &mut self,
        mut server: Session,
        job: &Job,
    ) -> Result<Option<JobOutcome>, WorkerError> {
        let id = self.next_id();
        let folder = self.folder(id, job)?;
        server.forget_output().map_err(WorkerError::Prepare)?;
        let run = self
            .attempt(id, job, Place::Child)
            .run(&mut server, folder.path())?;
        self.folders.take_back(folder);
        match run.end {
            End::Server(_) if run.followed.pid.is_none() => {
                return Ok(None);
            }
            End::Refused(message) => {
                self.server = Some(server);
                return Err(WorkerError::Refused(message));
            }
            End::Job { .. } => self.server = Some(server),
            // Gone, or not to be trusted any more: killed, and what it held with it.
            End::Server(_) | End::Expired | End::Interrupted(_) => {
                drop(server);
                self.sweep.end(&self.mark, Duration::ZERO);
            }
        }
        Ok(Some(run.outcome(Launch::Fork)))
    }

    /// Runs a job in a process of its own.
    pub(super) fn spawn(&mut self, job: &Job) -> Result<JobOutcome, WorkerError> {
        let id = self.next_id();
        let folder = self.folder(id, job)?;
        let configure = configure(&self.options, self.package_file.as_deref())?;
        let mut session = self.session(Some(Signal::KILL))?;
        session.send(&configure).map_err(WorkerError::Prepare)?;
        let mut run = self
            .attempt(id, job, Place::Own)
            .run(&mut session, folder.path())?;
        self.folders.take_back(folder);
        if let Some(interpreter) = run.followed.hello.take() {
            self.start().check(&interpreter)?;
            self.interpreter = Some(interpreter);
        } else if self.interpreter.is_none()
            && let Some(exit) = session.process.exit()
            && run.cut.is_none()
        {
            return Err(self.start().silent(exit, &session));
        }
        if let End::Refused(message) = run.end {
            return Err(WorkerError::Refused(message));
        }
        Ok(run.outcome(Launch::Spawn))
    }

    fn attempt<'a>(&'a self, id: i64, job: &'a Job, place: Place) -> Attempt<'a> {
        Attempt {
            id,
            job,
            place,
            mark: &self.mark,
            signals: self.signals.as_deref(),
        }
    }

    fn folder(&mut self, id: i64, job: &Job) -> Result<JobFolder, WorkerError> {
        let prepared = self.folders.prepare(id, job.cache.as_deref());
        prepared.map_err(WorkerError::Prepare)
    }

    fn next_id(&mut self) -> i64 {
        self.last_id += 1;
        self.last_id
    }
}
