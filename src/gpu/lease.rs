//! Having the GPUs to oneself: first the turn in the queue of each, then the end of everybody who does
//! not queue.

use std::io;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};

use super::device::Target;
use super::holder::{Holder, how_long};
use super::owner::Owner;
use super::queue::{Queue, Ticket};
use super::state::Process;
use crate::sys::env::Environment;
use crate::sys::files::FileError;
use crate::sys::poll::wait_ready;
use crate::sys::signals::Signals;

/// How often the ticket before one's own is looked at.
const LOOK: Duration = Duration::from_millis(200);

/// How often foreign processes are looked at.
const LOOK_AT_GPU: Duration = Duration::from_secs(1);

/// How often the same state of affairs is said again.
const SAY_AGAIN: Duration = Duration::from_mins(1);

/// The server that shares a GPU among the processes of one host; by itself it computes nothing.
const SHARING_SERVER: &str = "nvidia-cuda-mps";

/// Why the GPUs could not be had.
#[derive(Debug, thiserror::Error)]
pub enum LeaseError {
    /// The deadline passed. The sentence says who has it.
    #[error("the GPU was not free within {}: {reason}", seconds(*.waited))]
    Deadline { waited: Duration, reason: String },
    /// We were told to stop.
    #[error("interrupted while waiting for the GPU")]
    Interrupted(i32),
    /// The tickets cannot be kept.
    #[error("the queue for the GPU cannot be kept")]
    Queue(#[from] FileError),
    #[error("cannot wait for the GPU")]
    Wait(#[from] io::Error),
}

/// How to wait.
pub struct Waiting<'a> {
    /// Who waits.
    pub holder: Holder,
    /// How long at most.
    pub patience: Duration,
    /// Where the tickets are.
    pub environment: &'a Environment,
    /// Told whom we wait for: when that changes, and once a minute.
    pub tell: &'a mut dyn FnMut(&str),
}

/// The GPUs are ours until this is dropped.
#[derive(Debug, Default)]
pub struct Lease {
    tickets: Vec<Ticket>,
    /// How long it took to get them.
    pub waited: Duration,
}

impl Lease {
    /// Takes the GPUs: waits for the turn at each, in the order of their names, so that two who want
    /// several cannot block each other, and then until nobody else computes on them. Slices of one
    /// GPU share its power and its clocks, so a slice is taken with its whole GPU.
    pub fn take(targets: &[Target], waiting: &mut Waiting<'_>) -> Result<Self, LeaseError> {
        if targets.is_empty() {
            return Ok(Self::default());
        }
        let signals = Signals::install()?;
        let mut wait = Wait {
            began: Instant::now(),
            patience: waiting.patience,
            signals: &signals,
            tell: waiting.tell,
            said: None,
        };
        let mut devices: Vec<&Target> = targets.iter().collect();
        devices.sort_by(|one, other| one.device.uuid.cmp(&other.device.uuid));
        devices.dedup_by(|one, other| one.device.uuid == other.device.uuid);
        let mut tickets = Vec::new();
        for target in devices {
            let queue = Queue::of(&target.device.uuid, waiting.environment);
            tickets.push(wait.for_turn(&queue, target, &waiting.holder)?);
        }
        for target in targets {
            wait.for_others(target)?;
        }
        Ok(Self {
            tickets,
            waited: wait.began.elapsed(),
        })
    }

    /// Whether any GPU is held.
    pub fn holds(&self) -> bool {
        !self.tickets.is_empty()
    }
}

struct Wait<'a> {
    began: Instant,
    patience: Duration,
    signals: &'a Signals,
    tell: &'a mut dyn FnMut(&str),
    /// What was said last, without durations, and when.
    said: Option<(String, Instant)>,
}

impl Wait<'_> {
    fn for_turn(
        &mut self,
        queue: &Queue,
        target: &Target,
        holder: &Holder,
    ) -> Result<Ticket, LeaseError> {
        let mut ticket = queue.enter(holder.clone())?;
        while !ticket.is_first()? {
            let before = ticket.before()?;
            let Some(first) = before.first() else {
                continue;
            };
            let has = match first.holder.holding_since {
                Some(since) => format!("has had it {}", how_long(since)),
                None => "is about to have it".to_owned(),
            };
            let others = match before.len() - 1 {
                0 => String::new(),
                1 => ", and one other is before us".to_owned(),
                many => format!(", and {many} others are before us"),
            };
            let key = format!("{} {}", first.number, before.len());
            let line = format!(
                "{}: {} {has}{others}",
                target.label(),
                first.holder.sentence()
            );
            self.pause(LOOK, &key, &line)?;
        }
        ticket.note_turn()?;
        Ok(ticket)
    }

    fn for_others(&mut self, target: &Target) -> Result<(), LeaseError> {
        loop {
            let others = match target.quick_state().processes {
                Ok(processes) => foreign(processes),
                Err(absence) => {
                    (self.tell)(&format!(
                        "{}: whether others compute on it cannot be seen: {}",
                        target.label(),
                        absence.words()
                    ));
                    return Ok(());
                }
            };
            if others.is_empty() {
                return Ok(());
            }
            let names: Vec<String> = others.iter().map(described).collect();
            let pids: Vec<u32> = others.iter().map(|process| process.pid).collect();
            let line = format!("{}: in use by {}", target.label(), names.join(", "));
            self.pause(LOOK_AT_GPU, &format!("{pids:?}"), &line)?;
        }
    }

    /// Sleeps for a moment, or ends the waiting. `key` is the state of affairs, `line` says it.
    fn pause(&mut self, pause: Duration, key: &str, line: &str) -> Result<(), LeaseError> {
        let waited = self.began.elapsed();
        if waited >= self.patience {
            return Err(LeaseError::Deadline {
                waited: self.patience,
                reason: line.to_owned(),
            });
        }
        let is_known = self
            .said
            .as_ref()
            .is_some_and(|(said, when)| said == key && when.elapsed() < SAY_AGAIN);
        if !is_known {
            (self.tell)(&format!("waiting for {line}"));
            self.said = Some((key.to_owned(), Instant::now()));
        }
        let until = Instant::now() + pause.min(self.patience.saturating_sub(waited));
        let mut set = [PollFd::from_borrowed_fd(
            self.signals.descriptor(),
            PollFlags::IN,
        )];
        wait_ready(&mut set, Some(until))?;
        match self.signals.received() {
            Some(signal) => Err(LeaseError::Interrupted(signal)),
            None => Ok(()),
        }
    }
}

/// Everybody else who computes there.
fn foreign(processes: Vec<Process>) -> Vec<Process> {
    processes
        .into_iter()
        .filter(|process| process.owner != Owner::Ours)
        .filter(|process| {
            !process
                .name
                .as_ref()
                .is_some_and(|name| name.starts_with(SHARING_SERVER))
        })
        .collect()
}

/// `python (process 4711, 3.2 GiB)`.
pub fn described(process: &Process) -> String {
    let name = process.name.as_deref().unwrap_or("a process");
    #[expect(
        clippy::cast_precision_loss,
        reason = "two digits of an amount of memory are shown"
    )]
    let memory = process
        .memory
        .map(|bytes| format!(", {:.1} GiB", bytes as f64 / (1_u64 << 30) as f64));
    format!(
        "{name} (process {}{})",
        process.pid,
        memory.unwrap_or_default()
    )
}

fn seconds(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0 => format!("{} ms", duration.as_millis()),
        1..=119 => format!("{seconds} s"),
        120..=7199 => format!("{} min", seconds / 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds % 3600 / 60),
    }
}
