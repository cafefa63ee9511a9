//! The command `doctor`: each thing that can be missing is named with its way out.

use std::path::Path;

use crate::common::command::{Lcmbench, Output};
use crate::common::{Project, python3};

fn doctor(project: &Project, python: &Path) -> Lcmbench {
    project.lcmbench().args(["doctor", "--python"]).arg(python)
}

/// A project in which all is well.
fn healthy() -> Project {
    let project = Project::new();
    project.suite("names");
    project.write(".gitignore", "__pycache__/\n/results/\n");
    project.write("lcmbench.toml", "machine = \"gpu-01\"\n");
    project.commit("Add the suite");
    let _described = project
        .lcmbench()
        .args(["machine", "--yes", "--machine", "gpu-01"])
        .run()
        .expect(0);
    project
}

/// The lines of one thing that is looked at.
fn lines<'a>(output: &'a Output, about: &str) -> Vec<&'a str> {
    let about = format!(" {about}: ");
    output
        .stdout
        .lines()
        .filter(|line| line.contains(&about))
        .collect()
}

#[test]
fn a_healthy_project_has_no_errors_and_nothing_is_written() {
    let Some(python) = python3() else { return };
    let project = healthy();
    let before = project.git(["status", "--porcelain", "--ignored"]);
    let output = doctor(&project, &python).run().expect(0).says("no errors");
    for about in [
        "configuration",
        "git",
        "suite",
        "results",
        "machine",
        "disk",
    ] {
        let found = lines(&output, about);
        assert!(
            found.iter().any(|line| line.starts_with("OK ")),
            "{about}: {}",
            output.stdout
        );
    }
    let after = project.git(["status", "--porcelain", "--ignored"]);
    let made: Vec<&str> = after
        .lines()
        .filter(|line| !before.contains(line))
        .collect();
    // Python's own files of the import are no trace of ours.
    assert!(
        made.iter().all(|line| line.contains("__pycache__")),
        "{made:?}"
    );
}

#[test]
fn without_a_project_the_way_out_is_init() {
    let Some(python) = python3() else { return };
    let project = Project::new();
    let output = doctor(&project, &python).run().expect(3).says("1 error");
    assert!(
        output.stdout.contains("-> `lcmbench init`"),
        "{}",
        output.stdout
    );
    assert!(lines(&output, "suite").is_empty(), "{}", output.stdout);
}

#[test]
fn what_is_wrong_is_named_with_its_way_out() {
    let Some(python) = python3() else { return };
    let project = healthy();
    project.write("benchmarks/broken.py", "import surely_not_there\n");
    project.write("asv.conf.json", "{\"version\": 1, \"projekt\": \"x\"}");
    project.git([
        "config",
        "http.https://github.com/.extraheader",
        "AUTHORIZATION: basic c2VjcmV0",
    ]);
    project.remove(".gitignore");
    let output = doctor(&project, &python).run().expect(3);
    let said = |level: &str, about: &str, text: &str| {
        assert!(
            lines(&output, about)
                .iter()
                .any(|line| line.starts_with(level) && line.contains(text)),
            "{level} {about} {text}\n{}",
            output.stdout
        );
    };
    said("warning", "configuration", "projekt");
    said("warning", "git", "the worktree differs from its commit");
    said("warning", "git", ".git/config holds a credential");
    said("error", "suite", "broken of the suite cannot be imported");
    said("warning", "suite", "no `package` is configured");
    said(
        "warning",
        "results",
        "is neither ignored by git nor kept in it",
    );
    assert!(!output.stdout.contains("c2VjcmV0"));
    assert!(output.stdout.contains("-> `persist-credentials: false`"));
}

#[test]
fn a_python_that_is_not_there_is_an_error() {
    let project = healthy();
    let output = project
        .lcmbench()
        .args(["doctor", "--python", "/nowhere/python"])
        .run()
        .expect(3);
    let found = lines(&output, "suite");
    assert!(found[0].starts_with("error   suite: "), "{found:?}");
    assert!(found[0].contains("/nowhere/python"), "{found:?}");
}
