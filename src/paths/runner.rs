//! The seam between the modes and Python.

use std::time::Duration;

use super::py_spy::{Attached, PySpyError, Sampling};
use super::reply::Reply;
use super::request::Request;

/// Answers requests. The real one talks to Python; tests have their own.
pub trait Runner {
    /// Asks and waits for the reply, but no longer than `deadline`. After any error the process is gone
    /// and all that was loaded with it; the next request starts a new one.
    fn ask(&mut self, request: &Request, deadline: Duration) -> Result<Reply, RunnerError>;

    /// Counts the processes that have ended: another number means that nothing is loaded any more.
    fn generation(&self) -> u64;

    /// Whether there is a profiler to attach; asked before anything is measured for it.
    fn require_profiler(&mut self) -> Result<(), PySpyError>;

    /// Attaches a profiler to the process with this id.
    fn attach(
        &mut self,
        process: i64,
        sampling: &Sampling,
    ) -> Result<Box<dyn Attached>, PySpyError>;

    /// Ends the process, so that the next request begins with a fresh one.
    fn end(&mut self);
}

/// Why there is no reply.
#[derive(Debug, thiserror::Error)]
pub enum RunnerError {
    /// The interpreter could not be started.
    #[error("cannot start Python with `{command}`")]
    Start {
        command: String,
        source: std::io::Error,
    },
    /// A temporary folder, a pipe or a descriptor failed.
    #[error("cannot prepare the Python process")]
    Prepare(#[source] std::io::Error),
    /// It ended without a word.
    #[error(
        "`{command}` does not answer like a Python: it ended ({ending}); give --python another one"
    )]
    NoPython {
        command: String,
        ending: String,
        output: String,
    },
    /// It ended before it replied.
    #[error("the Python process ended before it was done ({ending})")]
    Died { ending: String, output: String },
    /// It took too long and was ended.
    #[error("took longer than {} s and was ended (--timeout)", seconds.as_secs_f64())]
    TimedOut { seconds: Duration, output: String },
    /// A signal told us to stop.
    #[error("interrupted by signal {0}")]
    Interrupted(i32),
    /// The Python side will not have it.
    #[error("`{command}` cannot be used: {message}")]
    Refused { command: String, message: String },
}
