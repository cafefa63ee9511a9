//! Outcomes of commands and their exit codes (design: one table).

use std::process::ExitCode;

use crate::sys::printer::Printer;

/// How a command ended; the numbers are a contract with scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: done, nothing that gates.
    Done,
    /// 1: something gates: a verdict named in `--fail-on`.
    Gate,
    /// 2: some benchmarks failed, or nothing could be measured.
    Failed,
    /// 3: usage, configuration or environment error.
    Usage,
    /// 4: GitHub, git remote or network error after retries.
    Remote,
    /// 130 or 143: interrupted by this signal; partial results are saved.
    Interrupted(i32),
}

impl Exit {
    /// The number that the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Gate => 1,
            Self::Failed => 2,
            Self::Usage => 3,
            Self::Remote => 4,
            Self::Interrupted(signal) => 128 + u8::try_from(signal).unwrap_or(2),
        }
    }

    /// 1 where one of `--fail-on`'s words applies to anything, which is said; 0 otherwise. Each
    /// objection is how many things the word applies to, and the word.
    pub(super) fn of_objections<'a>(
        objections: impl Iterator<Item = (usize, &'a str)>,
        printer: &Printer,
    ) -> Self {
        let said: Vec<String> = objections
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        if said.is_empty() {
            return Self::Done;
        }
        printer.note(&format!("--fail-on: {}", said.join(", ")));
        Self::Gate
    }

    /// The code that wins when several apply: interrupted, then 3, 1, 2, 4, 0.
    #[must_use]
    pub fn worse(self, other: Self) -> Self {
        let rank = |exit: Self| match exit {
            Self::Interrupted(_) => 5,
            Self::Usage => 4,
            Self::Gate => 3,
            Self::Failed => 2,
            Self::Remote => 1,
            Self::Done => 0,
        };
        if rank(other) > rank(self) {
            other
        } else {
            self
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// An error that ends a command: its cause, its exit code and the way out.
#[derive(Debug)]
pub struct CommandError {
    cause: anyhow::Error,
    exit: Exit,
    hints: Vec<String>,
}

impl CommandError {
    /// A usage, configuration or environment error (exit code 3).
    pub fn usage(cause: impl Into<anyhow::Error>) -> Self {
        Self {
            cause: cause.into(),
            exit: Exit::Usage,
            hints: Vec::new(),
        }
    }

    /// Nothing could be measured (exit code 2).
    pub fn failed(cause: impl Into<anyhow::Error>) -> Self {
        Self {
            cause: cause.into(),
            exit: Exit::Failed,
            hints: Vec::new(),
        }
    }

    /// The git remote or GitHub failed, after retries (exit code 4).
    pub fn remote(cause: impl Into<anyhow::Error>) -> Self {
        Self {
            cause: cause.into(),
            exit: Exit::Remote,
            hints: Vec::new(),
        }
    }

    /// A signal ended the command before there was anything to save (exit code 130 or 143).
    pub fn interrupted(signal: i32) -> Self {
        Self {
            cause: anyhow::anyhow!("interrupted by signal {signal}"),
            exit: Exit::Interrupted(signal),
            hints: Vec::new(),
        }
    }

    /// Adds a line that says what to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The chain of causes as one sentence.
    pub(super) fn sentence(&self) -> String {
        format!("{:#}", self.cause)
    }

    /// What to do, line by line.
    pub(super) fn hints(&self) -> &[String] {
        &self.hints
    }

    /// The exit code that it ends with.
    pub(super) fn exit(&self) -> Exit {
        self.exit
    }

    /// The outermost cause alone, as a sentence.
    pub(super) fn outermost(&self) -> String {
        self.cause.to_string()
    }

    /// Prints the chain of causes and the hints; returns the exit code.
    pub fn report(&self, printer: &Printer) -> Exit {
        printer.foreign_note(&format!("error: {}", self.sentence()));
        for hint in &self.hints {
            printer.foreign_note(&format!("hint: {hint}"));
        }
        self.exit
    }
}

impl<E: Into<anyhow::Error>> From<E> for CommandError {
    fn from(cause: E) -> Self {
        Self::usage(cause)
    }
}

/// Prints clap's own message; help and version are no errors.
pub(super) fn usage(error: &clap::Error) -> ExitCode {
    error.print().ok();
    if error.use_stderr() {
        Exit::Usage.into()
    } else {
        Exit::Done.into()
    }
}
