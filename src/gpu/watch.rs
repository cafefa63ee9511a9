//! Looks at the GPUs before a process run, now and then during it, and after it.

use std::io;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::device::Target;
use super::observation::{Observation, Seen};
use super::state::State;

/// When the first look during a run is taken: most of the start of Python is over.
const FIRST: Duration = Duration::from_millis(400);

/// How far apart the later ones are. The driver takes locks for an answer, so that looking more often
/// than ten times a second can disturb launches.
const EVERY: Duration = Duration::from_secs(1);

/// A look that goes on until it is ended.
#[derive(Debug)]
pub struct Watch {
    targets: Vec<Target>,
    before: Vec<State>,
    began: Instant,
    stop: Sender<()>,
    thread: JoinHandle<Vec<Vec<State>>>,
}

impl Watch {
    /// Takes the states now, and then once a second on a thread of its own.
    pub fn begin(targets: &[Target]) -> io::Result<Self> {
        let before = targets.iter().map(Target::state).collect();
        let watched = targets.to_vec();
        let (stop, stopped) = channel();
        let thread = std::thread::Builder::new()
            .name("gpu-watch".to_owned())
            .spawn(move || {
                let mut looks = Vec::new();
                let mut pause = FIRST;
                while stopped.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                    looks.push(watched.iter().map(Target::quick_state).collect());
                    pause = EVERY;
                }
                looks
            })?;
        Ok(Self {
            targets: targets.to_vec(),
            before,
            began: Instant::now(),
            stop,
            thread,
        })
    }

    /// Takes the states once more and sums up.
    pub fn end(self) -> Observation {
        let Self {
            targets,
            before,
            began,
            stop,
            thread,
        } = self;
        let after: Vec<State> = targets.iter().map(Target::state).collect();
        let seconds = began.elapsed().as_secs_f64();
        drop(stop);
        // A thread that panicked has seen nothing.
        let looks = thread.join().unwrap_or_default();
        let devices = before
            .into_iter()
            .zip(after)
            .enumerate()
            .map(|(index, (before, after))| Seen {
                before,
                during: looks
                    .iter()
                    .filter_map(|look| look.get(index).cloned())
                    .collect(),
                after,
            })
            .collect();
        Observation { devices, seconds }
    }
}
