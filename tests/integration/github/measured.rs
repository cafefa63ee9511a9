//! The workshop with a suite that really runs: counts, which are exact, so that verdicts do not depend
//! on the machine.

use std::path::PathBuf;

use serde_json::Value;

use crate::common::command::Lcmbench;
use crate::common::python3;
use crate::stored::{plain, result_file};

use super::fake::Status;
use super::workshop::Workshop;

/// The suite at the head of the pull request.
pub(crate) const SUITE: &str = r#""""Counts, and one that waits where it is told to."""

import os
import time


def track_slow():
    return 120


def track_same():
    return 50


def track_waits():
    folder = os.environ.get("WAIT_IN")
    if folder:
        with open(os.path.join(folder, "waits"), "w") as file:
            file.write(str(os.getpid()))
        while not os.path.exists(os.path.join(folder, "go-on")):
            time.sleep(0.02)
    return 7


def track_main_only():
    return 1


for benchmark in (track_slow, track_same, track_waits, track_main_only):
    benchmark.unit = "iterations"
    benchmark.version = "1"
track_waits.timeout = 300
"#;

pub(crate) const SETTINGS: &str = r#"
machine = "box"

[environment]
name = "bench"

[pr]
bench = '^(?!.*main_only)'
"#;

/// Pull request 7 with a suite at its head; results of the merge base are there, of the head none.
pub(crate) struct Measured {
    pub(crate) workshop: Workshop,
    pub(crate) python: PathBuf,
}

impl Measured {
    /// `None`, said as a skipped test, without a Python.
    pub(crate) fn new() -> Option<Self> {
        Self::with_suite(SUITE, SETTINGS)
    }

    pub(crate) fn with_suite(suite: &str, settings: &str) -> Option<Self> {
        let python = python3()?;
        let workshop = Workshop::unmeasured_with(|project| {
            project.write("benchmarks/__init__.py", "");
            project.write("benchmarks/m.py", suite);
            project.write("lcmbench.toml", settings);
            project.write(".gitignore", "results\n__pycache__/\n*.out\n");
        });
        let rows = [
            plain("m.track_slow", "100"),
            plain("m.track_same", "50"),
            plain("m.track_waits", "7"),
            plain("m.track_main_only", "1"),
        ];
        let base = &workshop.stored.commits[2];
        // As if the same machine and Python had measured them.
        let file = result_file(base, "box", "bench", &rows)
            .replace("/opt/venv/bin/python3", python.to_str().unwrap())
            .replace(r#""params": {"#, &format!(r#""params": {{{MACHINE}, "#));
        let name = format!("results/box/{}-bench.json", &base[..8]);
        workshop.stored.machine("box");
        workshop.stored.project.write(name, &file);
        let index = INDEX.replace('\'', "\"");
        workshop
            .stored
            .project
            .write("results/benchmarks.json", &index);
        let home = workshop.stored.project.home();
        let machines = format!(r#"{{"box": {{"machine": "box", {MACHINE}}}, "version": 1}}"#);
        fs_err::write(home.join(".asv-machine.json"), machines).unwrap();
        Some(Self { workshop, python })
    }

    /// `lcmbench pr` in the workflow of pull request 7.
    pub(crate) fn pr<const N: usize>(&self, more: [&str; N]) -> Lcmbench {
        let arguments = ["pr", "--python"];
        let command = self.workshop.in_pull_request(arguments);
        command.arg(&self.python).args(more)
    }

    /// The same in a workflow of another event.
    pub(crate) fn pr_in<const N: usize>(
        &self,
        name: &str,
        event: &Value,
        more: [&str; N],
    ) -> Lcmbench {
        let command = self.workshop.in_actions(name, event, ["pr", "--python"]);
        command.arg(&self.python).args(more)
    }

    /// The same at a desk.
    pub(crate) fn pr_at_desk<const N: usize>(&self, more: [&str; N]) -> Lcmbench {
        let command = self.workshop.at_desk(["pr", "--python"]);
        command.arg(&self.python).args(more)
    }

    /// Takes the branch into `main`.
    pub(crate) fn merge(&self) {
        let project = &self.workshop.stored.project;
        project.git(["checkout", "--quiet", "main"]);
        project.git(["merge", "--quiet", "--ff-only", "topic"]);
        project.git(["checkout", "--quiet", "topic"]);
    }

    /// One more commit on the branch and on the pull request: files that are documents.
    pub(crate) fn describe(&self) -> String {
        let project = &self.workshop.stored.project;
        project.write("docs/a.txt", "text");
        project.write("README.md", "text");
        let head = project.commit("Describe it");
        let mut state = self.workshop.fake.state();
        state.pulls[0].head_sha.clone_from(&head);
        state.commits.push(head.clone());
        head
    }

    /// A folder for `WAIT_IN`.
    pub(crate) fn waiting_room(&self) -> PathBuf {
        let folder = self.workshop.stored.project.home().join("wait");
        fs_err::create_dir_all(&folder).unwrap();
        folder
    }

    /// Statuses of a commit, oldest first.
    pub(crate) fn statuses_of(&self, sha: &str) -> Vec<Status> {
        let state = self.workshop.fake.state();
        let of_it = state.statuses.iter().filter(|status| status.sha == sha);
        of_it.cloned().collect()
    }

    /// State and description of the statuses of the head.
    pub(crate) fn statuses(&self) -> Vec<(String, String)> {
        let all = self.statuses_of(&self.workshop.head());
        all.into_iter()
            .map(|status| (status.state, status.description))
            .collect()
    }
}

/// The description of the machine.
const MACHINE: &str =
    r#""arch": "x86_64", "cpu": "c", "num_cpu": "2", "os": "Linux", "ram": "8GB""#;

const INDEX: &str = "{
    'm.track_slow': {'name': 'm.track_slow', 'param_names': [], 'params': [], 'type': 'track', 'unit': 'iterations', 'version': '1'},
    'm.track_same': {'name': 'm.track_same', 'param_names': [], 'params': [], 'type': 'track', 'unit': 'iterations', 'version': '1'},
    'm.track_waits': {'name': 'm.track_waits', 'param_names': [], 'params': [], 'type': 'track', 'unit': 'iterations', 'version': '1'},
    'm.track_main_only': {'name': 'm.track_main_only', 'param_names': [], 'params': [], 'type': 'track', 'unit': 'iterations', 'version': '1'},
    'version': 2
}";
