//! The results room against real asv and against histories of real projects.

use std::path::{Path, PathBuf};

use fs_err as fs;
use lcmbench::json::{Json, Object, parse, to_compact};
use lcmbench::results::{
    Addition, BenchmarkProvenance, BenchmarkResult, Detail, EnvironmentNames, Failure, FailureKind,
    MachineFolder, ProblemKind, Provenance, ResultSet, Store, Value, existing_environment_name,
    result_file_name,
};

use crate::common::python::skip;
use crate::common::{Project, VENV, oracle};

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
const TRACK: &str = "bench.Times.track_value";

/// A project whose HEAD asv has measured.
struct Measured {
    project: Project,
    venv: PathBuf,
    commit: String,
}

impl Measured {
    fn new(venv: PathBuf) -> Self {
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

    fn asv(&self, arguments: &[&str], code: i32) -> String {
        let output = self
            .project
            .program(self.venv.join("bin/asv"))
            .args(arguments)
            .run()
            .expect(code);
        output.stdout
    }

    /// Measures HEAD; some benchmark fails, so asv's exit code is 2.
    fn run(&self, more: &[&str]) {
        self.run_with(more, 2);
    }

    fn run_with(&self, more: &[&str], code: i32) {
        let environment = format!("existing:{}", self.python().display());
        let mut arguments = vec!["run", "-E", &environment, "--machine", "box"];
        arguments.extend(["--set-commit-hash", &self.commit]);
        arguments.extend(more);
        self.asv(&arguments, code);
    }

    fn python(&self) -> PathBuf {
        self.venv.join("bin/python")
    }

    fn store(&self) -> Store {
        Store::new(self.project.path("results"))
    }

    fn folder(&self) -> MachineFolder {
        let mut found = self.store().machines();
        assert_eq!(found.problems, []);
        assert_eq!(found.items.len(), 1);
        found.items.remove(0)
    }

    fn path(&self) -> PathBuf {
        let name = result_file_name(&self.commit, &existing_environment_name(&self.python()));
        self.folder().path.join(name)
    }

    fn text(&self) -> String {
        fs::read_to_string(self.path()).unwrap()
    }

    fn set(&self) -> ResultSet {
        let names = EnvironmentNames::only(existing_environment_name(&self.python()));
        let store = self.store();
        let found = store.find(&self.folder(), &self.commit, Some(&names), Detail::Full);
        assert_eq!(found.problems, []);
        assert_eq!(found.items.len(), 1);
        found.items.into_iter().next().unwrap().set
    }
}

/// An addition without a single result.
fn nothing(set: &ResultSet) -> Addition {
    Addition {
        set: ResultSet {
            results: indexmap::IndexMap::new(),
            durations: indexmap::IndexMap::new(),
            ..set.clone()
        },
        ..Addition::default()
    }
}

#[test]
fn files_of_asv_come_back_to_the_byte() {
    let Some(venv) = oracle(VENV) else { return };
    let measured = Measured::new(venv);
    let (set, text) = (measured.set(), measured.text());
    assert_eq!(set.results.len(), 8);
    let times = &set.results["bench.Times.time_it"];
    assert_eq!(times.values[1], Value::Skipped);
    assert_eq!(times.values[3], Value::Failed);
    assert_eq!(times.samples[0].as_ref().map(Vec::len), Some(4));
    assert!(times.profile.is_some());
    assert_eq!(set.results["bench.track_none"].values, [Value::Failed]);
    assert_eq!(set.to_text(), text);

    let saved = measured.store().save(&nothing(&set)).unwrap();
    assert_eq!((saved.path, saved.problems), (measured.path(), vec![]));
    assert_eq!(measured.text(), text);

    // Written afresh elsewhere: the same folder, file name and bytes, machine and suite included.
    let elsewhere = tempfile::tempdir().unwrap();
    let copy = Store::new(elsewhere.path());
    copy.save_machine(&measured.folder().machine).unwrap();
    copy.save_benchmarks(&measured.store().load_benchmarks().unwrap())
        .unwrap();
    let addition = Addition {
        set,
        ..Addition::default()
    };
    copy.save(&addition).unwrap();
    let root = measured.store().root().to_owned();
    for path in [
        root.join("benchmarks.json"),
        root.join("box/machine.json"),
        measured.path(),
    ] {
        let ours = elsewhere.path().join(path.strip_prefix(&root).unwrap());
        assert_eq!(
            fs::read_to_string(&ours).unwrap(),
            fs::read_to_string(&path).unwrap(),
            "{}",
            path.display()
        );
    }
}

#[test]
fn asv_reads_what_we_add() {
    let Some(venv) = oracle(VENV) else { return };
    let measured = Measured::new(venv);
    let store = measured.store();
    let mut addition = nothing(&measured.set());
    let failure = Failure {
        kind: FailureKind::Timeout,
        message: "took \u{b5}s too long".to_owned(),
        details: "line\nline".to_owned(),
    };
    let known = BenchmarkProvenance {
        failures: vec![Some(failure)],
        flags: vec!["compiled-while-timed".to_owned()],
        ..BenchmarkProvenance::default()
    };
    let mut provenance = Provenance {
        lcmbench: "0.1.0".to_owned(),
        head: measured.commit.clone(),
        ..Provenance::default()
    };
    provenance
        .benchmarks
        .insert("bench.track_float".to_owned(), known);
    addition.set.provenance = Some(provenance.clone());
    let result = BenchmarkResult {
        values: vec![Value::Number(123_456_789_i64.into())],
        ..measured.set().results["bench.track_float"].clone()
    };
    addition
        .set
        .results
        .insert("bench.track_float".to_owned(), result);
    let mut journal = store.begin(&nothing(&addition.set)).unwrap();
    for (name, result) in &addition.set.results {
        journal
            .record(name, result, None, provenance.benchmarks.get(name))
            .unwrap();
    }
    // asv passes over the journal that lies there.
    assert!(measured.asv(&["show"], 0).contains(&measured.commit[..8]));
    store.fold(journal).unwrap();
    assert!(measured.text().ends_with(r#""version": 2}"#));
    assert_eq!(measured.set().provenance, Some(provenance));

    let shown = measured.asv(&["show", "--details", &measured.commit], 0);
    assert!(shown.contains("123456789"), "{shown}");
    measured.project.commit("Nothing");
    let compared = measured.asv(
        &["compare", "--machine", "box", &measured.commit, "HEAD~1"],
        0,
    );
    assert!(compared.contains("bench.track_float"), "{compared}");
    let published = measured.asv(&["publish", "--no-pull"], 0);
    assert!(!published.contains("Traceback"), "{published}");
    let graphs = measured
        .project
        .path("html/graphs/summary/bench.track_float.json");
    assert!(fs::read_to_string(graphs).unwrap().contains("123456789"));

    // asv re-saves the file: its own run loses our key and nothing else.
    measured.run(&["--bench", "track_(nan|fail)"]);
    let set = measured.set();
    assert_eq!(set.provenance, None);
    assert_eq!(set.results.len(), 8);
}

#[test]
fn combinations_merge_as_asv_merges_them() {
    let Some(venv) = oracle(VENV) else { return };
    let measured = Measured::new(venv);
    let own_version = measured.set().results[TRACK].version.clone();
    for (version, expected) in [
        (own_version, "[10, NaN, 2, 1, null, null]"),
        (Some("older".to_owned()), "[10, NaN, NaN, NaN, NaN, NaN]"),
    ] {
        // As if the last run had measured other values, of other parameters.
        let mut set = measured.set();
        let row = &mut set.results[TRACK];
        row.version = version;
        row.values = (1..=4_i64)
            .map(|value| Value::Number(value.into()))
            .collect();
        row.params = vec![
            vec!["2 (0)".to_owned(), "9".to_owned()],
            vec!["None".to_owned(), "'a'".to_owned()],
        ];
        let before = set.to_text();
        fs::write(measured.path(), &before).unwrap();
        measured.run_with(&["--bench", r"track_value\(1"], 0);
        let theirs = measured.text();
        assert!(
            theirs.contains(&format!("\"{TRACK}\": [{expected}")),
            "{theirs}"
        );

        // The same by us: what asv measured, with NaN where it did not.
        let after = measured.set();
        let mut addition = nothing(&after);
        addition.set.durations.clone_from(&after.durations);
        let mut row = after.results[TRACK].clone();
        row.values[2..].fill(Value::Skipped);
        addition.set.results.insert(TRACK.to_owned(), row);
        addition.selected.insert(TRACK.to_owned(), vec![0, 1]);
        fs::write(measured.path(), &before).unwrap();
        measured.store().save(&addition).unwrap();
        assert_eq!(measured.text(), theirs);
    }
}

#[test]
fn version_one_is_read_as_asv_converts_it() {
    let Some(venv) = oracle(VENV) else { return };
    let project = Project::new();
    project.write("benchmarks/__init__.py", "");
    project.copy_file("tests/suites/asv.conf.json", "asv.conf.json");
    project.commit("No benchmarks");
    project.write(
        "results/old/machine.json",
        r#"{"machine": "old", "version": 1}"#,
    );
    let old = Path::new("results/old");
    project.write(old.join("aaaaaaaa-py2.7-Cython-numpy1.9.json"), VERSION_ONE);
    if let Some(data) = data_folder() {
        let source = data.join("results/brian2-v1/vuvuzela");
        for entry in fs::read_dir(source).unwrap() {
            let entry = entry.unwrap();
            if entry.file_name() != "machine.json" {
                let text = fs::read_to_string(entry.path()).unwrap();
                project.write(
                    old.join(entry.file_name()),
                    &text.replace("vuvuzela", "old"),
                );
            }
        }
    }
    let store = Store::new(project.path("results"));
    let ours = texts(&store);
    for arguments in [&["machine", "--yes"][..], &["update"]] {
        let asv = project.program(venv.join("bin/asv")).args(arguments);
        let _told = asv.run().expect(0);
    }
    let converted = project.read(old.join("aaaaaaaa-py2.7-Cython-numpy1.9.json"));
    assert!(converted.ends_with(r#""version": 2}"#), "{converted}");
    let theirs = texts(&store);
    assert!(!ours.is_empty() && ours.len() == theirs.len());
    for ((name, ours), (converted, theirs)) in ours.iter().zip(&theirs) {
        assert_eq!((name, ours), (converted, theirs));
    }
}

/// Every shape of a value of version 1.
const VERSION_ONE: &str = r#"{
    "benchmark_version": {"b.time_a": "abc", "b.gone": "v"},
    "commit_hash": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "date": 1000,
    "duration": {"b.s": 1.23456789, "<build>": 3.123456789, "b.gone": 4.0},
    "ended_at": {"b.time_a": 2005},
    "params": {"machine": "old", "numpy": null, "ram": 8589934592},
    "profiles": {"b.time_a": "eJx=", "b.gone": "x"},
    "python": "2.7",
    "requirements": {"numpy": "1.9", "Cython": null},
    "results": {
        "b.time_a": 0.1, "b.x": null, "b.int": 5, "b.nan": NaN, "b.text": "hello", "b.lst": [1, 2],
        "b.p": {"params": [["1", "2"]], "result": [1.0, null], "samples": [[1.0, 1.0], null],
                "stats": [{"ci_99": [0.5, 1.5], "q_25": 0.9123456, "q_75": 1.1, "number": 3, "repeat": 10, "mean": 1.0, "std": 2.0}, null]},
        "b.s": {"result": 2.5, "stats": {"ci_99": [-Infinity, Infinity], "q_25": 1.5, "q_75": 2.5, "number": 1, "repeat": 1}},
        "b.list": {"params": [["1", "2"]], "result": null}
    },
    "started_at": {"b.time_a": 5, "b.p": 6},
    "version": 1
}"#;

/// Every result of a store as we would write it, by name of the file.
fn texts(store: &Store) -> Vec<(String, String)> {
    let folders = store.machines();
    assert_eq!(folders.problems, []);
    let mut texts = Vec::new();
    for folder in &folders.items {
        let files = store.files(folder);
        let loaded = store.load_all(&files.items, Detail::Full);
        assert_eq!(loaded.problems, []);
        texts.extend(loaded.items.iter().map(|loaded| {
            let name = loaded.file.path.file_name().unwrap();
            (name.to_str().unwrap().to_owned(), loaded.set.to_text())
        }));
    }
    texts
}

/// The folder with histories of real projects, if it is there.
fn data_folder() -> Option<PathBuf> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the harness itself reads the outer environment"
    )]
    let named = std::env::var_os("LCMBENCH_TEST_DATA").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let folder = named.unwrap_or(beside);
    folder.join("results").is_dir().then_some(folder)
}

/// The same folder, or `None` after saying that the test is skipped.
fn data() -> Option<PathBuf> {
    let folder = data_folder();
    if folder.is_none() {
        skip("no histories of real projects (the folder that LCMBENCH_TEST_DATA names)");
    }
    folder
}

#[test]
fn histories_of_real_projects_are_read_and_written_to_the_byte() {
    let Some(data) = data() else { return };
    let mut versions = [0, 0];
    let store = Store::new(data.join("results"));
    let folders = store.machines();
    assert_eq!(folders.problems, []);
    for folder in &folders.items {
        let files = store.files(folder);
        let loaded = store.load_all(&files.items, Detail::Full);
        let unexpected: Vec<_> = loaded
            .problems
            .iter()
            .filter(|problem| problem.kind != ProblemKind::Foreign)
            .collect();
        assert!(unexpected.is_empty(), "{unexpected:?}");
        assert_eq!(files.problems, []);
        for loaded in &loaded.items {
            let path = &loaded.file.path;
            let text = fs::read_to_string(path).unwrap();
            let ours = loaded.set.to_text();
            if text.contains("\"result_columns\"") {
                assert!(ours == text, "{} changed", path.display());
                versions[1] += 1;
            } else {
                assert_header_is_kept(&text, &ours);
                versions[0] += 1;
            }
        }
    }
    assert_eq!(versions, [325, 503], "files of version 1 and 2");
}

/// A file of version 1 keeps its header, its benchmarks and their values when it becomes version 2.
fn assert_header_is_kept(old: &str, new: &str) {
    let (old, new) = (parse(old).unwrap(), parse(new).unwrap());
    for key in [
        "commit_hash",
        "env_name",
        "date",
        "params",
        "python",
        "requirements",
    ] {
        assert_eq!(old.get(key), new.get(key), "{key}");
    }
    let rows = |json: &Json| -> Object {
        json.get("results")
            .and_then(Json::as_object)
            .cloned()
            .unwrap()
    };
    let (old, new) = (rows(&old), rows(&new));
    assert_eq!(old.len(), new.len());
    for (name, value) in old {
        let value = value.get("result").cloned().unwrap_or(value);
        let stored = new[&name].as_array().unwrap().first().cloned();
        let stored = to_compact(&stored.unwrap_or(Json::Null));
        let value = to_compact(&value);
        assert!(
            stored == value || stored == format!("[{value}]"),
            "{name}: {value}, {stored}"
        );
    }
}

#[test]
fn suites_of_real_projects_are_written_to_the_byte() {
    let Some(data) = data() else { return };
    for project in ["geocat", "conda-nan", "brian2-v1"] {
        let path = data.join("results").join(project).join("benchmarks.json");
        let text = fs::read_to_string(&path).unwrap();
        let index = Store::new(path.parent().unwrap())
            .load_benchmarks()
            .unwrap();
        assert!(!index.benchmarks.is_empty());
        let ours = index.to_text();
        if text.trim_end().ends_with("\"version\": 2\n}") && !text.contains(", \n") {
            assert!(ours == text, "{} changed", path.display());
        } else {
            // Written by Python 2 (spaces at line ends) or of version 1: the records are the same.
            let records = |text: &str| {
                let Json::Object(mut members) = parse(text).unwrap() else {
                    panic!("an object");
                };
                members.shift_remove("version");
                members
            };
            assert_eq!(records(&text), records(&ours));
        }
    }
}
