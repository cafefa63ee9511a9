//! Sleeping until something happens: `poll(2)` with a deadline.

use std::io;
use std::time::Instant;

use rustix::event::{PollFd, Timespec, poll};
use rustix::io::Errno;

/// Sleeps until one of `descriptors` is ready or the deadline has passed; `None` sleeps for as long
/// as it takes. Signals do not end the sleep by themselves: they have a descriptor of their own.
///
/// Returns whether a descriptor is ready; its events are then in `descriptors`.
pub fn wait_ready(descriptors: &mut [PollFd<'_>], deadline: Option<Instant>) -> io::Result<bool> {
    loop {
        let left = deadline.map(|at| at.saturating_duration_since(Instant::now()));
        let timeout = left.map(|left| {
            Timespec::try_from(left).unwrap_or(Timespec {
                tv_sec: i64::MAX,
                tv_nsec: 0,
            })
        });
        match poll(descriptors, timeout.as_ref()) {
            Ok(0) if deadline.is_some_and(|at| Instant::now() < at) => {}
            Ok(ready) => return Ok(ready > 0),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd;
    use std::time::Duration;

    use rustix::event::PollFlags;
    use rustix::pipe::{PipeFlags, pipe_with};

    use super::*;

    #[test]
    fn a_deadline_ends_the_sleep_and_not_before() {
        let (read, _write) = pipe_with(PipeFlags::CLOEXEC).unwrap();
        let started = Instant::now();
        let deadline = started + Duration::from_millis(30);
        let ready = wait_ready(&mut [PollFd::new(&read, PollFlags::IN)], Some(deadline));
        assert!(!ready.unwrap());
        assert!(started.elapsed() >= Duration::from_millis(30));
    }

    #[test]
    fn data_ends_the_sleep() {
        let (read, write) = pipe_with(PipeFlags::CLOEXEC).unwrap();
        rustix::io::write(&write, b"x").unwrap();
        let read = read.as_fd();
        let mut set = [PollFd::new(&read, PollFlags::IN)];
        assert!(wait_ready(&mut set, None).unwrap());
        assert!(set[0].revents().contains(PollFlags::IN));
    }
}
