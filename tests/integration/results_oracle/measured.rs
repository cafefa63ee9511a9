//! A project that asv has measured, seen through the results room.

use std::path::PathBuf;

use fs_err as fs;
use lcmbench::results::{
    Addition, Detail, EnvironmentNames, MachineFolder, ResultSet, Store, existing_environment_name,
    result_file_name,
};

use crate::common::Project;

/// Benchmarks of every kind of value, combination and failure.
const SUITE: &str = r#"
class Times:
    params = [[1, 2, 2], ["a", None]]
    number = 3
    repeat = 2
    warmup_time = 0

    def setup(self, n, s):
        if s is None and n == 1:
            raise NotImplementedError

    def time_it(self, n, s):
        if n == 2 and s is None:
            raise ValueError("x")

    def track_value(self, n, s):
        return n * 10


class Cached:
    def setup_cache(self):
        return 3

    def track_cached(self, cache):
        return cache


def time_simple():
    sum(range(100))


time_simple.number = 10
time_simple.repeat = 3
time_simple.warmup_time = 0


def track_float():
    return 1e22


def track_nan():
    return float("nan")


def track_none():
    return None


def track_fail():
    raise ValueError("boom")
"#;

/// A benchmark of the suite with six combinations.
pub(super) const TRACK: &str = "bench.Times.track_value";

/// A project whose HEAD asv has measured.
pub(super) struct Measured {
    pub(super) project: Project,
    venv: PathBuf,
    pub(super) commit: String,
}

impl Measured {
    pub(super) fn new(venv: PathBuf) -> Self {
        let project = Project::new();
        project.write("benchmarks/__init__.py", "");
        project.write("benchmarks/bench.py", SUITE);
        project.copy_file("tests/suites/asv.conf.json", "asv.conf.json");
        project.write(".gitignore", "results\nhtml\n");
        let commit = project.commit("The suite");
        let measured = Self {
            project,
            venv,
            commit,
        };
        let _told = measured.asv(&["machine", "--yes", "--machine", "box"], 0);
        measured.run(&["--record-samples", "--profile"]);
        measured
    }

    pub(super) fn asv(&self, arguments: &[&str], code: i32) -> String {
        let output = self
            .project
            .program(self.venv.join("bin/asv"))
            .args(arguments)
            .run()
            .expect(code);
        output.stdout
    }

    /// Measures HEAD; some benchmark fails, so asv's exit code is 2.
    pub(super) fn run(&self, more: &[&str]) {
        self.run_with(more, 2);
    }

    pub(super) fn run_with(&self, more: &[&str], code: i32) {
        let environment = format!("existing:{}", self.python().display());
        let mut arguments = vec!["run", "-E", &environment, "--machine", "box"];
        arguments.extend(["--set-commit-hash", &self.commit]);
        arguments.extend(more);
        self.asv(&arguments, code);
    }

    pub(super) fn python(&self) -> PathBuf {
        self.venv.join("bin/python")
    }

    pub(super) fn store(&self) -> Store {
        Store::new(self.project.path("results"))
    }

    pub(super) fn folder(&self) -> MachineFolder {
        let mut found = self.store().machines();
        assert_eq!(found.problems, []);
        assert_eq!(found.items.len(), 1);
        found.items.remove(0)
    }

    pub(super) fn path(&self) -> PathBuf {
        let name = result_file_name(&self.commit, &existing_environment_name(&self.python()));
        self.folder().path.join(name)
    }

    pub(super) fn text(&self) -> String {
        fs::read_to_string(self.path()).unwrap()
    }

    pub(super) fn set(&self) -> ResultSet {
        let names = EnvironmentNames::only(existing_environment_name(&self.python()));
        let store = self.store();
        let found = store.find(&self.folder(), &self.commit, Some(&names), Detail::Full);
        assert_eq!(found.problems, []);
        assert_eq!(found.items.len(), 1);
        found.items.into_iter().next().unwrap().set
    }
}

/// An addition without a single result.
pub(super) fn nothing(set: &ResultSet) -> Addition {
    Addition {
        set: ResultSet {
            results: indexmap::IndexMap::new(),
            durations: indexmap::IndexMap::new(),
            ..set.clone()
        },
        ..Addition::default()
    }
}
