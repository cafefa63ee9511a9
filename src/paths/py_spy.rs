//! py-spy: a sampling profiler that looks into a running Python from outside.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fs_err as fs;
use rustix::process::Signal;

use crate::sys::env::Environment;
use crate::sys::process::{Process, Program, Wake, Watched, spawn};
use crate::sys::signals::Signals;

/// What py-spy prints once it samples.
const STARTED: &str = "Sampling process";

/// How long it may take until it samples, and to write its picture.
const START_PATIENCE: Duration = Duration::from_mins(1);
const END_PATIENCE: Duration = Duration::from_mins(2);

/// How often to look whether it has started.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Bytes of its messages that are kept.
const KEPT_BYTES: usize = 16 * 1024;

/// Yama's setting: who may look into a process.
const PTRACE_SCOPE: &str = "/proc/sys/kernel/yama/ptrace_scope";

/// How to sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sampling {
    /// The picture that is written: a flame graph as SVG.
    pub output: PathBuf,
    /// Samples a second.
    pub rate: u32,
}

/// A profiler at work.
pub trait Attached {
    /// Ends sampling and has the result written.
    fn finish(self: Box<Self>) -> Result<(), PySpyError>;
}

/// Why there is no profile.
#[derive(Debug, thiserror::Error)]
pub enum PySpyError {
    #[error(
        "py-spy was found neither beside {} nor on PATH; install it with `pip install py-spy`, or give \
         --no-py-spy to use a profiler of your own", python.display()
    )]
    NotFound { python: PathBuf },
    #[error("cannot run {}", program.display())]
    Start { program: PathBuf, source: io::Error },
    #[error("py-spy may not look into the process; {remedy}")]
    NotPermitted { remedy: String },
    #[error("py-spy ended without a profile: {message}")]
    Ended { message: String },
    #[error("py-spy did not answer within {} s", .0.as_secs())]
    TimedOut(Duration),
    #[error("interrupted by signal {0}")]
    Interrupted(i32),
}

/// py-spy, attached to a process.
#[derive(Debug)]
pub struct PySpy {
    process: Process,
    output: PathBuf,
}

impl PySpy {
    /// Attaches to a process of this user and waits until samples are taken.
    pub fn attach(
        program: &Path,
        process: i64,
        sampling: &Sampling,
        environment: &Environment,
        signals: Option<&Signals>,
    ) -> Result<Self, PySpyError> {
        let start = |source| PySpyError::Start {
            program: program.to_owned(),
            source,
        };
        let name = OsString::from(program);
        let arguments = arguments(process, sampling);
        let mut spy = Self {
            process: spawn(&Program {
                name: &name,
                arguments: &arguments,
                environment,
                directory: None,
                inherited: &[],
                death_signal: Some(Signal::KILL),
                kept_bytes: KEPT_BYTES,
            })
            .map_err(start)?,
            output: sampling.output.clone(),
        };
        let patience = Instant::now() + START_PATIENCE;
        while !spy.process.stdout.text().contains(STARTED) {
            let watched = Watched {
                others: &[],
                deadline: Some((Instant::now() + LOOK_EVERY).min(patience)),
                signals,
            };
            match spy.process.watch(watched).map_err(start)? {
                Wake::Ended(_) => return Err(spy.failure()),
                Wake::Interrupted(signal) => return Err(PySpyError::Interrupted(signal)),
                Wake::Expired if Instant::now() >= patience => {
                    return Err(PySpyError::TimedOut(START_PATIENCE));
                }
                Wake::Expired | Wake::Ready => {}
            }
        }
        Ok(spy)
    }

    /// What its last words mean.
    fn failure(&mut self) -> PySpyError {
        self.process.read_rest().ok();
        let streams = [self.process.stderr.text(), self.process.stdout.text()];
        let words = streams.join("\n");
        if words.contains("Permission Denied") || words.contains("Operation not permitted") {
            return PySpyError::NotPermitted {
                remedy: remedy(ptrace_scope()),
            };
        }
        let first = words.lines().map(str::trim).find(|line| !line.is_empty());
        PySpyError::Ended {
            message: first.unwrap_or("it printed nothing").to_owned(),
        }
    }
}

impl Attached for PySpy {
    fn finish(mut self: Box<Self>) -> Result<(), PySpyError> {
        self.process.signal_group(Signal::INT);
        let deadline = Instant::now() + END_PATIENCE;
        let ended = self.process.watch(Watched::until(deadline));
        match ended {
            Ok(Wake::Ended(_)) if self.output.is_file() => Ok(()),
            Ok(Wake::Ended(_)) => Err(self.failure()),
            Ok(_) => Err(PySpyError::TimedOut(END_PATIENCE)),
            Err(error) => Err(PySpyError::Ended {
                message: error.to_string(),
            }),
        }
    }
}

fn arguments(process: i64, sampling: &Sampling) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = ["record", "--format", "flamegraph", "--pid"]
        .map(OsString::from)
        .into();
    arguments.push(process.to_string().into());
    arguments.push("--rate".into());
    arguments.push(sampling.rate.to_string().into());
    arguments.push("--output".into());
    arguments.push(sampling.output.clone().into());
    arguments
}

fn ptrace_scope() -> Option<u8> {
    let text = fs::read_to_string(PTRACE_SCOPE).ok()?;
    text.trim().parse().ok()
}

/// What to do where a process may not be looked into; `scope` is the kernel's `yama/ptrace_scope`,
/// if it has that.
pub fn remedy(scope: Option<u8>) -> String {
    let otherwise =
        "or run lcmbench itself as root: `sudo env \"PATH=$PATH\" lcmbench paths --profile`";
    match scope {
        Some(3) => "this kernel allows it to nobody until it is started again \
                    (kernel.yama.ptrace_scope is 3)"
            .to_owned(),
        Some(scope @ 1..) => format!(
            "allow it until the next start of the machine with `sudo sysctl \
             kernel.yama.ptrace_scope=0` (it is {scope} now), {otherwise}"
        ),
        Some(0) | None => format!(
            "in a container, start that with `--cap-add SYS_PTRACE`; elsewhere it must run as the user \
             of the Python process, {otherwise}"
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn sampling(folder: &Path) -> Sampling {
        Sampling {
            output: folder.join("out.svg"),
            rate: 250,
        }
    }

    fn attach(script: &str) -> (tempfile::TempDir, Result<PySpy, PySpyError>) {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("py-spy");
        fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let environment: Environment = [("PATH", "/usr/bin:/bin")].into_iter().collect();
        let sampling = sampling(folder.path());
        let attached = PySpy::attach(&program, 4711, &sampling, &environment, None);
        (folder, attached)
    }

    #[test]
    fn it_is_asked_for_a_flame_graph_of_the_process() {
        let arguments = arguments(4711, &sampling(Path::new("/x")));
        assert_eq!(
            arguments.join(" ".as_ref()),
            "record --format flamegraph --pid 4711 --rate 250 --output /x/out.svg"
        );
    }

    #[test]
    fn it_is_awaited_ended_and_has_written() {
        let script = "for last; do :; done\n\
                      trap 'echo done > \"$last\"; exit 0' INT\n\
                      echo 'py-spy> Sampling process 250 times a second.'\n\
                      while :; do sleep 0.02; done";
        let (folder, attached) = attach(script);
        Box::new(attached.unwrap()).finish().unwrap();
        assert!(folder.path().join("out.svg").is_file());
    }

    #[test]
    fn a_missing_permission_is_told_with_its_remedy() {
        let (_folder, attached) = attach("echo 'Permission Denied: Try again' >&2; exit 1");
        let message = attached.unwrap_err().to_string();
        assert!(
            message.starts_with("py-spy may not look into the process; "),
            "{message}"
        );
        let (_folder, attached) = attach("echo 'Error: no such process' >&2; exit 1");
        assert_eq!(
            attached.unwrap_err().to_string(),
            "py-spy ended without a profile: Error: no such process"
        );
    }

    #[test]
    fn remedies_are_exact() {
        assert!(remedy(Some(1)).contains("`sudo sysctl kernel.yama.ptrace_scope=0` (it is 1 now)"));
        assert!(remedy(Some(2)).contains("(it is 2 now)"));
        assert!(remedy(Some(3)).contains("until it is started again"));
        assert!(remedy(None).contains("--cap-add SYS_PTRACE"));
        assert!(remedy(Some(0)).contains("sudo env \"PATH=$PATH\""));
    }
}
