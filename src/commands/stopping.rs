//! Work that is left alone when a signal says so.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::sys::signals::Signals;

/// How often is looked for a signal.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Does `work` beside this thread and waits for it, or for the first signal; then the work is left
/// alone, for the process is about to end. It must have nothing that may not be left half done.
pub(in crate::commands) fn until_stopped<T: Send + 'static>(
    signals: &Signals,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, i32> {
    let (sender, receiver) = channel();
    let worker = thread::spawn(move || {
        // Nobody listens any more when a signal came first.
        sender.send(work()).ok();
    });
    loop {
        if let Some(signal) = signals.received() {
            return Err(signal);
        }
        match receiver.recv_timeout(LOOK_EVERY) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                // It panicked: that is passed on.
                if let Err(panic) = worker.join() {
                    std::panic::resume_unwind(panic);
                }
                unreachable!("a thread that ended well has sent its result");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_never_ends_is_left_alone() {
        let (signals, trigger) = Signals::by_hand().unwrap();
        assert_eq!(until_stopped(&signals, || 7), Ok(7));
        let (_held, wait) = channel::<()>();
        trigger.send(15).unwrap();
        assert_eq!(
            until_stopped(&signals, move || wait.recv().is_ok()),
            Err(15)
        );
    }
}
