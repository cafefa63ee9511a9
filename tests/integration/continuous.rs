//! `lcmbench continuous` and `selftest` with real processes.

use std::path::PathBuf;
use std::time::Duration;

use fs_err as fs;
use serde_json::Value;

use crate::common::Project;
use crate::common::command::{Lcmbench, Output};
use crate::common::python::python3;

const SUITE: &str = r#"
import calc


def time_work():
    return sum(number * number for number in range(calc.WORK))


def track_steps():
    return calc.WORK


track_steps.unit = "steps"


def track_half():
    return 0.5


def track_name():
    return calc.NAME


def time_fails():
    if calc.NAME == "head":
        raise ValueError("no")
"#;

struct Place {
    project: Project,
    python: PathBuf,
}

impl Place {
    /// A package whose head does 60 % more work than its base.
    fn new() -> Option<Self> {
        let python = python3()?;
        let project = Project::new();
        project.small_suite("calc", "work.py", SUITE);
        project.write("lcmbench.toml", "package = \"calc\"\n");
        project.write(".gitignore", "__pycache__/\nresults/\nbuilt.txt\n");
        project.write("calc/__init__.py", "WORK = 5000\nNAME = 'base'\n");
        project.commit("base");
        project.git(["checkout", "--quiet", "-b", "change"]);
        project.write("calc/__init__.py", "WORK = 8000\nNAME = 'head'\n");
        project.commit("head");
        Some(Self { project, python })
    }

    fn continuous(&self) -> Lcmbench {
        self.project
            .lcmbench()
            .args(["continuous", "--machine", "m", "--python"])
            .arg(&self.python)
            .patience(Duration::from_mins(6))
    }

    fn json(&self, more: &[&str], code: i32) -> Value {
        let output = self
            .continuous()
            .args(["--format", "json"])
            .args(more)
            .run()
            .expect(code);
        serde_json::from_str(&output.stdout).unwrap()
    }
}

fn row<'a>(comparison: &'a Value, name: &str) -> &'a Value {
    let rows = comparison["rows"].as_array().unwrap();
    let named = |row: &&Value| {
        row["benchmark"]
            .as_str()
            .is_some_and(|full| full.ends_with(name))
    };
    rows.iter()
        .find(named)
        .unwrap_or_else(|| panic!("{name}: {comparison}"))
}

#[test]
fn a_change_is_found_and_both_sides_are_saved() {
    let Some(place) = Place::new() else {
        return;
    };
    let comparison = place.json(&["--fail-on", "slower"], 1);
    assert_eq!(
        row(&comparison, "time_work")["verdict"],
        "slower",
        "{comparison}"
    );
    assert_eq!(row(&comparison, "time_work")["estimator"], "floor");
    assert_eq!(row(&comparison, "track_steps")["verdict"], "slower");
    assert_eq!(row(&comparison, "track_half")["verdict"], "same");
    assert_eq!(row(&comparison, "track_name")["verdict"], "inconclusive");
    assert_eq!(row(&comparison, "time_fails")["verdict"], "failed");
    // Ordinary records, which every other command reads.
    assert_eq!(place.project.result_files().len(), 2);
    let compared = place
        .project
        .lcmbench()
        .args(["compare", "main", "HEAD"])
        .run()
        .expect(0);
    assert!(compared.stdout.contains("time_work"), "{}", compared.stdout);
    assert_eq!(place.project.git(["status", "--porcelain"]), "");
    assert_eq!(place.project.git(["worktree", "list"]).lines().count(), 3);
}

#[test]
fn an_interrupted_sitting_goes_on_with_its_seed() {
    let Some(place) = Place::new() else {
        return;
    };
    let mut running = place.continuous().args(["--bench", "time_work"]).start();
    let folder = place.project.path(".lcmbench/continuous");
    let pairs = || {
        let mut entries = fs::read_dir(&folder).ok()?.filter_map(Result::ok);
        fs::read_to_string(entries.next()?.path().join("pairs.jsonl")).ok()
    };
    running.wait_until("three pairs are kept", || {
        pairs().is_some_and(|text| text.matches("\"target\"").count() >= 3)
    });
    running.signal(rustix::process::Signal::INT);
    let output = running.wait();
    assert_eq!(output.code, 130, "{}", output.stderr);
    let seed = |output: &Output| {
        let mut lines = output.stderr.lines();
        lines
            .find(|line| line.contains("seed "))
            .unwrap()
            .to_owned()
    };
    let resumed = place
        .continuous()
        .args(["--bench", "time_work", "--resume"])
        .run()
        .expect(0);
    assert_eq!(seed(&resumed), seed(&output));
    assert!(
        resumed.stderr.contains("going on behind"),
        "{}",
        resumed.stderr
    );
    assert!(resumed.stdout.contains("slower"), "{}", resumed.stdout);
    let other = ["--bench", "time_work", "--resume", "--sample-time", "0.01"];
    let refused = place.continuous().args(other).run().expect(3);
    assert!(
        refused.stderr.contains("were measured on something else"),
        "{}",
        refused.stderr
    );
}

#[test]
fn a_setup_prepares_each_side_and_its_output_is_kept() {
    let Some(place) = Place::new() else {
        return;
    };
    let more = "[continuous]\nsetup = \"echo building {side}; touch {checkout}/built.txt\"\n";
    place
        .project
        .write("lcmbench.toml", &format!("package = \"calc\"\n{more}"));
    place.project.commit("a setup");
    let _output = place
        .continuous()
        .args(["main", "HEAD", "--bench", "track_half"])
        .run()
        .expect(0);
    let folder = fs::read_dir(place.project.path(".lcmbench/continuous"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let log = fs::read_to_string(folder.join("setup-head.log")).unwrap();
    assert!(log.ends_with("building head\n"), "{log}");
    assert!(folder.join("base/built.txt").is_file());
    place.project.write(
        "lcmbench.toml",
        "[continuous]\nsetup = \"echo no compiler >&2; exit 7\"\n",
    );
    let output = place
        .continuous()
        .args(["main", "HEAD~1", "--bench", "track_half"])
        .run()
        .expect(2);
    assert!(
        output.stderr.contains("setup command of base failed"),
        "{}",
        output.stderr
    );
    assert!(output.stderr.contains("no compiler"), "{}", output.stderr);
}

#[test]
fn two_interpreters_of_one_tree_and_two_checkouts() {
    let Some(place) = Place::new() else {
        return;
    };
    let python = place.python.to_string_lossy().into_owned();
    let comparison = place.json(
        &[
            "--base-python",
            &python,
            "--head-python",
            &python,
            "--bench",
            "track_half",
        ],
        0,
    );
    assert_eq!(row(&comparison, "track_half")["verdict"], "same");
    place
        .project
        .git(["worktree", "add", "--quiet", "../old", "main"]);
    let checkouts = [
        "--base-checkout",
        "../old",
        "--head-checkout",
        ".",
        "--bench",
        "track_steps",
    ];
    let comparison = place.json(&checkouts, 0);
    assert_eq!(row(&comparison, "track_steps")["ratio"], 1.6);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let Some(place) = Place::new() else {
        return;
    };
    let refuse = |more: &[&str], words: &str| {
        let output = place.continuous().args(more).run().expect(3);
        assert!(output.stderr.contains(words), "{words}: {}", output.stderr);
    };
    refuse(&["nowhere"], "nowhere");
    refuse(&["--head-python", "python3"], "--head-python alone");
    refuse(&["--max-pairs", "4"], "is below the 8 pairs");
    refuse(&["--resume"], "there is nothing to go on with");
    refuse(&["--budget", "soon"], "is no time such as");
    place.project.git(["checkout", "--quiet", "main"]);
    refuse(&[], "there is nothing to compare it with");
    place
        .project
        .write("calc/__init__.py", "WORK = 1\nNAME = 'x'\n");
    let tree = place.python.to_string_lossy().into_owned();
    refuse(
        &["--base-python", &tree, "--bench", "track_half"],
        "differs from its commit",
    );
}

#[test]
fn a_planted_slow_down_is_found_and_equal_sides_are_looked_at() {
    let Some(place) = Place::new() else {
        return;
    };
    let selftest = |more: &[&str]| {
        let command = place
            .project
            .lcmbench()
            .arg("selftest")
            .args(more)
            .arg("--python")
            .arg(&place.python);
        command.patience(Duration::from_mins(6)).run()
    };
    let output = selftest(&["power", "--inject", "60%", "--budget", "4m"]).expect(0);
    assert_eq!(
        output.stdout.matches("found").count(),
        3,
        "{}",
        output.stdout
    );
    let output = selftest(&["aa", "--pairs", "10", "--budget", "1m"]).expect(0);
    assert!(
        output.stdout.contains("false alarms: "),
        "{}",
        output.stdout
    );
    assert!(
        output.stdout.contains("work.time_copies: "),
        "{}",
        output.stdout
    );
    let _output = selftest(&["power", "--inject", "much"]).expect(3);
}
