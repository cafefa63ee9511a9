//! Whether jobs are forked or spawned, and why.

use super::job::{Ending, JobOutcome, Launch};
use crate::config::LaunchMethod;
use crate::sys::process::ExitStatus;

/// The launch in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchChoice {
    pub launch: Launch,
    /// A sentence without a full stop.
    pub reason: String,
}

impl LaunchChoice {
    /// What can be said before the suite has been imported; `auto` and `fork` need to know it.
    pub(super) fn before_import(method: LaunchMethod) -> Option<Self> {
        (method == LaunchMethod::Spawn).then(|| Self {
            launch: Launch::Spawn,
            reason: "spawn was asked for".to_owned(),
        })
    }

    /// The choice once the suite has been imported, which is safe to fork, or not, for `reason`.
    pub(super) fn after_import(method: LaunchMethod, safe: bool, reason: &str) -> Self {
        let (launch, reason) = match method {
            LaunchMethod::Auto if safe => (Launch::Fork, reason.to_owned()),
            LaunchMethod::Auto => (Launch::Spawn, reason.to_owned()),
            LaunchMethod::Fork if safe => (Launch::Fork, "fork was asked for".to_owned()),
            LaunchMethod::Fork => (
                Launch::Fork,
                format!("fork was asked for, though it is not safe: {reason}"),
            ),
            LaunchMethod::Spawn => (Launch::Spawn, "spawn was asked for".to_owned()),
        };
        Self { launch, reason }
    }

    /// The choice after a forked process crashed and a spawned one did not.
    pub(super) fn after_crash(benchmark: &str, signal: i32) -> Self {
        let signal = ExitStatus::Signal(signal);
        Self {
            launch: Launch::Spawn,
            reason: format!("{benchmark} died of {signal} when forked, and worked when spawned"),
        }
    }
}

/// The signal that a forked process died of before it had anything to report; not one of ours.
pub(super) fn early_death(outcome: &JobOutcome) -> Option<i32> {
    match outcome.ending {
        Ending::Signaled(signal) if outcome.reports.is_empty() => Some(signal),
        _ => None,
    }
}

/// Whether a job that was tried again has worked: it ended by itself and not of a signal.
pub(super) fn has_worked(outcome: &JobOutcome) -> bool {
    matches!(outcome.ending, Ending::Exited(_)) && !outcome.reports.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auto_forks_only_where_it_is_safe() {
        for (method, safe, launch, reason) in [
            (LaunchMethod::Auto, true, Launch::Fork, "one thread"),
            (LaunchMethod::Auto, false, Launch::Spawn, "one thread"),
            (LaunchMethod::Fork, true, Launch::Fork, "fork was asked for"),
            (
                LaunchMethod::Fork,
                false,
                Launch::Fork,
                "fork was asked for, though it is not safe: one thread",
            ),
            (
                LaunchMethod::Spawn,
                true,
                Launch::Spawn,
                "spawn was asked for",
            ),
        ] {
            let choice = LaunchChoice::after_import(method, safe, "one thread");
            assert_eq!((choice.launch, choice.reason.as_str()), (launch, reason));
        }
        assert_eq!(LaunchChoice::before_import(LaunchMethod::Auto), None);
    }

    #[test]
    fn a_crash_is_named() {
        assert_eq!(
            LaunchChoice::after_crash("a.time_x", libc::SIGSEGV).reason,
            "a.time_x died of signal 11, SIGSEGV when forked, and worked when spawned"
        );
    }
}
