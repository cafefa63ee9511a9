//! The clock that waits are measured with; tests have their own, so that no test waits.

use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use rustix::event::{PollFd, PollFlags};

use crate::sys::poll::wait_ready;
use crate::sys::signals::Signals;

/// Tells the time and waits.
pub trait Clock {
    fn now(&self) -> Timestamp;

    /// Returns after `duration`.
    fn sleep(&self, duration: Duration);
}

/// The clock of the system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn sleep(&self, duration: Duration) {
        std::thread::sleep(duration);
    }
}

/// The clock of the system, on which nobody sleeps once this program was told to stop.
#[derive(Debug, Clone)]
pub struct StoppableClock(pub Arc<Signals>);

impl Clock for StoppableClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn sleep(&self, duration: Duration) {
        let until = Instant::now() + duration;
        while Instant::now() < until && self.0.received().is_none() {
            let mut set = [PollFd::from_borrowed_fd(self.0.descriptor(), PollFlags::IN)];
            if wait_ready(&mut set, Some(until)).is_err() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_ends_the_sleep() {
        let (signals, trigger) = Signals::by_hand().unwrap();
        let clock = StoppableClock(Arc::new(signals));
        clock.sleep(Duration::from_millis(1));
        trigger.send(15).unwrap();
        // Would take an hour.
        clock.sleep(Duration::from_hours(1));
        clock.sleep(Duration::from_hours(1));
    }
}
