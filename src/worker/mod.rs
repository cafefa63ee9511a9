//! The protocol with Python, and the embedded Python package (`docs/worker-protocol.md`).

mod attempt;
mod deaths;
mod embed;
mod environment;
mod event;
mod folder;
mod follow;
mod job;
mod launch;
mod lines;
mod options;
mod python_worker;
mod request;
mod session;
mod start;

#[cfg(test)]
mod tests;

pub(crate) use embed::Package;
pub use environment::ChildEnvironment;
pub(crate) use event::interpreter_of;
pub use job::{
    Discovered, Discovery, Ending, Executor, Interpreter, Job, JobKind, JobOutcome, JobReport,
    Launch, ModuleError, PythonError, WorkerError,
};
pub use launch::LaunchChoice;
pub use options::WorkerOptions;
pub use python_worker::PythonWorker;
pub(crate) use session::{ReadEvent, Session, Turn};
