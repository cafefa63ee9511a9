//! Runs that are interrupted or killed: what is finished is on disk.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fs_err as fs;
use rustix::process::{Pid, Signal};

use crate::common::command::Running;
use crate::common::{Project, python3};

struct Steps {
    project: Project,
    notes: PathBuf,
}

impl Steps {
    fn new() -> Self {
        let project = Project::new();
        project.suite("steps");
        project.commit("One");
        let notes = project.home().join("notes");
        fs::create_dir(&notes).unwrap();
        Self { project, notes }
    }

    fn start<const N: usize>(&self, python: &Path, more: [&str; N]) -> Running {
        self.project
            .lcmbench()
            .args(["run", "--python"])
            .arg(python)
            .args(more)
            .env("STEPS_FOLDER", &self.notes)
            .start()
    }

    /// Starts a run and waits until the third benchmark is being measured.
    fn start_and_wait(&self, python: &Path) -> Running {
        let mut running = self.start(python, []);
        running.wait_until("the third benchmark runs", || self.notes.join("c").exists());
        running
    }

    /// The process of the third benchmark.
    fn waiting(&self) -> Pid {
        let text = fs::read_to_string(self.notes.join("c")).unwrap();
        Pid::from_raw(text.parse().unwrap()).unwrap()
    }
}

fn interrupted_by(signal: Signal, code: i32) {
    let Some(python) = python3() else { return };
    let steps = Steps::new();
    let running = steps.start_and_wait(&python);
    running.signal(signal);
    let _ended = running.wait().expect(code);
    assert!(
        rustix::process::test_kill_process(steps.waiting()).is_err(),
        "the benchmark is still running"
    );
    let saved = steps.project.saved();
    assert_eq!(saved.result("ordered.track_a"), "[1]");
    assert_eq!(saved.result("ordered.track_b"), "[2]");
    assert_eq!(saved.result("ordered.track_d"), "missing");
    assert!(!steps.notes.join("d").exists(), "the run went on");
}

#[test]
fn sigint_saves_what_is_done() {
    interrupted_by(Signal::INT, 130);
}

#[test]
fn sigterm_saves_what_is_done() {
    interrupted_by(Signal::TERM, 143);
}

/// Kills a run; returns the project with whatever lies there.
fn killed(python: &Path) -> Steps {
    let steps = Steps::new();
    let running = steps.start_and_wait(python);
    running.signal(Signal::KILL);
    let _ended = running.wait().expect(137);
    // The benchmark may have been left alone; it must not wait for ten minutes.
    rustix::process::kill_process(steps.waiting(), Signal::KILL).ok();
    steps
}

#[test]
fn after_sigkill_the_next_show_has_what_was_done() {
    let Some(python) = python3() else { return };
    let steps = killed(&python);
    let shown = steps
        .project
        .lcmbench()
        .args(["show", "HEAD"])
        .run()
        .expect(0);
    for text in ["ordered.track_a", "ordered.track_b"] {
        assert!(shown.stdout.contains(text), "{text}\n{}", shown.stdout);
    }
}

#[test]
fn after_sigkill_the_next_run_goes_on() {
    let Some(python) = python3() else { return };
    let steps = killed(&python);
    fs::write(steps.notes.join("go-on"), "").unwrap();
    fs::remove_file(steps.notes.join("a")).unwrap();
    let _finished = steps
        .start(&python, ["--skip-existing-successful"])
        .wait()
        .expect(0);
    let saved = steps.project.saved();
    for (name, expected) in [("a", "[1]"), ("b", "[2]"), ("c_waits", "[3]"), ("d", "[4]")] {
        assert_eq!(saved.result(&format!("ordered.track_{name}")), expected);
    }
    assert!(
        !steps.notes.join("a").exists(),
        "the first was measured again"
    );
    let left: Vec<String> = steps
        .project
        .files_in_machine_folder()
        .into_iter()
        .filter(|name| !name.ends_with("json"))
        .collect();
    assert!(left.is_empty(), "left behind: {left:?}");
}

/// Whether a process runs; one that has ended and that nobody has waited for does not.
fn runs(pid: &str) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
        let state = stat.rsplit(") ").next().unwrap();
        !state.starts_with(['Z', 'X'])
    })
}

/// A run that is killed while its benchmark and a program that this started are running.
fn killed_takes_along(launch: &str) {
    let Some(python) = python3() else { return };
    let project = Project::new();
    project.write("benchmarks/__init__.py", "");
    project.write(
        "benchmarks/bench.py",
        "import os, subprocess, time\n\
         def track_waits():\n    \
             child = subprocess.Popen(['sleep', '600'])\n    \
             with open(os.environ['NOTE'] + '.new', 'w') as file:\n        \
                 file.write(f'{os.getpid()} {child.pid}')\n    \
             os.rename(os.environ['NOTE'] + '.new', os.environ['NOTE'])\n    \
             time.sleep(600)\n\
         track_waits.timeout = 1200\n",
    );
    project.commit("One");
    // Between lcmbench and Python stands a program that gets the signal of a parent's death in its place.
    let wrapper = project.home().join("wrapper");
    let text = format!("#!/bin/sh\n\"{}\" \"$@\"\nexit $?\n", python.display());
    fs::write(&wrapper, text).unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&wrapper, executable).unwrap();
    let note = project.home().join("note");
    let mut running = project
        .lcmbench()
        .args(["run", "--launch-method", launch, "--python"])
        .arg(&wrapper)
        .env("NOTE", &note)
        .start();
    running.wait_until("the benchmark runs", || note.exists());
    running.signal(Signal::KILL);
    let _ended = running.wait().expect(137);
    let text = fs::read_to_string(&note).unwrap();
    let deadline = Instant::now() + Duration::from_mins(1);
    let mut left: Vec<&str> = text.split(' ').collect();
    while !left.is_empty() && Instant::now() < deadline {
        left.retain(|pid| runs(pid));
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(left.is_empty(), "of {text} there still run {left:?}");
}

#[test]
fn a_forked_benchmark_ends_with_a_run_that_is_killed() {
    killed_takes_along("fork");
}

#[test]
fn a_spawned_benchmark_ends_with_a_run_that_is_killed() {
    killed_takes_along("spawn");
}
