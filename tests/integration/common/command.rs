//! The built binary, in an environment that holds nothing of the machine that runs the tests.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};

use fs_err as fs;
use rustix::process::{Pid, Signal};
use tempfile::TempDir;

/// A command that takes longer than this is stuck; the test fails with what it printed.
const PATIENCE: Duration = Duration::from_mins(4);

/// Variables that are handed on: what finds programs, and what coverage tools need.
const KEPT: [&str; 3] = ["PATH", "LLVM_PROFILE_FILE", "LD_LIBRARY_PATH"];

/// The binary with a private home of its own, in an empty folder.
pub(crate) fn lcmbench() -> Lcmbench {
    let sandbox = Rc::new(Sandbox::new());
    let directory = sandbox.path("work");
    Lcmbench::new(env!("CARGO_BIN_EXE_lcmbench"), sandbox, &directory)
}

/// Private folders for `HOME` and `TMPDIR`, removed at the end.
#[derive(Debug)]
pub(super) struct Sandbox {
    root: TempDir,
}

impl Sandbox {
    pub(super) fn new() -> Self {
        let root = tempfile::Builder::new()
            .prefix("lcmbench-test-")
            .tempdir()
            .expect("a temporary folder");
        let sandbox = Self { root };
        for folder in ["home", "tmp", "work", "streams"] {
            fs::create_dir(sandbox.path(folder)).unwrap();
        }
        fs::write(sandbox.path("gitconfig"), "").unwrap();
        sandbox
    }

    /// A path below the sandbox, free of symbolic links.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.root.path().canonicalize().unwrap().join(name)
    }
}

/// A program that is about to be run; the binary under test unless said otherwise.
#[derive(Debug)]
pub(crate) struct Lcmbench {
    command: Command,
    sandbox: Rc<Sandbox>,
    patience: Duration,
}

impl Lcmbench {
    pub(super) fn new(program: impl AsRef<OsStr>, sandbox: Rc<Sandbox>, directory: &Path) -> Self {
        let mut command = Command::new(program);
        command.env_clear().current_dir(directory);
        for name in KEPT {
            #[expect(
                clippy::disallowed_methods,
                reason = "the harness itself reads the outer environment"
            )]
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command
            .env("HOME", sandbox.path("home"))
            .env("TMPDIR", sandbox.path("tmp"))
            .env("LANG", "C.UTF-8")
            .env("TZ", "UTC")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            // Not /dev/null: `git config --global` puts a file in the place of what this names, and root may.
            .env("GIT_CONFIG_GLOBAL", sandbox.path("gitconfig"))
            .env("GIT_AUTHOR_NAME", "Test Author")
            .env("GIT_AUTHOR_EMAIL", "author@example.org")
            .env("GIT_COMMITTER_NAME", "Test Committer")
            .env("GIT_COMMITTER_EMAIL", "committer@example.org")
            .stdin(Stdio::null());
        Self {
            command,
            sandbox,
            patience: PATIENCE,
        }
    }

    pub(crate) fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    pub(crate) fn args<I, S>(mut self, arguments: I) -> Self
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        self.command.args(arguments);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn current_dir(mut self, directory: impl AsRef<Path>) -> Self {
        self.command.current_dir(directory);
        self
    }

    /// How long the command may take before the test fails.
    pub(crate) fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Its `HOME`.
    pub(crate) fn home(&self) -> PathBuf {
        self.sandbox.path("home")
    }

    /// Starts the command; both streams go to files, so that no grandchild can hold the test up.
    pub(crate) fn start(mut self) -> Running {
        let streams = tempfile::tempdir_in(self.sandbox.path("streams")).unwrap();
        let stdout = streams.path().join("stdout");
        let stderr = streams.path().join("stderr");
        let child = self
            .command
            .stdout(fs::File::create(&stdout).unwrap().into_file())
            .stderr(fs::File::create(&stderr).unwrap().into_file())
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {:?}: {error}", self.command));
        Running {
            child,
            streams,
            deadline: Instant::now() + self.patience,
            what: format!("{:?}", self.command),
            _sandbox: self.sandbox,
        }
    }

    /// Runs the command to its end.
    pub(crate) fn run(self) -> Output {
        self.start().wait()
    }
}

/// A command that runs.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
    streams: TempDir,
    deadline: Instant,
    what: String,
    _sandbox: Rc<Sandbox>,
}

impl Running {
    /// Its number.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal to the process alone, not to its children.
    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_child(&self.child);
        rustix::process::kill_process(pid, signal).unwrap();
    }

    /// Waits until `condition` holds; fails the test when the command ends before or takes too long.
    pub(crate) fn wait_until(&mut self, what: &str, mut condition: impl FnMut() -> bool) {
        while !condition() {
            let ended = self.child.try_wait().unwrap();
            assert!(
                ended.is_none() && Instant::now() < self.deadline,
                "waited in vain until {what}: {}\n{}",
                self.what,
                self.printed()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits for the end.
    pub(crate) fn wait(mut self) -> Output {
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return Output {
                    code: code(status),
                    stdout: self.stream("stdout"),
                    stderr: self.stream("stderr"),
                    what: std::mem::take(&mut self.what),
                };
            }
            if Instant::now() > self.deadline {
                let printed = self.printed();
                // The group of the child is ours, so only the child itself can be ended.
                self.child.kill().ok();
                self.child.wait().ok();
                panic!("took too long: {}\n{printed}", self.what);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn stream(&self, name: &str) -> String {
        let bytes = fs::read(self.streams.path().join(name)).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn printed(&self) -> String {
        format!(
            "--- stdout\n{}\n--- stderr\n{}",
            self.stream("stdout"),
            self.stream("stderr")
        )
    }
}

/// How a command ended and what it printed.
#[must_use = "assert the exit code or what was printed"]
#[derive(Debug)]
pub(crate) struct Output {
    /// The exit code; 128 and the signal's number when a signal ended it, as in a shell.
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    what: String,
}

impl Output {
    /// Asserts the exit code; a failure shows both streams.
    pub(crate) fn expect(self, code: i32) -> Self {
        assert!(
            self.code == code,
            "{}\nended with {} instead of {code}\n--- stdout\n{}\n--- stderr\n{}",
            self.what,
            self.code,
            self.stdout,
            self.stderr
        );
        self
    }

    /// Asserts that both streams together hold `text`; a failure shows them.
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(
            self.stdout.contains(text) || self.stderr.contains(text),
            "{}\ndoes not say {text:?}\n--- stdout\n{}\n--- stderr\n{}",
            self.what,
            self.stdout,
            self.stderr
        );
        self
    }
}

fn code(status: ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt as _;
    status
        .code()
        .unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}
