//! The protocol with Python, and the embedded Python package (`docs/worker-protocol.md`).

mod job;

pub use job::{
    Discovered, Discovery, Ending, Executor, Interpreter, Job, JobKind, JobOutcome, JobReport,
    Launch, ModuleError, PythonError, WorkerError,
};
