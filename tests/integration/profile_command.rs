//! `lcmbench profile`, from the command line to the flame graph.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use fs_err as fs;
use rustix::process::Signal;

use crate::common::command::Lcmbench;
use crate::common::python::{TRSPECFIT_VENV, skip};
use crate::common::{Project, oracle, python3};

const SUITE: &str = r#"
import os
import time


class Sum:
    params = [10, 1000]
    param_names = ["n"]

    def setup(self, n):
        self.numbers = list(range(n))

    def time_add(self, n):
        return added(self.numbers)

    def time_add_twice(self, n):
        return added(self.numbers) + added(self.numbers)


def added(numbers):
    total = 0
    for number in numbers:
        total += number * number
    return total


def time_raises():
    raise ValueError("out of range")


class Gone:
    def setup(self):
        raise NotImplementedError("needs a GPU")

    def time_it(self):
        pass


class Slow:
    def time_sleep(self):
        with open(os.environ["NOTES"], "a") as file:
            file.write("x")
        time.sleep(0.2)
"#;

fn project() -> Project {
    let project = Project::new();
    project.write(
        "asv.conf.json",
        r#"{"version": 1, "project": "ours", "repo": ".", "benchmark_dir": "benchmarks"}"#,
    );
    project.write("benchmarks/__init__.py", "");
    project.write("benchmarks/work.py", SUITE);
    project
}

fn profile(project: &Project, python: &Path) -> Lcmbench {
    project
        .lcmbench()
        .arg("profile")
        .arg("--python")
        .arg(python)
}

/// A folder for PATH with a py-spy that samples nothing and draws.
fn with_py_spy(project: &Project) -> String {
    let script = "#!/bin/sh\n\
                  for last; do :; done\n\
                  trap 'echo \"<svg>$*</svg>\" > \"$last\"; echo \"Samples: 77 Errors: 0\"; exit 0' INT\n\
                  echo 'py-spy> Sampling process'\n\
                  while :; do sleep 0.02; done\n";
    project.write("bin/py-spy", script);
    let program = project.path("bin/py-spy");
    fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    format!("{}:/usr/bin:/bin", project.path("bin").display())
}

#[test]
fn one_combination_is_profiled_and_its_graph_written() {
    let Some(python) = python3() else { return };
    let project = project();
    let path = with_py_spy(&project);
    let output = profile(&project, &python)
        .args(["work.Sum.time_add(1000)", "--calls", "20", "--rate", "250"])
        .env("PATH", &path)
        .run()
        .expect(0)
        .says("work.Sum.time_add(1000)\n=======================\n20 calls in ")
        .says(" a call, with the profiler's pauses, after ")
        .says("Flame graph, 77 samples at 250 a second: ");
    assert!(!output.stderr.contains("warning"), "{}", output.stderr);
    let graph = project.read("lcmbench-profile-work.Sum.time_add-1000.svg");
    assert!(graph.contains("--rate 250"), "{graph}");
    let _named = profile(&project, &python)
        .args(["time_add.10.$", "--seconds", "0.05", "-o", "graph.svg"])
        .env("PATH", &path)
        .run()
        .expect(0)
        .says("work.Sum.time_add(10)\n");
    assert!(project.path("graph.svg").is_file());
}

#[test]
fn several_none_and_unusable_benchmarks_are_refused() {
    let Some(python) = python3() else { return };
    let project = project();
    let run = |arguments: &[&str]| profile(&project, &python).args(arguments).run();
    // A name is no expression: this one is a part of another.
    let _combinations = run(&["work.Sum.time_add"])
        .expect(3)
        .says("one benchmark is profiled at a time, and `work.Sum.time_add` means 2:")
        .says("\n  work.Sum.time_add(10)\n  work.Sum.time_add(1000)");
    let _several = run(&["time_add"]).expect(3).says("`time_add` means 4:");
    let _none = run(&["time_none"])
        .expect(3)
        .says("no benchmark matches `time_none`");
    let _calls = run(&["time_raises", "--calls", "0"])
        .expect(3)
        .says("0 is not in 1..");
    let _raises = run(&["time_raises", "--no-py-spy"])
        .expect(2)
        .says("failed: ValueError: out of range")
        .says("work.py\", line");
    let _skipped = run(&["Gone", "--no-py-spy"])
        .expect(2)
        .says("skipped: needs a GPU");
    let _missing = profile(&project, &python)
        .arg("time_raises")
        .env("PATH", "/nowhere")
        .run()
        .expect(2)
        .says("py-spy was found neither beside ");
    let _unwritable = profile(&project, &python)
        .args(["time_raises", "-o", "no/such/graph.svg"])
        .env("PATH", with_py_spy(&project))
        .run()
        .expect(2)
        .says("the flame graph cannot be written to ");
}

#[test]
fn the_bare_loop_needs_no_profiler_and_tells_its_process() {
    let Some(python) = python3() else { return };
    let project = project();
    let output = profile(&project, &python)
        .args(["work.Sum.time_add(10)", "--calls", "5", "--no-py-spy"])
        .env("PATH", "/nowhere")
        .run()
        .expect(0)
        .says("5 calls in process ");
    assert!(output.stdout.contains("5 calls in "), "{}", output.stdout);
    assert!(!output.stdout.contains("pauses"), "{}", output.stdout);
}

#[test]
fn an_interruption_ends_the_loop_and_leaves_no_graph() {
    let Some(python) = python3() else { return };
    let project = project();
    let notes = project.home().join("notes");
    let mut running = profile(&project, &python)
        .args(["time_sleep", "--seconds", "600"])
        .env("PATH", with_py_spy(&project))
        .env("NOTES", &notes)
        .start();
    let called = || fs::read_to_string(&notes).unwrap_or_default().len();
    running.wait_until("the loop runs", || called() > 2);
    running.signal(Signal::INT);
    let _ended = running
        .wait()
        .expect(130)
        .says("Interrupted before the loop was done.");
    let left = fs::read_dir(project.path("."))
        .unwrap()
        .filter(|entry| {
            let name = entry.as_ref().unwrap().file_name();
            name.to_string_lossy().contains("lcmbench-profile")
        })
        .count();
    assert_eq!(left, 0);
}

#[test]
fn py_spy_itself_sees_the_function_that_takes_the_time() {
    let Some(venv) = oracle(TRSPECFIT_VENV) else {
        return;
    };
    let project = project();
    let output = profile(&project, &venv.join("bin/python"))
        .args([
            "work.Sum.time_add(1000)",
            "--seconds",
            "1",
            "-o",
            "graph.svg",
        ])
        .run();
    if output
        .stdout
        .contains("py-spy may not look into the process")
    {
        skip("py-spy may not look into processes here");
        return;
    }
    let _profiled = output.expect(0);
    let graph = project.read("graph.svg");
    assert!(
        graph.contains("added (") && graph.contains("time_add ("),
        "{graph}"
    );
}
