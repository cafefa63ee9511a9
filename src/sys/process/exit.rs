//! How a process ended and what it used.

use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// By itself, with this exit code.
    Code(i32),
    /// Of this signal.
    Signal(i32),
}

impl ExitStatus {
    /// Decodes the status word of `wait(2)`.
    pub fn from_raw(status: i32) -> Self {
        let status = std::process::ExitStatus::from_raw(status);
        status
            .signal()
            .map_or_else(|| Self::Code(status.code().unwrap_or(-1)), Self::Signal)
    }
}

impl fmt::Display for ExitStatus {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Code(code) => write!(formatter, "exit code {code}"),
            Self::Signal(number) => match signal_hook::low_level::signal_name(number) {
                Some(name) => write!(formatter, "signal {number}, {name}"),
                None => write!(formatter, "signal {number}"),
            },
        }
    }
}

/// The end of one process. Usage is that of the process and of the children it waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exit {
    pub status: ExitStatus,
    /// High-water mark of resident memory, bytes.
    pub max_rss: u64,
    /// Processor time in user mode.
    pub user: Duration,
    /// Processor time in the kernel.
    pub system: Duration,
}

impl Exit {
    /// Puts together what `wait4(2)` returned. Linux counts `ru_maxrss` in KiB.
    pub(super) fn new(status: i32, usage: &libc::rusage) -> Self {
        Self {
            status: ExitStatus::from_raw(status),
            max_rss: u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024,
            user: duration(usage.ru_utime),
            system: duration(usage.ru_stime),
        }
    }
}

fn duration(time: libc::timeval) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let micros = u64::try_from(time.tv_usec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_words_are_decoded_and_named() {
        assert_eq!(ExitStatus::from_raw(3 << 8), ExitStatus::Code(3));
        assert_eq!(ExitStatus::from_raw(9), ExitStatus::Signal(9));
        // Bit 7 says that a core was dumped.
        assert_eq!(ExitStatus::from_raw(0x0B | 0x80), ExitStatus::Signal(11));
        assert_eq!(ExitStatus::Signal(11).to_string(), "signal 11, SIGSEGV");
        assert_eq!(ExitStatus::Code(1).to_string(), "exit code 1");
    }
}
