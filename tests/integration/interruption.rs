//! Runs that are interrupted or killed: what is finished is on disk.

use std::path::{Path, PathBuf};

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
