//! The stand-in library, built once for all tests, and the state that it plays.

use std::path::{Path, PathBuf};
use std::process::Command;

use fs_err as fs;
use lcmbench::gpu::{FOLDER_VARIABLE, LIBRARY_VARIABLE};
use lcmbench::sys::env::Environment;
use tempfile::TempDir;

use crate::common::command::Lcmbench;

const STATE_VARIABLE: &str = "LCMBENCH_STANDIN_STATE";

/// Python for suites that play with the stand-in: to say the next state, and how often this was asked.
pub(super) const PLAYING: &str = r#"
import os


def play(state):
    path = os.environ["LCMBENCH_STANDIN_STATE"]
    with open(path + ".next", "w") as file:
        file.write(state + "\n")
    os.replace(path + ".next", path)


def processes():
    path = os.environ["LCMBENCH_STANDIN_STATE"] + ".count"
    with open(path, "a") as file:
        file.write("x")
    return os.path.getsize(path)


"#;

/// Which calls the library has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edition {
    Present,
    OldDriver,
    FewSymbols,
}

/// A library, its state, and a private folder of locks.
#[derive(Debug)]
pub(crate) struct StandIn {
    folder: TempDir,
    library: PathBuf,
}

impl StandIn {
    /// One quiet H200, unless the state says otherwise.
    pub(crate) fn new(state: &str) -> Self {
        Self::edition(Edition::Present, state)
    }

    pub(crate) fn edition(edition: Edition, state: &str) -> Self {
        let stand_in = Self {
            folder: tempfile::tempdir().unwrap(),
            library: build(edition),
        };
        stand_in.play(state);
        stand_in
    }

    /// From now on this is the state.
    pub(crate) fn play(&self, state: &str) {
        let path = self.state_file();
        let next = path.with_extension("next");
        fs::write(&next, format!("{state}\n")).unwrap();
        fs::rename(next, path).unwrap();
    }

    pub(crate) fn state_file(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    pub(crate) fn locks(&self) -> PathBuf {
        self.folder.path().join("locks")
    }

    fn variables(&self) -> [(&'static str, PathBuf); 3] {
        [
            (LIBRARY_VARIABLE, self.library.clone()),
            (STATE_VARIABLE, self.state_file()),
            (FOLDER_VARIABLE, self.locks()),
        ]
    }

    /// The variables for the library within this process; its state goes through the process's own
    /// environment, and so cannot be had here.
    pub(crate) fn environment(&self) -> Environment {
        self.variables().into_iter().collect()
    }

    /// Sets the variables of a command.
    pub(crate) fn with(&self, command: Lcmbench) -> Lcmbench {
        self.variables()
            .into_iter()
            .fold(command, |command, (name, value)| command.env(name, value))
    }

    /// The same for any program.
    pub(crate) fn give(&self, command: &mut Command) {
        command.envs(self.variables());
    }
}

/// Compiles the library where no earlier test has; a second later test finds it.
fn build(edition: Edition) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/standin/nvml.c");
    let defined = match edition {
        Edition::Present => "PRESENT",
        Edition::OldDriver => "OLD_DRIVER",
        Edition::FewSymbols => "FEW_SYMBOLS",
    };
    compile(&source, "nvml", &[&format!("-D{defined}")])
}

/// Compiles a shared library from one file of C. The name holds the content, so that a change is seen.
pub(crate) fn compile(source: &Path, name: &str, options: &[&str]) -> PathBuf {
    let text = fs::read(source).unwrap();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in text.iter().chain(options.join(" ").as_bytes()) {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let library = folder.join(format!("lib{name}-{hash:016x}.so"));
    if library.exists() {
        return library;
    }
    fs::create_dir_all(folder).unwrap();
    let made = tempfile::Builder::new().tempfile_in(folder).unwrap();
    let status = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror"])
        .args(options)
        .arg("-o")
        .args([made.path(), source])
        .status()
        .expect("a C compiler, which the build of libgit2 needs too");
    assert!(status.success());
    // Two tests may do this at once; the one that is later replaces the same content.
    made.persist(&library).unwrap();
    library
}
