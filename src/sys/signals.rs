//! SIGINT, SIGTERM and SIGHUP, turned into a descriptor that `poll(2)` can wait for.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::sync::Mutex;
use std::sync::PoisonError;

use rustix::io::{Errno, read, write};
use rustix::pipe::{PipeFlags, pipe_with};
use signal_hook::SigId;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::low_level;

/// Catches the signals that ask this program to stop, for as long as it lives.
///
/// The first one is kept: it decides the exit code. A signal that was ignored when the program
/// started stays ignored (`nohup`, a background job of a script), except SIGTERM. SIGPIPE is ignored
/// by the standard library: a closed pipe is an error of a write, not the end of the program.
#[derive(Debug)]
pub struct Signals {
    reading: OwnedFd,
    /// Written to by the handlers; closed only after they are gone.
    writing: OwnedFd,
    handlers: Vec<SigId>,
    first: Mutex<Option<i32>>,
}

impl Signals {
    /// Installs the handlers.
    pub fn install() -> io::Result<Self> {
        let (mut signals, _trigger) = Self::by_hand()?;
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            if signal == SIGTERM || !is_ignored(signal) {
                let handler = write_on(signal, signals.writing.as_raw_fd())?;
                signals.handlers.push(handler);
            }
        }
        Ok(signals)
    }

    /// No handlers: a test sends the "signals" through the [`Trigger`].
    pub fn by_hand() -> io::Result<(Self, Trigger)> {
        // Neither end may block: a handler must not wait, and nor must a look.
        let (reading, writing) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
        let trigger = Trigger(writing.try_clone()?);
        let signals = Self {
            reading,
            writing,
            handlers: Vec::new(),
            first: Mutex::new(None),
        };
        Ok((signals, trigger))
    }

    /// The first signal that has arrived, if any has.
    pub fn received(&self) -> Option<i32> {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        let mut numbers = [0; 64];
        loop {
            match read(&self.reading, &mut numbers) {
                Ok(count) if count > 0 => *first = first.or(Some(i32::from(numbers[0]))),
                Err(Errno::INTR) => {}
                Ok(_) | Err(_) => return *first,
            }
        }
    }

    /// Becomes readable when a signal arrives, until [`Signals::received`] has looked.
    pub fn descriptor(&self) -> BorrowedFd<'_> {
        self.reading.as_fd()
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        for handler in self.handlers.drain(..) {
            low_level::unregister(handler);
        }
    }
}

/// Sends "signals" to a [`Signals`] that has no handlers.
#[derive(Debug)]
pub struct Trigger(OwnedFd);

impl Trigger {
    /// Makes it look as if the signal had arrived.
    pub fn send(&self, signal: u8) -> io::Result<()> {
        write(&self.0, &[signal])?;
        Ok(())
    }
}

/// Registers a handler that writes the number of its signal.
#[expect(
    unsafe_code,
    reason = "the safe interfaces of signal-hook tell that a signal came, but not which came first"
)]
fn write_on(signal: i32, descriptor: i32) -> io::Result<SigId> {
    let number = [u8::try_from(signal).map_err(|_| Errno::INVAL)?];
    let handler = move || {
        // SAFETY: `Signals` keeps the descriptor open until the handler is unregistered.
        let descriptor = unsafe { BorrowedFd::borrow_raw(descriptor) };
        // A full pipe holds signals enough.
        write(descriptor, &number).ok();
    };
    // SAFETY: the handler makes one system call, which rustix makes without libc and so without
    // touching `errno`; it neither allocates nor locks nor panics.
    unsafe { low_level::register(signal, handler) }
}

/// Whether the signal is ignored now.
#[expect(unsafe_code, reason = "no crate reads the disposition of a signal")]
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: a null new action leaves the disposition as it is; the kernel fills the old one, for
    // which all bytes zero are a valid value in case the call fails.
    let action = unsafe {
        libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr());
        action.assume_init_ref()
    };
    action.sa_sigaction == libc::SIG_IGN
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use rustix::event::{PollFd, PollFlags};

    use super::*;
    use crate::sys::poll::wait_ready;

    #[test]
    fn the_first_signal_is_kept() {
        let (signals, trigger) = Signals::by_hand().unwrap();
        assert_eq!(signals.received(), None);
        trigger.send(15).unwrap();
        trigger.send(2).unwrap();
        assert_eq!(signals.received(), Some(15));
        trigger.send(1).unwrap();
        assert_eq!(signals.received(), Some(15));
    }

    #[test]
    fn a_real_signal_wakes_a_sleeper() {
        let signals = Signals::install().unwrap();
        low_level::raise(SIGHUP).unwrap();
        let mut set = [PollFd::from_borrowed_fd(
            signals.descriptor(),
            PollFlags::IN,
        )];
        let deadline = Instant::now() + Duration::from_secs(10);
        assert!(wait_ready(&mut set, Some(deadline)).unwrap());
        assert_eq!(signals.received(), Some(SIGHUP));
    }
}
