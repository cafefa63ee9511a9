//! What the benches share: a repository with a suite, both tools in it, and the clock.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use fs_err as fs;
use tempfile::TempDir;

/// Name of the machine in both tools.
const MACHINE: &str = "bench";

/// A repository with one suite, in which both tools run.
pub(crate) struct Place {
    root: TempDir,
    venv: PathBuf,
}

impl Place {
    /// A fresh repository with the suite `name` of `make_suites.py`.
    pub(crate) fn new(name: &str) -> Self {
        let place = Self {
            root: tempfile::tempdir().expect("a temporary folder"),
            venv: venv(),
        };
        fs::create_dir(place.path("home")).expect("a home");
        fs::create_dir(place.path("project")).expect("a project");
        let maker = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/make_suites.py");
        succeed(
            place
                .command(&place.python())
                .arg(maker)
                .arg(name)
                .arg(place.path("project")),
        );
        fs::write(
            place.path("project/asv.conf.json"),
            "{\"version\": 1, \"project\": \"bench\", \"repo\": \".\", \"branches\": [\"main\"],\n\
             \"environment_type\": \"existing\"}\n",
        )
        .expect("a configuration");
        fs::write(place.path("project/.gitignore"), "__pycache__/\n").expect("an ignore file");
        for arguments in [
            &["init", "--quiet", "--initial-branch=main"][..],
            &["add", "--all"],
            &["commit", "--quiet", "-m", "The suite"],
        ] {
            succeed(place.command(Path::new("git")).args(arguments));
        }
        succeed(
            place
                .command(Path::new(env!("CARGO_BIN_EXE_lcmbench")))
                .args(["machine", "--yes", "--machine", MACHINE]),
        );
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    pub(crate) fn python(&self) -> PathBuf {
        self.venv.join("bin/python")
    }

    /// `asv run` with these arguments.
    pub(crate) fn asv(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(&self.venv.join("bin/asv"));
        command
            .args([
                "run",
                "--machine",
                MACHINE,
                "--set-commit-hash",
                "HEAD",
                "-E",
            ])
            .arg(format!("existing:{}", self.python().display()))
            .args(arguments);
        command
    }

    /// `lcmbench run` with these arguments.
    pub(crate) fn lcmbench(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(Path::new(env!("CARGO_BIN_EXE_lcmbench")));
        command
            .args(["run", "--machine", MACHINE, "--python"])
            .arg(self.python())
            .args(arguments);
        command
    }

    /// A program in the project, in an environment of its own, silent.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .current_dir(self.path("project"))
            .env("HOME", self.path("home"))
            .env("LANG", "C.UTF-8")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_NAME", "Bench")
            .env("GIT_AUTHOR_EMAIL", "bench@example.org")
            .env("GIT_COMMITTER_NAME", "Bench")
            .env("GIT_COMMITTER_EMAIL", "bench@example.org")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        #[expect(clippy::disallowed_methods, reason = "a bench has no settings to read")]
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        command
    }

    /// Removes the results, so that the next run begins afresh.
    pub(crate) fn forget(&self) {
        fs::remove_dir_all(self.path("project/results")).ok();
    }

    /// Wall time of a command from a clean results folder.
    pub(crate) fn time(&self, command: &mut Command) -> Duration {
        self.forget();
        succeed(command)
    }
}

/// Runs a command that must succeed; returns the wall time of the whole process.
fn succeed(command: &mut Command) -> Duration {
    let started = Instant::now();
    let output = command.output().expect("the program starts");
    let wall = started.elapsed();
    assert!(
        output.status.success(),
        "{command:?} ended with {}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    wall
}

/// The virtual environment with asv.
pub(crate) fn venv() -> PathBuf {
    #[expect(clippy::disallowed_methods, reason = "a bench has no settings to read")]
    let folder = std::env::var_os("LCMBENCH_TEST_VENV").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("target/test-venvs/asv"),
        PathBuf::from,
    );
    assert!(
        folder.join("bin/asv").exists(),
        "{} has no asv: run scripts/test once, or name an environment with LCMBENCH_TEST_VENV",
        folder.display()
    );
    folder
}

/// How often each thing is measured, unless said otherwise.
pub(crate) fn repeats(default: usize) -> usize {
    #[expect(clippy::disallowed_methods, reason = "a bench has no settings to read")]
    let named = std::env::var("LCMBENCH_BENCH_REPEATS").ok();
    named.and_then(|text| text.parse().ok()).unwrap_or(default)
}

pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len().is_multiple_of(2) {
        f64::midpoint(sorted[middle - 1], sorted[middle])
    } else {
        sorted[middle]
    }
}

/// One line of a bench's table: what was measured, and whether a goal is met.
#[expect(clippy::print_stdout, reason = "a bench prints its figures")]
pub(crate) fn report(what: &str, ours: f64, theirs: f64, unit: &str, goal: Option<f64>) {
    let ratio = ours / theirs;
    let verdict = match goal {
        None => String::new(),
        Some(goal) if ratio <= goal => format!("goal {goal:.3}: met"),
        Some(goal) => format!("goal {goal:.3}: MISSED"),
    };
    println!("| {what} | {ours:.3} {unit} | {theirs:.3} {unit} | {ratio:.3} | {verdict} |");
}

/// The head of the table.
#[expect(clippy::print_stdout, reason = "a bench prints its figures")]
pub(crate) fn heading(ours: &str, theirs: &str) {
    println!("\n| measured | {ours} | {theirs} | ratio | goal |");
    println!("|---|---|---|---|---|");
}
