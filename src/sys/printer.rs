//! The one door to standard output and standard error.
//!
//! Standard output carries data (tables, reports, JSON); standard error carries progress, warnings
//! and errors. Writing into a closed pipe is success: the reader has what it wanted.

use std::io::{self, IsTerminal, Write};

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
        }
    }

    /// Data: one line on standard output.
    pub fn out(&self, line: &str) {
        write_line(&mut io::stdout().lock(), line);
    }

    /// Progress or an explanation: one line on standard error.
    pub fn note(&self, line: &str) {
        write_line(&mut io::stderr().lock(), line);
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

/// A closed or full stream must not end a measurement, so the error is dropped on purpose.
fn write_line(stream: &mut impl Write, line: &str) {
    stream
        .write_all(line.as_bytes())
        .and_then(|()| stream.write_all(b"\n"))
        .ok();
}
