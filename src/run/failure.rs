//! Why a combination has no value, in words.

use crate::results::{Failure, FailureKind};
use crate::sys::process::ExitStatus;
use crate::worker::{Ending, JobOutcome, PythonError};

/// At most so many lines of a stream are kept as the reason of a failure.
const KEPT_LINES: usize = 20;
/// At most so many bytes of them.
const KEPT_BYTES: usize = 4000;
/// At most so many bytes of a traceback are kept, its end.
const KEPT_TRACEBACK: usize = 16_000;
/// At most so many characters of an exception's message are kept.
const KEPT_MESSAGE: usize = 500;

/// A benchmark that reported a failure: it raised, returned nothing, or returned what is no JSON.
pub(super) fn reported(kind: &str, error: &PythonError, outcome: &JobOutcome) -> Failure {
    let (kind, message) = match kind {
        "no-value" => (FailureKind::NoValue, "returned nothing".to_owned()),
        "unserializable" => (
            FailureKind::Unserializable,
            format!("returned what is no JSON: {}", error.message),
        ),
        _ => (FailureKind::Exception, one_line(error)),
    };
    Failure {
        kind,
        message,
        details: details(&error.traceback, outcome),
    }
}

/// A process that ended without a report, or ended badly after it; `timeout` is its limit in
/// seconds.
pub(super) fn ended(outcome: &JobOutcome, timeout: f64) -> Failure {
    let (kind, message) = match outcome.ending {
        Ending::TimedOut => (
            FailureKind::Timeout,
            format!("timed out after {} s", short(timeout)),
        ),
        Ending::Signaled(signal) => (
            FailureKind::Signal,
            format!("the process died of {}", signal_name(signal)),
        ),
        Ending::WithItsWorker(status) => (
            match status {
                ExitStatus::Signal(_) => FailureKind::Signal,
                ExitStatus::Code(_) => FailureKind::Exit,
            },
            format!("ended the worker that started it ({status}): does it signal its parent?"),
        ),
        Ending::Interrupted(signal) => (
            FailureKind::Interrupted,
            format!("interrupted by {} before it was done", signal_name(signal)),
        ),
        Ending::Exited(0) => (
            FailureKind::Exit,
            "the process ended without a result".to_owned(),
        ),
        Ending::Exited(code) => (
            FailureKind::Exit,
            format!("the process ended with exit code {code} and no result"),
        ),
    };
    Failure {
        kind,
        message,
        details: details("", outcome),
    }
}

/// A combination that a suite skips without running it.
pub(super) fn skipped(reason: &str) -> Failure {
    Failure {
        kind: FailureKind::Skipped,
        message: reason.to_owned(),
        details: String::new(),
    }
}

/// A combination that could not be run since its `setup_cache` failed.
pub(super) fn without_cache(key: &str, cause: &Failure) -> Failure {
    Failure {
        kind: FailureKind::SetupCache,
        message: format!("setup_cache {key} failed: {}", cause.message),
        details: cause.details.clone(),
    }
}

/// A combination that was not reached.
pub(super) fn interrupted(signal: i32) -> Failure {
    Failure {
        kind: FailureKind::Interrupted,
        message: format!("interrupted by {} before it was done", signal_name(signal)),
        details: String::new(),
    }
}

/// `Class: message`, first line only.
pub(super) fn one_line(error: &PythonError) -> String {
    let first = error.message.lines().next().unwrap_or_default().trim();
    if first.is_empty() {
        return error.class.clone();
    }
    let mut characters = first.chars();
    let kept: String = characters.by_ref().take(KEPT_MESSAGE).collect();
    let more = if characters.next().is_some() {
        "…"
    } else {
        ""
    };
    format!("{}: {kept}{more}", error.class)
}

/// The end of both streams, for showing what a job printed.
pub(super) fn output_of(outcome: &JobOutcome) -> String {
    let parts = [&outcome.stdout, &outcome.stderr].map(|text| text.trim_end());
    let parts: Vec<&str> = parts.into_iter().filter(|text| !text.is_empty()).collect();
    parts.join("\n")
}

fn details(traceback: &str, outcome: &JobOutcome) -> String {
    let mut parts = Vec::new();
    let traceback = last_bytes(traceback.trim_end(), KEPT_TRACEBACK);
    if !traceback.is_empty() {
        parts.push(traceback.to_owned());
    }
    for (name, text) in [("stdout", &outcome.stdout), ("stderr", &outcome.stderr)] {
        let tail = tail(text);
        if !tail.is_empty() {
            parts.push(format!("last lines on {name}:\n{tail}"));
        }
    }
    parts.join("\n")
}

/// The last lines of a stream.
fn tail(text: &str) -> &str {
    let text = text.trim_end();
    let start = text
        .rmatch_indices('\n')
        .nth(KEPT_LINES - 1)
        .map_or(0, |(newline, _)| newline + 1);
    last_bytes(&text[start..], KEPT_BYTES)
}

/// The end of a text, at most so many bytes.
fn last_bytes(text: &str, most: usize) -> &str {
    let start = text.ceil_char_boundary(text.len().saturating_sub(most));
    &text[start..]
}

/// `SIGSEGV`, or `signal 42` for one without a common name.
pub fn signal_name(signal: i32) -> String {
    let name = match signal {
        libc::SIGHUP => "SIGHUP",
        libc::SIGINT => "SIGINT",
        libc::SIGQUIT => "SIGQUIT",
        libc::SIGILL => "SIGILL",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGKILL => "SIGKILL (perhaps out of memory)",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGALRM => "SIGALRM",
        libc::SIGTERM => "SIGTERM",
        libc::SIGXCPU => "SIGXCPU",
        _ => return format!("signal {signal}"),
    };
    name.to_owned()
}

/// `60`, `0.5`: seconds without needless digits.
fn short(seconds: f64) -> String {
    let text = format!("{seconds:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::testing::outcome;

    #[test]
    fn an_exception_is_told_in_one_line_with_its_traceback_behind() {
        let error = PythonError {
            class: "ValueError".to_owned(),
            message: "no good\nsecond line".to_owned(),
            traceback: "Traceback ...\nValueError: no good\n".to_owned(),
        };
        let mut outcome = outcome(Ending::Exited(0));
        outcome.stderr = "a warning\n".to_owned();
        let failure = reported("exception", &error, &outcome);
        assert_eq!(failure.kind, FailureKind::Exception);
        assert_eq!(failure.message, "ValueError: no good");
        assert_eq!(
            failure.details,
            "Traceback ...\nValueError: no good\nlast lines on stderr:\na warning"
        );
    }

    #[test]
    fn endless_messages_and_tracebacks_are_cut() {
        let error = PythonError {
            class: "ValueError".to_owned(),
            message: "é".repeat(100_000),
            traceback: format!("{}\nValueError", "x".repeat(100_000)),
        };
        let failure = reported("exception", &error, &outcome(Ending::Exited(0)));
        assert_eq!(failure.message.chars().count(), "ValueError: ".len() + 501);
        assert_eq!(failure.details.len(), KEPT_TRACEBACK);
        assert!(failure.details.ends_with("\nValueError"));
    }

    #[test]
    fn every_ending_has_its_words() {
        let said = |ending| {
            let failure = ended(&outcome(ending), 0.5);
            (failure.kind, failure.message)
        };
        assert_eq!(
            said(Ending::TimedOut),
            (FailureKind::Timeout, "timed out after 0.5 s".to_owned())
        );
        assert_eq!(
            said(Ending::Signaled(libc::SIGSEGV)),
            (
                FailureKind::Signal,
                "the process died of SIGSEGV".to_owned()
            )
        );
        assert_eq!(
            said(Ending::Exited(3)).1,
            "the process ended with exit code 3 and no result"
        );
        assert_eq!(
            said(Ending::WithItsWorker(ExitStatus::Signal(libc::SIGKILL))),
            (
                FailureKind::Signal,
                "ended the worker that started it (signal 9, SIGKILL): does it signal its parent?"
                    .to_owned()
            )
        );
        assert_eq!(said(Ending::Interrupted(2)).0, FailureKind::Interrupted);
        assert_eq!(signal_name(63), "signal 63");
        assert_eq!(short(60.0), "60");
    }

    #[test]
    fn only_the_last_lines_are_kept() {
        let lines: Vec<String> = (0..100).map(|i| format!("line {i}")).collect();
        let text = lines.join("\n");
        let kept = tail(&text);
        assert!(kept.starts_with("line 80\n"), "{kept}");
        assert!(kept.ends_with("line 99"));
        let wide = "é".repeat(5000);
        assert_eq!(tail(&wide).len(), KEPT_BYTES);
    }
}
