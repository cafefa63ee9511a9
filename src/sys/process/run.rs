//! Running one program to its end.

use std::io;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::exit::Exit;
use super::spawn::{Program, spawn};
use super::watch::{Wake, Watched};
use crate::sys::signals::Signals;

/// How long a program may take to end after SIGTERM.
pub const GRACE: Duration = Duration::from_secs(1);

/// A program that has been run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// `None` when it hangs inside the kernel and cannot be ended.
    pub exit: Option<Exit>,
    /// Why it was ended before its time: [`Wake::Expired`] or [`Wake::Interrupted`].
    pub cut: Option<Wake>,
    /// The ends of both streams, as text.
    pub stdout: String,
    pub stderr: String,
}

/// Runs a program until it ends, or until the deadline or a signal to us: then its whole group gets
/// SIGTERM and, after a second, SIGKILL.
pub fn run(
    program: &Program<'_>,
    deadline: Option<Instant>,
    signals: Option<&Signals>,
) -> io::Result<Finished> {
    let mut process = spawn(program)?;
    let wake = process.watch(Watched {
        others: &[],
        deadline,
        signals,
    })?;
    let (exit, cut) = match wake {
        Wake::Ended(exit) => (Some(exit), None),
        Wake::Ready | Wake::Expired | Wake::Interrupted(_) => {
            process.signal_group(Signal::TERM);
            match process.watch(Watched::until(Instant::now() + GRACE))? {
                Wake::Ended(exit) => (Some(exit), Some(wake)),
                _ => (process.kill()?, Some(wake)),
            }
        }
    };
    process.read_rest()?;
    Ok(Finished {
        exit,
        cut,
        stdout: process.stdout.text(),
        stderr: process.stderr.text(),
    })
}
