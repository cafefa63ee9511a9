//! A project in a temporary folder: files, commits, and the binary run inside it.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use fs_err as fs;

use super::command::{Lcmbench, Output, Sandbox};

/// Commits are an hour apart; the first is at this second since 1970 (2024-01-01 00:00:00 UTC).
const FIRST_COMMIT: u64 = 1_704_067_200;

/// A folder with a private home beside it; a git repository unless made with `without_git`.
#[derive(Debug)]
pub(crate) struct Project {
    sandbox: Rc<Sandbox>,
    commits: Cell<u64>,
}

impl Project {
    /// An empty git repository on the branch `main`.
    pub(crate) fn new() -> Self {
        let project = Self::without_git();
        project.git(["init", "--quiet", "--initial-branch=main"]);
        project
    }

    /// An empty folder.
    pub(crate) fn without_git() -> Self {
        Self {
            sandbox: Rc::new(Sandbox::new()),
            commits: Cell::new(0),
        }
    }

    /// The project's folder, free of symbolic links.
    pub(crate) fn root(&self) -> PathBuf {
        self.sandbox.path("work")
    }

    /// The private `HOME`.
    pub(crate) fn home(&self) -> PathBuf {
        self.sandbox.path("home")
    }

    /// The path of `name` below the project's folder.
    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.root().join(name)
    }

    /// Writes a file and the folders above it.
    pub(crate) fn write(&self, name: impl AsRef<Path>, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Reads a file as text.
    pub(crate) fn read(&self, name: impl AsRef<Path>) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Copies a folder of this repository (`tests/suites/names`, `examples/savings`) to `name`.
    pub(crate) fn copy(&self, source: impl AsRef<Path>, name: impl AsRef<Path>) {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
        copy_folder(&source, &self.path(name));
    }

    /// Copies one file of this repository to `name`.
    pub(crate) fn copy_file(&self, source: impl AsRef<Path>, name: impl AsRef<Path>) {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
        self.write(name, &fs::read_to_string(source).unwrap());
    }

    /// Applies a patch of this repository to the worktree.
    pub(crate) fn apply(&self, patch: impl AsRef<Path>) {
        let patch = Path::new(env!("CARGO_MANIFEST_DIR")).join(patch);
        self.git(["apply", patch.to_str().unwrap()]);
    }

    /// Commits everything; returns the full hash.
    pub(crate) fn commit(&self, message: &str) -> String {
        let count = self.commits.get();
        self.commits.set(count + 1);
        let date = format!("{} +0000", FIRST_COMMIT + 3600 * count);
        self.git(["add", "--all"]);
        let _committed = self
            .program("git")
            .env("GIT_AUTHOR_DATE", &date)
            .env("GIT_COMMITTER_DATE", &date)
            .args(["commit", "--quiet", "--allow-empty", "-m", message])
            .run()
            .expect(0);
        self.git(["rev-parse", "HEAD"])
    }

    /// Runs `git` in the project; returns what it printed, trimmed. It must succeed.
    pub(crate) fn git<const N: usize>(&self, arguments: [&str; N]) -> String {
        let output: Output = self.program("git").args(arguments).run().expect(0);
        output.stdout.trim().to_owned()
    }

    /// The binary under test, in the project's folder.
    pub(crate) fn lcmbench(&self) -> Lcmbench {
        self.program(env!("CARGO_BIN_EXE_lcmbench"))
    }

    /// Another program in the same scrubbed environment and folder.
    pub(crate) fn program(&self, program: impl AsRef<std::ffi::OsStr>) -> Lcmbench {
        Lcmbench::new(program, Rc::clone(&self.sandbox), &self.root())
    }
}

fn copy_folder(source: &Path, target: &Path) {
    fs::create_dir_all(target).unwrap();
    for entry in fs::read_dir(source).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name();
        if name == "__pycache__" {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target.join(name));
        } else {
            fs::copy(entry.path(), target.join(name)).unwrap();
        }
    }
}
