//! The clock that waits are measured with; tests have their own, so that no test waits.

use std::time::Duration;

use jiff::Timestamp;

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
