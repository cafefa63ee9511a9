//! The clock of a run; tests have their own.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Tells the time.
pub trait Clock {
    /// Milliseconds since 1970.
    fn unix_millis(&self) -> i64;

    /// Time since the clock was made; never runs backwards.
    fn elapsed(&self) -> Duration;
}

/// The clock of the system.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock {
    start: Instant,
}

impl SystemClock {
    /// A clock that starts now.
    pub fn start() -> Self {
        Self {
            start: Instant::now(),
        }
    }
}

impl Clock for SystemClock {
    fn unix_millis(&self) -> i64 {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .ok()
            .and_then(|since| i64::try_from(since.as_millis()).ok())
            .unwrap_or(0)
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}
