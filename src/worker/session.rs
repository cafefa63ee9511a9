//! One running worker process: requests go in, events come out, streams are emptied.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::io::{Errno, write};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::Signal;

use super::event::Event;
use super::lines::Lines;
use super::options::WorkerOptions;
use crate::json::Object;
use crate::sys::env::Environment;
use crate::sys::process::{Exit, Process, Program, Wake, Watched, spawn};
use crate::sys::signals::Signals;
use crate::sys::stream::{Read, read_once, set_nonblocking};

/// A line of a Python process, as the room that talks to it understands it.
pub(crate) trait ReadEvent: Sized {
    /// Reads an event; `None` for one that is unknown or lacks what it must have.
    fn read(object: &Object) -> Option<Self>;
}

/// What the worker, the clock or a signal brought.
#[derive(Debug)]
pub(crate) enum Turn<E = Event> {
    Event(E),
    /// The process has ended, and all that it said has been handed out.
    Ended(Exit),
    /// The deadline has passed.
    Expired,
    /// We were told to stop.
    Interrupted(i32),
}

/// A worker process and our ends of its pipes.
#[derive(Debug)]
pub(crate) struct Session<E = Event> {
    pub(crate) process: Process,
    /// `None` once the worker reads no more.
    control: Option<OwnedFd>,
    /// What the pipe has not taken yet.
    outgoing: Vec<u8>,
    /// `None` once all writers are gone.
    events: Option<OwnedFd>,
    lines: Lines,
    queue: VecDeque<E>,
    buffer: Box<[u8]>,
}

impl<E: ReadEvent> Session<E> {
    /// Starts Python on the program `main`.
    pub(crate) fn start(
        options: &WorkerOptions,
        environment: &Environment,
        main: &Path,
        death_signal: Option<Signal>,
    ) -> io::Result<Self> {
        let (control_child, control) = pipe_with(PipeFlags::CLOEXEC)?;
        let (events, events_child) = pipe_with(PipeFlags::CLOEXEC)?;
        set_nonblocking(&control)?;
        set_nonblocking(&events)?;
        let mut words = options.python.iter().map(OsString::from);
        let name = words.next().unwrap_or_default();
        let mut arguments: Vec<OsString> = words.collect();
        arguments.push(main.into());
        arguments.push(control_child.as_raw_fd().to_string().into());
        arguments.push(events_child.as_raw_fd().to_string().into());
        let process = spawn(&Program {
            name: &name,
            arguments: &arguments,
            environment,
            directory: options.directory.as_deref(),
            inherited: &[control_child.as_fd(), events_child.as_fd()],
            death_signal,
            kept_bytes: options.kept_bytes,
        })?;
        Ok(Self {
            process,
            control: Some(control),
            outgoing: Vec::new(),
            events: Some(events),
            lines: Lines::default(),
            queue: VecDeque::new(),
            buffer: vec![0; 16 * 1024].into_boxed_slice(),
        })
    }

    /// Sends a request. What the pipe cannot hold goes out during the next turns.
    pub(crate) fn send(&mut self, request: &str) -> io::Result<()> {
        self.outgoing.extend_from_slice(request.as_bytes());
        self.write_on()
    }

    /// Sleeps until the worker says something, ends, or the deadline or a signal comes.
    pub(crate) fn turn(
        &mut self,
        deadline: Option<Instant>,
        signals: Option<&Signals>,
    ) -> io::Result<Turn<E>> {
        loop {
            if let Some(event) = self.queue.pop_front() {
                return Ok(Turn::Event(event));
            }
            let mut others = Vec::with_capacity(2);
            if let Some(events) = &self.events {
                others.push(PollFd::new(events, PollFlags::IN));
            }
            if let Some(control) = self.control.as_ref().filter(|_| !self.outgoing.is_empty()) {
                others.push(PollFd::new(control, PollFlags::OUT));
            }
            let wake = self.process.watch(Watched {
                others: &others,
                deadline,
                signals,
            })?;
            match wake {
                Wake::Ready => {
                    self.write_on()?;
                    self.read_on()?;
                }
                Wake::Ended(exit) => {
                    // The last words may have come between the look at the pipe and that at the child.
                    self.read_on()?;
                    self.process.read_rest()?;
                    if self.queue.is_empty() {
                        return Ok(Turn::Ended(exit));
                    }
                }
                Wake::Expired => return Ok(Turn::Expired),
                Wake::Interrupted(signal) => return Ok(Turn::Interrupted(signal)),
            }
        }
    }

    /// Whether the process has ended by now.
    pub(crate) fn has_ended(&mut self) -> bool {
        matches!(self.process.try_reap(), Ok(Some(_)) | Err(_))
    }

    /// Forgets what was printed up to now.
    pub(crate) fn forget_output(&mut self) -> io::Result<()> {
        self.process.read_rest()?;
        self.process.stdout.clear();
        self.process.stderr.clear();
        Ok(())
    }

    /// The ends of both streams in one text.
    pub(crate) fn output(&self) -> String {
        let streams = [self.process.stdout.text(), self.process.stderr.text()];
        let texts: Vec<&str> = streams
            .iter()
            .map(|text| text.trim_end())
            .filter(|text| !text.is_empty())
            .collect();
        texts.join("\n")
    }

    /// Closes the control stream, which asks the worker to end, and gives it `patience`.
    pub(crate) fn end(mut self, patience: Duration) -> io::Result<()> {
        self.control = None;
        self.outgoing.clear();
        let deadline = Instant::now() + patience;
        loop {
            match self.turn(Some(deadline), None)? {
                Turn::Event(_) => {}
                Turn::Ended(_) => return Ok(()),
                Turn::Expired | Turn::Interrupted(_) => return self.process.kill().map(drop),
            }
        }
    }

    fn write_on(&mut self) -> io::Result<()> {
        while let Some(control) = self.control.as_ref().filter(|_| !self.outgoing.is_empty()) {
            match write(control, &self.outgoing) {
                Ok(count) => drop(self.outgoing.drain(..count)),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                // The worker reads no more; why, its end will say.
                Err(Errno::PIPE) => {
                    self.control = None;
                    self.outgoing.clear();
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    fn read_on(&mut self) -> io::Result<()> {
        while let Some(events) = &self.events {
            match read_once(events, &mut self.buffer)? {
                Read::Some(count) => {
                    let queue = &mut self.queue;
                    self.lines.push(&self.buffer[..count], |object| {
                        queue.extend(E::read(&object));
                    });
                }
                Read::Nothing => break,
                Read::End => self.events = None,
            }
        }
        Ok(())
    }
}
