//! `--save`: records of machine and commit.

use fs_err as fs;
use lcmbench::json::{self, Json};

use super::{paths, project};
use crate::common::python3;

#[test]
fn results_are_kept_under_the_commit_and_compared() {
    let Some(python) = python3() else { return };
    let project = project();
    let first = project.git(["rev-parse", "HEAD"]);
    let save = |more: &[&str]| {
        paths(&project, &python)
            .args(["1", "--save", "--machine", "here"])
            .args(more)
            .run()
            .expect(0)
            .says("saved in")
    };
    let _times = save(&["--calls", "20", "--fit", "-n", "2"]);
    // A second command adds to the same file.
    let _counts = save(&["--nfev", "--par-variability"]);
    let saved = project.saved();
    assert_eq!(saved.file.get("commit_hash"), Some(&first.as_str().into()));
    assert_eq!(
        saved.names(),
        [
            "paths.line.time_per_call",
            "paths.line.track_largest_difference",
            "paths.line.time_fit",
            "paths.line.track_residuals",
            "paths.line.track_start_sensitive_parameters",
        ]
    );
    assert_eq!(
        saved.result("paths.line.track_largest_difference"),
        "[0.0, NaN]"
    );
    assert_eq!(saved.result("paths.line.track_residuals"), "[0, 15]");
    let index = json::parse(&project.read("results/benchmarks.json")).unwrap();
    let record = index.get("paths.line.time_per_call").unwrap();
    assert_eq!(record.get("type"), Some(&"time".into()));
    assert_eq!(
        record.get("params").unwrap(),
        &Json::Array(vec![Json::Array(vec![
            "'fast'".into(),
            "'slow'".into(),
            "'remote'".into()
        ])])
    );

    project.write("other.txt", "changed\n");
    project.commit("Change something");
    let _times = save(&["--calls", "20", "--nfev", "--fit", "-n", "1"]);
    let compared = project
        .lcmbench()
        .args(["compare", &first, "HEAD", "--machine", "here"])
        .run()
        .expect(0);
    for name in ["paths.line.time_fit", "paths.line.track_residuals"] {
        assert!(compared.stdout.contains(name), "{}", compared.stdout);
    }
    let _shown = project
        .lcmbench()
        .args(["show", "HEAD", "--machine", "here"])
        .run()
        .expect(0)
        .says("paths.line.time_fit");
}

#[test]
fn a_worktree_with_changes_is_refused_before_anything_is_measured() {
    let Some(python) = python3() else { return };
    let project = project();
    project.write("new.txt", "not committed\n");
    let output = paths(&project, &python)
        .args(["1", "--save"])
        .run()
        .expect(3)
        .says("?? new.txt")
        .says("without --save the tree is measured as it is");
    assert!(!output.stderr.contains("loading"), "{}", output.stderr);
    let _measured = paths(&project, &python)
        .args(["1", "--calls", "20"])
        .run()
        .expect(0);
}

#[test]
fn measuring_leaves_a_clean_worktree_clean() {
    let Some(python) = python3() else { return };
    let project = project();
    let _measured = paths(&project, &python)
        .args(["1", "--calls", "20"])
        .run()
        .expect(0);
    assert_eq!(project.git(["status", "--porcelain"]), "");
    assert!(!fs::exists(project.path("results")).unwrap());
}

#[test]
fn a_package_from_elsewhere_is_refused() {
    let Some(python) = python3() else { return };
    let project = project();
    project.write("lcmbench.toml", "package = \"json\"\n");
    project.commit("Name the package");
    let _refused = paths(&project, &python)
        .args(["1", "--save"])
        .run()
        .expect(3)
        .says("the package `json` was imported from");
}
