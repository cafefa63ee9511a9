//! The one door to standard output and standard error.
//!
//! Standard output carries data (tables, reports, JSON); standard error carries progress, warnings
//! and errors. Writing into a closed pipe is success: the reader has what it wanted. Data that cannot
//! be written for another reason (a full disk) is remembered, so that the command does not end well.

use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, OnceLock};

use super::env::Environment;
use super::workflow_command::harmless;

/// Writes to the two streams, respecting terminals, `NO_COLOR` and closed pipes.
#[derive(Debug, Clone)]
pub struct Printer {
    /// Standard error is a terminal: a progress bar may be drawn.
    pub progress: bool,
    /// Standard output takes colours.
    pub color: bool,
    /// This is a step of a GitHub Actions workflow: `::group::` lines are understood.
    pub actions: bool,
    /// Why data could not be written, the first time; shared by all copies.
    lost: Arc<OnceLock<io::Error>>,
}

impl Printer {
    /// A printer for this process.
    pub fn of_process(environment: &Environment) -> Self {
        let plain = environment.get("NO_COLOR").is_some()
            || environment.get("TERM") == Some("dumb")
            || environment.in_actions();
        Self {
            progress: io::stderr().is_terminal() && !environment.in_actions(),
            color: io::stdout().is_terminal() && !plain,
            actions: environment.in_actions(),
            lost: Arc::default(),
        }
    }

    /// Data: one line on standard output.
    pub fn out(&self, line: &str) {
        if let Err(error) = write_line(&mut io::stdout().lock(), line)
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            // Only the first is kept; the later ones follow from it.
            self.lost.set(error).ok();
        }
    }

    /// Why some of the data is missing from standard output, if it is.
    pub fn lost(&self) -> Option<&io::Error> {
        self.lost.get()
    }

    /// Progress or an explanation: one line on standard error.
    pub fn note(&self, line: &str) {
        // A closed or full stream must not end a measurement.
        write_line(&mut io::stderr().lock(), line).ok();
    }

    /// A warning: one line on standard error that begins with `warning:`. What it quotes may be
    /// others' words, so no command to the runner is let through.
    pub fn warn(&self, line: &str) {
        self.foreign_note(&format!("warning: {line}"));
    }

    /// Data that holds others' words, such as names of benchmarks.
    pub fn foreign(&self, text: &str) {
        if self.actions {
            self.out(&harmless(text));
        } else {
            self.out(text);
        }
    }

    /// An explanation that quotes others' words.
    pub fn foreign_note(&self, text: &str) {
        if self.actions {
            self.note(&harmless(text));
        } else {
            self.note(text);
        }
    }
}

fn write_line(stream: &mut impl Write, line: &str) -> io::Result<()> {
    stream.write_all(line.as_bytes())?;
    stream.write_all(b"\n")?;
    stream.flush()
}
