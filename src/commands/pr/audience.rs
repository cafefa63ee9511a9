//! Whom a measurement is told: GitHub itself, or a document for a job that may write there.

use crate::commands::measure::Start;
use crate::commands::reporting::Finding;
use crate::commands::{CommandError, Exit};

/// How measuring ended.
#[derive(Debug, Clone)]
pub(super) enum End {
    /// HEAD was measured and compared; it may be that every benchmark failed.
    Measured(Box<Finding>),
    /// A signal ended it; so many benchmarks were done, of so many.
    Interrupted { signal: i32, done: (usize, usize) },
    /// None of so many changed files can change the speed, says the allow-list.
    NotNeeded { files: usize },
    /// There is nothing to report, for this reason.
    NotMeasured { why: String },
}

impl End {
    /// How an error ended it.
    pub(super) fn of_error(error: &CommandError) -> Self {
        match error.exit() {
            Exit::Interrupted(signal) => Self::Interrupted {
                signal,
                done: (0, 0),
            },
            _ => Self::NotMeasured {
                why: error.outermost(),
            },
        }
    }
}

/// Is told when measuring starts and, in every case, when it ends. What cannot be told is said to the
/// user and becomes an exit code; it never stops the measurement.
pub(super) trait Audience {
    /// The first benchmark is about to run.
    fn starts(&mut self, start: &Start);

    /// It is over. The exit code is that of the report alone.
    fn ends(&mut self, end: &End) -> Exit;
}
