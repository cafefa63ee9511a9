//! `run`, `quick` and `list` from the command line to the files, with a real Python.

mod package;
mod processes;

use std::path::Path;

use fs_err as fs;
use lcmbench::json::{Json, parse};

use crate::common::command::Output;
use crate::common::python::skip;
use crate::common::{JAX_VENV, Project, oracle, python3};

/// A small suite: a benchmark that counts how often its set-up ran, one with parameters, one that fails.
const SUITE: &str = r#"
import time

class Model:
    params = [1, 2]
    param_names = ["size"]
    unit = "items"

    def setup(self, size):
        print("set up", size)
        self.size = size

    def track_double(self, size):
        return 2 * self.size

    def track_square(self, size):
        return self.size ** 2

    def time_nothing(self, size):
        pass

def track_fails():
    raise ValueError("no luck")

def track_fine():
    return 7
"#;

struct Suite {
    project: Project,
    python: std::path::PathBuf,
}

impl Suite {
    /// A committed suite with one module `bench`; `None` where there is no Python.
    fn with(text: &str) -> Option<Self> {
        let python = python3()?;
        let project = Project::new();
        project.write("benchmarks/__init__.py", "");
        project.write("benchmarks/bench.py", text);
        project.write(".gitignore", "__pycache__/\n");
        project.commit("The suite");
        Some(Self { project, python })
    }

    fn command<const N: usize>(&self, arguments: [&str; N], code: i32) -> Output {
        let (command, more) = arguments.split_first().unwrap();
        self.start(command, more, code)
    }

    fn run<const N: usize>(&self, more: [&str; N], code: i32) -> Output {
        self.start("run", &more, code)
    }

    fn start(&self, command: &str, more: &[&str], code: i32) -> Output {
        self.project
            .lcmbench()
            .args([command, "--machine", "box", "--python"])
            .arg(&self.python)
            .args(more)
            .run()
            .expect(code)
    }

    /// The only result file.
    fn file(&self) -> Json {
        self.project.saved().file
    }

    /// A cell of a row of the result file.
    fn cell(&self, benchmark: &str, column: usize) -> Json {
        let file = self.file();
        let row = file.get("results").unwrap().get(benchmark).unwrap();
        let row = row.as_array().unwrap();
        row.get(column).cloned().unwrap_or(Json::Null)
    }

    fn provenance(&self, benchmark: &str) -> Json {
        let file = self.file();
        let benchmarks = file.get("lcmbench").unwrap().get("benchmarks").unwrap();
        benchmarks.get(benchmark).cloned().unwrap_or(Json::Null)
    }
}

fn numbers(values: &[i64]) -> Json {
    Json::Array(values.iter().map(|value| Json::Int(*value)).collect())
}

#[test]
fn a_run_files_every_outcome_under_head() {
    let Some(suite) = Suite::with(SUITE) else {
        return;
    };
    let output = suite.run(["--quick"], 2);
    let hash = suite.project.git(["rev-parse", "HEAD"]);
    let file = suite.file();
    assert_eq!(file.get("commit_hash"), Some(&hash.into()));
    assert_eq!(suite.cell("bench.Model.track_double", 0), numbers(&[2, 4]));
    assert_eq!(suite.cell("bench.track_fine", 0), numbers(&[7]));
    assert_eq!(suite.cell("bench.track_fails", 0), Json::Null);
    let reason = suite.provenance("bench.track_fails");
    assert!(
        lcmbench::json::to_compact(&reason).contains("ValueError: no luck"),
        "{reason:?}"
    );
    let output = output.says("[5/5] bench.track_fine").says("7");
    let output = output
        .says("failed: ValueError: no luck")
        .says("5 benchmarks: 4 measured, 1 failed");
    assert!(output.stdout.is_empty(), "{}", output.stdout);
    let known = file.get("lcmbench").unwrap();
    assert_eq!(known.get("dirty"), Some(&Json::Bool(false)));
    let worker = known.get("worker").unwrap();
    assert_eq!(worker.get("launch"), Some(&"fork".into()));
}

#[test]
fn selected_combinations_merge_into_what_is_there() {
    let Some(suite) = Suite::with(SUITE) else {
        return;
    };
    let _first = suite.run(["--quick", "-b", "track_square(2)"], 0);
    let nan = |json: &Json| matches!(json, Json::Float(value) if value.is_nan());
    let values = suite.cell("bench.Model.track_square", 0);
    let values = values.as_array().unwrap();
    assert!(nan(&values[0]), "{values:?}");
    assert_eq!(values[1], Json::Int(4));
    let _second = suite.run(["--quick", "-b", r"track_square\(1\)"], 0);
    assert_eq!(suite.cell("bench.Model.track_square", 0), numbers(&[1, 4]));
}

#[test]
fn existing_results_are_passed_over_when_asked_for() {
    let Some(suite) = Suite::with(SUITE) else {
        return;
    };
    let _first = suite.run(["--quick", "-b", "track_f"], 2);
    let again = suite.run(
        ["--quick", "-b", "track_f", "--skip-existing-successful"],
        2,
    );
    let _again = again
        .says("1 benchmark passed over: it has results already")
        .says("measuring 1 benchmark of");
    let failed = suite.run(["--quick", "-b", "track_f", "--skip-existing-failed"], 0);
    let _failed = failed.says("[1/1] bench.track_fine");
    let _nothing = suite.run(["-k", "-b", "track_f"], 0);
    // Also where nothing would be saved.
    let dry = suite.run(["--dry-run", "-k", "-b", "track_f"], 0);
    let _dry = dry.says("2 benchmarks passed over: they have results already");
    let commit = suite.run(["--skip-existing-commits"], 0);
    let _commit = commit.says("the commit has results of this machine already");
}

#[test]
fn samples_are_recorded_and_appended_when_asked_for() {
    let Some(suite) = Suite::with(SUITE) else {
        return;
    };
    let samples = || {
        let cell = suite.cell("bench.Model.time_nothing", 11);
        let cell = cell.as_array().map(<[Json]>::to_vec).unwrap_or_default();
        let lengths = cell
            .iter()
            .map(|samples| samples.as_array().map_or(0, <[Json]>::len));
        lengths.collect::<Vec<_>>()
    };
    let run = |more: &[&str]| {
        let few = ["-b", "time_nothing", "-a", "repeat=3", "-a", "number=5"];
        suite.start("run", &[&few, more].concat(), 0)
    };
    let _plain = run(&[]);
    assert_eq!(samples(), [0_usize; 0]);
    let _recorded = run(&["--record-samples"]);
    assert_eq!(samples(), [6, 6], "two rounds of three");
    let _appended = run(&["--append-samples", "-a", "rounds=1"]);
    assert_eq!(samples(), [9, 9]);
    let file = suite.provenance("bench.Model.time_nothing");
    let sizes = lcmbench::json::to_compact(file.get("process_sizes").unwrap());
    assert_eq!(sizes, "[[3, 3, 3], [3, 3, 3]]");
}

#[test]
fn a_dirty_worktree_can_be_measured_and_is_not_filed() {
    let Some(suite) = Suite::with(SUITE) else {
        return;
    };
    suite.project.write("new.py", "x = 1\n");
    let refused = suite.run(["--quick"], 3);
    let _refused = refused.says("?? new.py").says("--allow-dirty");
    let measured = suite.run(["--quick", "--allow-dirty", "-b", "track_fine"], 0);
    let measured = measured.says("1 uncommitted change on top of it");
    assert_eq!(measured.stdout, "7  bench.track_fine\n");
    let quick = suite.command(["quick", "-b", "track_fine"], 0);
    assert_eq!(quick.stdout, "7  bench.track_fine\n");
    let _save = suite.command(["quick", "--save"], 3);
    assert!(!suite.project.path("results").exists());
}

#[test]
fn quick_saves_only_when_asked_to() {
    let Some(suite) = Suite::with(SUITE) else {
        return;
    };
    let _quick = suite.command(["quick", "-b", "track_fine"], 0);
    let _dry = suite.run(["--dry-run", "-b", "track_fine"], 0);
    assert!(!suite.project.path("results").exists());
    let _saved = suite.command(["quick", "--save", "-b", "track_fine"], 0);
    assert_eq!(suite.cell("bench.track_fine", 0), numbers(&[7]));
}

#[test]
fn only_the_commit_that_is_checked_out_can_be_measured() {
    let Some(suite) = Suite::with(SUITE) else {
        return;
    };
    suite.project.write("other.py", "");
    suite.project.commit("Another");
    let _head = suite.run(["HEAD", "-b", "track_fine", "--set-commit-hash", "main"], 0);
    let other = suite.run(["--set-commit-hash", "HEAD~1"], 3);
    let _other =
        other.says("is checked out; a result is filed only under the commit that is measured");
    let _range = suite.run(["main~1..main"], 3).says("not supported yet");
    let _all = suite.run(["ALL"], 3).says("not supported yet");
    let _steps = suite.run(["--steps", "3"], 3).says("not supported yet");
    let _managed = suite
        .project
        .lcmbench()
        .args(["run", "-E", "virtualenv:3.12"])
        .run()
        .expect(3)
        .says("asks for an environment that asv would create");
}

#[test]
fn nothing_selected_names_what_is_near() {
    let Some(suite) = Suite::with(SUITE) else {
        return;
    };
    let _none = suite
        .run(["-b", "track_fne"], 3)
        .says("the nearest names are bench.track_fine");
    let _discovered = suite.run(["-b", "just-discover"], 0);
    let index = suite.project.read("results/benchmarks.json");
    assert!(index.contains("bench.Model.time_nothing"));
    let bad = suite.run(["-b", "(?a)x"], 3);
    let _bad = bad.says("`the flag (?a)` has no counterpart here");
    let attribute = suite.run(["-a", "repeats=3"], 3);
    let _attribute = attribute.says("did you mean `repeat`?");
}

#[test]
fn what_suites_print_is_shown_when_asked_for_and_folded_in_actions() {
    let Some(suite) = Suite::with(SUITE) else {
        return;
    };
    let only = ["quick", "-b", "track_double"];
    let quiet = suite.command(only, 0);
    assert!(!quiet.stderr.contains("set up 1"), "{}", quiet.stderr);
    let _loud = suite
        .command(["quick", "-b", "track_double", "--show-stderr"], 0)
        .says("    | set up 1\n    | set up 2");
    let actions = suite
        .project
        .lcmbench()
        .args(only)
        .arg("--python")
        .arg(&suite.python)
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_TOKEN", "secret")
        .run()
        .expect(0)
        .says("the benchmarks do not get them: GITHUB_TOKEN");
    let lines: Vec<&str> = actions.stderr.lines().collect();
    let group = lines
        .iter()
        .position(|line| line.starts_with("::group::[1/1] bench.Model.track_double"))
        .unwrap_or_else(|| panic!("{}", actions.stderr));
    assert!(lines[group + 1].starts_with("::stop-commands::"));
    assert_eq!(lines[group + 2], "    | set up 1");
    assert_eq!(lines[group + 5], "::endgroup::");
}

#[test]
fn durations_are_shown_when_asked_for() {
    let Some(suite) = Suite::with(SUITE) else {
        return;
    };
    let output = suite.command(["quick", "-b", "track_[ds]", "--durations", "1"], 0);
    let lines: Vec<&str> = output.stdout.lines().take(3).collect();
    assert!(lines[0].contains("bench.Model.track_"), "{}", output.stdout);
    assert!(lines[1].ends_with("  ..."), "{}", output.stdout);
    assert!(lines[2].ends_with("  total"), "{}", output.stdout);
    let _bad = suite.command(["quick", "--durations", "0"], 3);
}

#[test]
fn list_tells_what_would_run() {
    let Some(suite) = Suite::with(SUITE) else {
        return;
    };
    let output = suite.command(["list", "-b", "Model"], 0);
    assert_eq!(
        output.stdout,
        "bench.Model.time_nothing [2 combinations]\n    size: 1, 2\n\
         bench.Model.track_double [2 combinations]\n    size: 1, 2\n\
         bench.Model.track_square [2 combinations]\n    size: 1, 2\n\
         3 benchmarks, 6 combinations; how long they take is not known yet\n"
    );
    let _measured = suite.run(["--quick"], 2);
    let output = suite.command(["list", "--format", "json", "-b", "track_fine"], 0);
    let json = parse(&output.stdout).unwrap();
    let entry = &json.get("benchmarks").unwrap().as_array().unwrap()[0];
    assert_eq!(entry.get("line"), Some(&Json::Int(25)));
    assert!(entry.get("expected_seconds").unwrap().as_f64().unwrap() > 0.0);
}

#[test]
fn a_module_that_cannot_be_imported_is_named_and_the_others_run() {
    let Some(suite) = Suite::with("def track_fine():\n    return 7\n") else {
        return;
    };
    suite
        .project
        .write("benchmarks/broken.py", "import no_such_module_here\n");
    suite.project.commit("Break a module");
    let output = suite.run([], 2);
    let output = output.says("broken of the suite cannot be imported: ModuleNotFoundError");
    let _output = output.says("[1/1] bench.track_fine");
    assert_eq!(suite.cell("bench.track_fine", 0), numbers(&[7]));
    let _listed = suite.command(["list"], 2).says("bench.track_fine");
}

#[test]
fn a_suite_that_imports_jax_forks_until_a_device_is_used() {
    let Some(venv) = oracle(JAX_VENV) else { return };
    let project = Project::new();
    project.write("benchmarks/__init__.py", "");
    project.write(
        "benchmarks/bench.py",
        "import jax\nimport jax.numpy as jnp\n\ndef track_sum():\n    return float(jnp.ones(3).sum())\n",
    );
    project.commit("The suite");
    let python = venv.join("bin/python");
    let run = |command: &str, more: &[&str]| {
        let mut program = project.lcmbench().arg(command).arg("--python").arg(&python);
        program = program.args(more);
        program.run().expect(0)
    };
    let _forked = run("quick", &[]).says("processes are forked").says("3.0");
    let _listed = run("list", &[])
        .says("module bench imports JAX at module level")
        .says("bench.py:1");
    project.write(
        "benchmarks/early.py",
        "import jax.numpy as jnp\nONES = jnp.ones(3)\n",
    );
    project.commit("Use a device at import");
    let _spawned = run("quick", &[])
        .says("processes are started afresh")
        .says("3.0");
}
