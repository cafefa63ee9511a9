//! Sleeping beside a child.

use std::io;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};

use super::child::Process;
use super::exit::Exit;
use crate::sys::poll::wait_ready;
use crate::sys::signals::Signals;

/// How often to look for the end of a child on a kernel that cannot tell (before 5.3).
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Why the sleep ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wake {
    /// One of the other descriptors is ready.
    Ready,
    /// The child has ended and has been waited for. What it wrote last may still be in its pipes.
    Ended(Exit),
    /// The deadline has passed.
    Expired,
    /// We were told to stop, by this signal.
    Interrupted(i32),
}

/// What to look at beside the child and its two streams.
#[derive(Debug, Clone, Copy, Default)]
pub struct Watched<'set, 'fd> {
    /// Descriptors that do not block: who is woken tries each.
    pub others: &'set [PollFd<'fd>],
    pub deadline: Option<Instant>,
    pub signals: Option<&'set Signals>,
}

impl Watched<'_, '_> {
    /// Nothing but the deadline.
    pub fn until(deadline: Instant) -> Self {
        Self {
            deadline: Some(deadline),
            ..Self::default()
        }
    }
}

impl Process {
    /// Sleeps until something of interest happens. Meanwhile takes in what the child prints, so that
    /// it is never blocked by a full pipe.
    ///
    /// A signal to us comes before anything else, then the other descriptors, then the end of the
    /// child: who reads the others until they are empty has all that the child said before its end.
    pub fn watch(&mut self, watched: Watched<'_, '_>) -> io::Result<Wake> {
        let Watched {
            others,
            deadline,
            signals,
        } = watched;
        loop {
            if let Some(signal) = signals.and_then(Signals::received) {
                return Ok(Wake::Interrupted(signal));
            }
            let woken = self.sleep(others, deadline, signals)?;
            if woken.signal {
                continue;
            }
            if woken.others {
                return Ok(Wake::Ready);
            }
            if let Some(exit) = self.exit() {
                return Ok(Wake::Ended(exit));
            }
            if deadline.is_some_and(|at| Instant::now() >= at) {
                return Ok(Wake::Expired);
            }
        }
    }

    /// One sleep: then reads the streams and reaps the child, as the kernel says.
    fn sleep(
        &mut self,
        others: &[PollFd<'_>],
        deadline: Option<Instant>,
        signals: Option<&Signals>,
    ) -> io::Result<Woken> {
        let mut set: Vec<PollFd<'_>> = Vec::with_capacity(others.len() + 4);
        set.extend(others.iter().cloned());
        let mut add = |descriptor| {
            set.push(PollFd::from_borrowed_fd(descriptor, PollFlags::IN));
            Some(set.len() - 1)
        };
        let signal = signals.and_then(|signals| add(signals.descriptor()));
        let handle = self.handle.as_ref().and_then(|handle| add(handle.as_fd()));
        let stdout = self.stdout.descriptor().and_then(&mut add);
        let stderr = self.stderr.descriptor().and_then(&mut add);

        let ended = self.exit().is_some();
        let mut until = deadline;
        if handle.is_none() || ended {
            let look = Instant::now() + if ended { Duration::ZERO } else { LOOK_EVERY };
            until = Some(until.map_or(look, |deadline| deadline.min(look)));
        }
        wait_ready(&mut set, until)?;

        let ready = |index: Option<usize>| index.is_some_and(|at| !set[at].revents().is_empty());
        let woken = Woken {
            signal: ready(signal),
            others: (0..others.len()).any(|at| ready(Some(at))),
        };
        let (look, stdout, stderr) = (
            handle.is_none() || ready(handle),
            ready(stdout),
            ready(stderr),
        );
        if stdout {
            self.stdout.read(&mut self.buffer)?;
        }
        if stderr {
            self.stderr.read(&mut self.buffer)?;
        }
        if look {
            self.try_reap()?;
        }
        Ok(woken)
    }

    /// Takes in what still lies in the pipes of both streams.
    pub fn read_rest(&mut self) -> io::Result<()> {
        self.stdout.read_rest(&mut self.buffer)?;
        self.stderr.read_rest(&mut self.buffer)
    }
}

/// What one sleep brought, beside what was read and reaped on the spot.
struct Woken {
    signal: bool,
    others: bool,
}
