//! Real repositories for the tests, made by the `git` executable.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

use fs_err as fs;

use super::Repository;

/// A repository in a temporary folder with the branch `main`.
pub(super) struct Playground {
    folder: tempfile::TempDir,
    /// Seconds that the next commit is dated at; each is a day after the one before.
    clock: AtomicU64,
}

/// The author date of the first commit, seconds since 1970.
pub(super) const FIRST_DATE: u64 = 1_700_000_000;

impl Playground {
    pub(super) fn new() -> Self {
        let playground = Self {
            folder: tempfile::tempdir().unwrap(),
            clock: AtomicU64::new(FIRST_DATE),
        };
        playground.git(&["init", "-q", "-b", "main"]);
        playground
    }

    pub(super) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn path(&self, relative: &str) -> PathBuf {
        self.root().join(relative)
    }

    pub(super) fn open(&self) -> Repository {
        Repository::discover(self.root()).unwrap()
    }

    /// Writes a file, with its folders.
    pub(super) fn write(&self, relative: &str, content: &str) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Writes the files, commits everything and returns the full hash.
    pub(super) fn commit(&self, message: &str, files: &[(&str, &str)]) -> String {
        for (relative, content) in files {
            self.write(relative, content);
        }
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Runs git in the repository and returns its output without the last line break.
    pub(super) fn git(&self, arguments: &[&str]) -> String {
        let date = self.clock.fetch_add(86_400, Ordering::Relaxed);
        let output = Command::new("git")
            .current_dir(self.root())
            .args(arguments)
            .env_remove("GIT_DIR")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .env("GIT_AUTHOR_NAME", "A. Uthor")
            .env("GIT_AUTHOR_EMAIL", "author@example.org")
            .env("GIT_AUTHOR_DATE", format!("{date} +0100"))
            .env("GIT_COMMITTER_NAME", "C. Ommitter")
            .env("GIT_COMMITTER_EMAIL", "committer@example.org")
            .env("GIT_COMMITTER_DATE", format!("{} +0100", date + 60))
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "git {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout)
            .unwrap()
            .trim_end()
            .to_owned()
    }
}
