//! What outlives its parent: found among our own children, and ended.
//!
//! As a *subreaper* we become the parent of every descendant whose own parent has died, also of those
//! that left the process group. As each program is started in a session of its own, and no process can
//! join the session of another, a child of ours that we did not start and that lies in a foreign
//! session came from there.

use std::collections::BTreeSet;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use fs_err as fs;
use rustix::event::{PollFd, PollFlags};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, getpid, kill_process, pidfd_open, set_child_subreaper,
    waitpid,
};

use super::mark::Mark;
use crate::sys::poll::wait_ready;

/// How long leftovers may take to end after SIGTERM.
const TERM_PATIENCE: Duration = Duration::from_millis(300);
/// How long a sweep goes on killing.
const KILL_PATIENCE: Duration = Duration::from_secs(2);
/// How many processes are waited for at a time.
const WATCHED_AT_ONCE: usize = 64;

/// Children that this program started itself and has not waited for yet.
pub(super) fn known_children() -> MutexGuard<'static, BTreeSet<i32>> {
    static KNOWN: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes this process the parent of all descendants whose own parent dies.
pub fn adopt_orphans() -> io::Result<()> {
    Ok(set_child_subreaper(Some(getpid()))?)
}

/// A look at our children before a job, to compare with afterwards.
#[derive(Debug, Clone)]
pub struct Sweep {
    before: BTreeSet<i32>,
}

impl Sweep {
    /// Remembers the children that are there before the job; they are let be.
    pub fn begin() -> Self {
        Self {
            before: children().into_iter().collect(),
        }
    }

    /// Ends what came after the beginning and carries no other mark than ours, and returns how many
    /// had to be ended. Those that end by themselves within `patience` are not counted: a helper that
    /// waits for the end of its parent takes a moment.
    pub fn end(&self, mark: &Mark, patience: Duration) -> usize {
        let begun = Instant::now();
        let terminate_at = begun + patience;
        let kill_at = terminate_at
            + if patience.is_zero() {
                patience
            } else {
                TERM_PATIENCE
            };
        let give_up_at = kill_at + KILL_PATIENCE;
        let mut ended = BTreeSet::new();
        loop {
            let survivors = self.survivors(mark);
            let now = Instant::now();
            if survivors.is_empty() || now >= give_up_at {
                return ended.len();
            }
            let next = if now < terminate_at {
                terminate_at
            } else {
                let late = now >= kill_at;
                for pid in &survivors {
                    // SIGTERM only once, so that a handler is not run again and again.
                    if ended.insert(pid.as_raw_nonzero().get()) || late {
                        let signal = if late { Signal::KILL } else { Signal::TERM };
                        kill_process(*pid, signal).ok();
                    }
                }
                if late { give_up_at } else { kill_at }
            };
            wait_for_one(&survivors, next);
        }
    }

    /// What is left and ours to end. Waits for those that have ended already.
    fn survivors(&self, mark: &Mark) -> Vec<Pid> {
        let own_session = session_of(0);
        let found = children();
        let known = known_children();
        let strangers = found
            .into_iter()
            .filter(|child| !known.contains(child) && !self.before.contains(child))
            .filter(|child| session_of(*child) != own_session)
            .filter_map(Pid::from_raw);
        strangers
            .filter(|pid| {
                !matches!(
                    waitpid(Some(*pid), WaitOptions::NOHANG),
                    Ok(Some(_)) | Err(_)
                )
            })
            .filter(|pid| mark.is_on(pid.as_raw_nonzero().get()) != Some(false))
            .collect()
    }
}

/// The session of a process, or ours for 0. It is itself 0 when its leader lives outside of our PID
/// namespace, as for a command that is run inside a container from outside: no process of ours can
/// have that number, so the comparison holds.
#[expect(
    unsafe_code,
    reason = "rustix takes a session for a process id, which is never 0"
)]
fn session_of(process: i32) -> Option<i32> {
    // SAFETY: takes and returns plain numbers.
    let session = unsafe { libc::getsid(process) };
    (session >= 0).then_some(session)
}

/// Sleeps until one of the processes has ended, or until the deadline.
fn wait_for_one(processes: &[Pid], deadline: Instant) {
    let handles: Vec<OwnedFd> = processes
        .iter()
        .take(WATCHED_AT_ONCE)
        .filter_map(|pid| pidfd_open(*pid, PidfdFlags::empty()).ok())
        .collect();
    let mut set: Vec<PollFd<'_>> = handles
        .iter()
        .map(|handle| PollFd::from_borrowed_fd(handle.as_fd(), PollFlags::IN))
        .collect();
    // A kernel without such handles (before 5.3) cannot tell: look again soon.
    let soon = Instant::now() + Duration::from_millis(20);
    let until = if set.is_empty() {
        soon.min(deadline)
    } else {
        deadline
    };
    wait_ready(&mut set, Some(until)).ok();
}

/// Our children, whichever of our threads started them.
fn children() -> Vec<i32> {
    let mut children = Vec::new();
    let Ok(threads) = fs::read_dir("/proc/self/task") else {
        return children;
    };
    for thread in threads.flatten() {
        match fs::read_to_string(thread.path().join("children")) {
            Ok(list) => children.extend(
                list.split_whitespace()
                    .filter_map(|pid| pid.parse::<i32>().ok()),
            ),
            // A thread that has just ended.
            Err(_) if !thread.path().exists() => {}
            // A kernel without such lists.
            Err(_) => return children_by_parent(),
        }
    }
    children
}

/// Our children by looking at all processes there are.
fn children_by_parent() -> Vec<i32> {
    let own = getpid().as_raw_nonzero().get();
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok())
        .filter(|pid| parent_of(*pid) == Some(own))
        .collect()
}

/// The parent as `/proc/<pid>/stat` names it: the second field after the name in brackets, which may
/// itself hold brackets.
fn parent_of(process: i32) -> Option<i32> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(1)?.parse().ok()
}
