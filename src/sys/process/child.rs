//! A running child.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

use super::exit::Exit;
use super::orphans;
use super::watch::{Wake, Watched};
use crate::sys::stream::Stream;

/// How long a child that was killed may take to be gone. It takes longer only when it hangs inside
/// the kernel, and then waiting does not help.
const KILL_PATIENCE: Duration = Duration::from_secs(2);

/// A child and its two streams. Dropped while it runs, it is killed with its whole group.
#[derive(Debug)]
pub struct Process {
    pid: Pid,
    /// Becomes readable when the child ends; kernels before 5.3 have none.
    pub(super) handle: Option<OwnedFd>,
    pub stdout: Stream,
    pub stderr: Stream,
    exit: Option<Exit>,
    pub(super) buffer: Box<[u8]>,
}

impl Process {
    pub(super) fn new(
        pid: Pid,
        stdout: OwnedFd,
        stderr: OwnedFd,
        kept_bytes: usize,
    ) -> io::Result<Self> {
        Ok(Self {
            pid,
            handle: pidfd_open(pid, PidfdFlags::empty()).ok(),
            stdout: Stream::new(stdout, kept_bytes)?,
            stderr: Stream::new(stderr, kept_bytes)?,
            exit: None,
            buffer: vec![0; 64 * 1024].into_boxed_slice(),
        })
    }

    /// Its process id, which is also that of its group and session.
    pub fn pid(&self) -> Pid {
        self.pid
    }

    /// Its end, once it has been seen.
    pub fn exit(&self) -> Option<Exit> {
        self.exit
    }

    /// Sends a signal to the whole group, unless the child is known to have ended.
    pub fn signal_group(&self, signal: Signal) {
        if self.exit.is_none() {
            signal_group(self.pid.as_raw_nonzero().get(), signal);
        }
    }

    /// Asks the kernel whether the child has ended, without waiting.
    pub fn try_reap(&mut self) -> io::Result<Option<Exit>> {
        if self.exit.is_none() {
            let mut known = orphans::known_children();
            let raw = self.pid.as_raw_nonzero().get();
            self.exit = wait4(raw)?;
            if self.exit.is_some() {
                known.remove(&raw);
            }
        }
        Ok(self.exit)
    }

    /// Kills the whole group and waits for the child. `None` when it hangs inside the kernel.
    pub fn kill(&mut self) -> io::Result<Option<Exit>> {
        self.signal_group(Signal::KILL);
        let deadline = Instant::now() + KILL_PATIENCE;
        match self.watch(Watched::until(deadline))? {
            Wake::Ended(exit) => Ok(Some(exit)),
            Wake::Ready | Wake::Expired | Wake::Interrupted(_) => Ok(None),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.exit.is_none() {
            self.kill().ok();
        }
    }
}

/// Sends a signal to the process group that `leader` leads, also when it is not our child.
pub fn signal_group(leader: i32, signal: Signal) {
    // 1 is never the group of a child, and 0 would be our own.
    if let Some(leader) = Pid::from_raw(leader.max(0)).filter(|leader| !leader.is_init()) {
        // The only error there can be is that nobody is left.
        kill_process_group(leader, signal).ok();
    }
}

/// `wait4(2)` without waiting: the end of the child and its own usage. `RUSAGE_CHILDREN` would be the
/// maximum over all children ever.
#[expect(unsafe_code, reason = "no crate wraps wait4")]
fn wait4(pid: i32) -> io::Result<Option<Exit>> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    loop {
        // SAFETY: both pointers are to live variables of the right type, which the kernel fills.
        let ended = unsafe { libc::wait4(pid, &raw mut status, libc::WNOHANG, usage.as_mut_ptr()) };
        if ended == 0 {
            return Ok(None);
        }
        if ended == pid {
            // SAFETY: all bytes zero are a valid `rusage`, and the kernel has filled it by now.
            let usage = unsafe { usage.assume_init_ref() };
            return Ok(Some(Exit::new(status, usage)));
        }
        let error = io::Error::last_os_error();
        if error.raw_os_error() != Some(Errno::INTR.raw_os_error()) {
            return Err(error);
        }
    }
}
