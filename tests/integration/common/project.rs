//! A project in a temporary folder: files, commits, and the binary run inside it.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use fs_err as fs;

use super::command::{Lcmbench, Output, Sandbox};
use super::saved::Saved;

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

    /// Copies a suite of `tests/suites` to `benchmarks`, with its configuration.
    pub(crate) fn suite(&self, theme: &str) {
        self.copy(format!("tests/suites/{theme}"), "benchmarks");
        self.copy_file("tests/suites/asv.conf.json", "asv.conf.json");
        self.write(".gitignore", "__pycache__/\n");
    }

    /// A suite of one module, with a configuration that says little more than the project's name.
    pub(crate) fn small_suite(&self, project: &str, module: &str, text: &str) {
        let settings = format!(
            r#"{{"version": 1, "project": "{project}", "repo": ".", "branches": ["main"]}}"#
        );
        self.write("asv.conf.json", &settings);
        self.write("benchmarks/__init__.py", "");
        self.write(format!("benchmarks/{module}"), text);
    }

    /// A worktree of this commit, in a folder of this name beside the project.
    pub(crate) fn worktree_beside(&self, name: &str, commit: &str) {
        let folder = format!("../{name}");
        self.git(["worktree", "add", "--quiet", "--detach", &folder, commit]);
    }

    /// Removes a file.
    pub(crate) fn remove(&self, name: impl AsRef<Path>) {
        fs::remove_file(self.path(name)).unwrap();
    }

    /// Removes a folder with all that is in it.
    pub(crate) fn remove_folder(&self, name: impl AsRef<Path>) {
        fs::remove_dir_all(self.path(name)).unwrap();
    }

    /// `lcmbench run` with this Python.
    pub(crate) fn run_with<const N: usize>(&self, python: &Path, more: [&str; N]) -> Output {
        self.lcmbench()
            .args(["run", "--python"])
            .arg(python)
            .args(more)
            .run()
    }

    /// The only result file.
    pub(crate) fn saved(&self) -> Saved {
        Saved::only(&self.path("results"))
    }

    /// The only folder below `results`, by name.
    pub(crate) fn machine_folder(&self) -> String {
        let entries = fs::read_dir(self.path("results")).unwrap();
        let mut folders: Vec<String> = entries
            .map(|entry| entry.unwrap())
            .filter(|entry| entry.path().is_dir())
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect();
        assert_eq!(folders.len(), 1, "{folders:?}");
        folders.remove(0)
    }

    /// Names of everything in the machine's folder, sorted.
    pub(crate) fn files_in_machine_folder(&self) -> Vec<String> {
        let folder = self.path("results").join(self.machine_folder());
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Names of the result files, sorted.
    pub(crate) fn result_files(&self) -> Vec<String> {
        let is_result = |name: &String| {
            name != "machine.json" && Path::new(name).extension().is_some_and(|end| end == "json")
        };
        let names = self.files_in_machine_folder();
        names.into_iter().filter(is_result).collect()
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
