//! Starting a program.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::io::{Errno, FdFlags, fcntl_setfd};
use rustix::process::{
    DumpableBehavior, Pid, Signal, getpid, getppid, set_dumpable_behavior,
    set_parent_process_death_signal, setsid,
};

use super::child::Process;
use super::orphans;
use crate::sys::env::Environment;

/// The first descriptor after the three standard ones.
const FIRST_OTHER_DESCRIPTOR: libc::c_uint = 3;

/// What to start, and how.
#[derive(Debug, Clone, Copy)]
pub struct Program<'a> {
    /// The program (a path, or a name looked up in the `PATH` of `environment`).
    pub name: &'a OsString,
    pub arguments: &'a [OsString],
    /// All variables of the child; nothing else is passed on.
    pub environment: &'a Environment,
    /// Folder to start in; `None` for ours.
    pub directory: Option<&'a Path>,
    /// Descriptors, beside the three standard ones, that the child gets under the same numbers.
    pub inherited: &'a [BorrowedFd<'a>],
    /// Signal that the child gets when the thread that started it dies.
    pub death_signal: Option<Signal>,
    /// How many bytes of the end of standard output and standard error are kept, each.
    pub kept_bytes: usize,
}

/// Starts a program in a session (and so in a process group) of its own, without a terminal. Its
/// standard input is empty, its standard output and error are read by [`Process`].
///
/// With a death signal the child is tied to the *thread* that calls this: call it from one that
/// lives as long as the program.
pub fn spawn(program: &Program<'_>) -> io::Result<Process> {
    let mut command = Command::new(program.name);
    command
        .args(program.arguments)
        .env_clear()
        .envs(program.environment.iter())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(directory) = program.directory {
        command.current_dir(directory);
    }
    prepare(&mut command, program);

    // Nobody sweeps while a child exists that is not yet known as ours.
    let mut known = orphans::known_children();
    let mut child = command.spawn()?;
    let pid = i32::try_from(child.id())
        .ok()
        .and_then(Pid::from_raw)
        .ok_or(Errno::SRCH)?;
    known.insert(pid.as_raw_nonzero().get());
    drop(known);

    let streams = child.stdout.take().zip(child.stderr.take());
    let (stdout, stderr) = streams.ok_or(Errno::BADF)?;
    // From here on only `Process` waits for it; `child` itself neither waits nor kills when dropped.
    Process::new(
        pid,
        OwnedFd::from(stdout),
        OwnedFd::from(stderr),
        program.kept_bytes,
    )
}

/// Adds what the child does between fork and exec.
#[expect(
    unsafe_code,
    reason = "the standard library has no safe way to a session, a death signal and further descriptors"
)]
fn prepare(command: &mut Command, program: &Program<'_>) {
    let parent = getpid();
    let death_signal = program.death_signal;
    let inherited: Vec<i32> = program.inherited.iter().map(AsRawFd::as_raw_fd).collect();
    let between = move || -> io::Result<()> {
        setsid()?;
        if death_signal.is_some() {
            set_parent_process_death_signal(death_signal)?;
            // The parent may have died before the signal was set; then none would ever come.
            if getppid() != Some(parent) {
                return Err(Errno::SRCH.into());
            }
        }
        // Descriptors that whoever started us left open are not for the child. A kernel that cannot
        // do this (before 5.11) lets them through.
        // SAFETY: this only sets a flag; descriptors stay open until the exec.
        unsafe {
            libc::syscall(
                libc::SYS_close_range,
                FIRST_OTHER_DESCRIPTOR,
                libc::c_uint::MAX,
                libc::CLOSE_RANGE_CLOEXEC,
            );
        }
        for number in &inherited {
            // SAFETY: the caller of `spawn` borrows the descriptor until after the fork, so that the
            // child has it under this number, and nothing in the child closes it.
            let descriptor = unsafe { BorrowedFd::borrow_raw(*number) };
            fcntl_setfd(descriptor, FdFlags::empty())?;
        }
        Ok(())
    };
    // SAFETY: the closure runs in the forked child. It makes system calls only, allocates nothing,
    // takes no lock and does not panic.
    unsafe {
        command.pre_exec(between);
    }
}

/// Keeps other processes of the same user from reading our memory and our environment under
/// `/proc`: a benchmark must not find there what its own environment does not have.
pub fn hide_memory() -> io::Result<()> {
    Ok(set_dumpable_behavior(DumpableBehavior::NotDumpable)?)
}
