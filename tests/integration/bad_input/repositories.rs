//! Repositories in which there is no commit to measure, or not all of them.

use crate::common::{Project, python3};

#[test]
fn without_git_run_says_so_and_quick_works() {
    let Some(python) = python3() else { return };
    let project = Project::without_git();
    project.suite("broken_module");
    project.remove("benchmarks/delta.py");
    let refused = project.run_with(&python, ["--bench", "alpha"]).expect(3);
    assert!(refused.stderr.contains("git"), "{}", refused.stderr);
    assert!(!project.path("results").exists());
    let _quick = project
        .lcmbench()
        .args(["quick", "--bench", "alpha", "--python"])
        .arg(&python)
        .run()
        .expect(0);
}

#[test]
fn without_commits_run_says_so_and_quick_works() {
    let Some(python) = python3() else { return };
    let project = Project::new();
    project.suite("broken_module");
    let refused = project.run_with(&python, ["--bench", "alpha"]).expect(3);
    assert!(refused.stderr.contains("commit"), "{}", refused.stderr);
    let _quick = project
        .lcmbench()
        .args(["quick", "--bench", "alpha", "--python"])
        .arg(&python)
        .run();
}

#[test]
fn a_bare_repository_has_nothing_to_measure() {
    let Some(python) = python3() else { return };
    let project = Project::without_git();
    project.git(["init", "--quiet", "--bare", "."]);
    project.suite("broken_module");
    let refused = project.run_with(&python, ["--bench", "alpha"]).expect(3);
    assert!(refused.stderr.contains("bare"), "{}", refused.stderr);
}

#[test]
fn in_a_shallow_clone_head_is_measured_and_older_commits_are_named_as_missing() {
    let Some(python) = python3() else { return };
    let origin = Project::new();
    origin.suite("odd_params");
    origin.commit("One");
    origin.write("other.txt", "text\n");
    let head = origin.commit("Two");

    let clone = Project::without_git();
    let url = format!("file://{}", origin.root().display());
    clone.git(["clone", "--quiet", "--depth", "1", &url, "."]);
    let _measured = clone.run_with(&python, []).expect(0);
    assert_eq!(
        clone.saved().file.get("commit_hash").unwrap().as_str(),
        Some(head.as_str())
    );
    let refused = clone
        .lcmbench()
        .args(["compare", "HEAD~1", "HEAD"])
        .run()
        .expect(3);
    assert!(refused.stderr.contains("shallow"), "{}", refused.stderr);
}

#[test]
fn a_detached_head_is_measured_under_its_commit() {
    let Some(python) = python3() else { return };
    let project = Project::new();
    project.suite("odd_params");
    let first = project.commit("One");
    project.write("other.txt", "text\n");
    project.commit("Two");
    project.git(["checkout", "--quiet", "--detach", "HEAD~1"]);
    let _measured = project.run_with(&python, []).expect(0);
    assert_eq!(
        project.saved().file.get("commit_hash").unwrap().as_str(),
        Some(first.as_str())
    );
}

#[test]
fn a_dirty_worktree_is_refused_and_its_files_are_listed() {
    let Some(python) = python3() else { return };
    let project = Project::new();
    project.suite("odd_params");
    project.commit("One");
    project.write("untracked.txt", "text\n");
    project.write(
        "asv.conf.json",
        &project.read("asv.conf.json").replace("suite", "changed"),
    );
    let refused = project.run_with(&python, []).expect(3);
    for name in ["untracked.txt", "asv.conf.json"] {
        assert!(refused.stderr.contains(name), "{}", refused.stderr);
    }
    assert!(!project.path("results").exists(), "nothing was measured");

    let _allowed = project.run_with(&python, ["--allow-dirty"]).expect(0);
    assert!(
        !project.path("results").exists(),
        "a dirty tree is not the commit"
    );
}

#[test]
fn a_repository_that_cannot_be_read_is_said_also_where_nothing_is_saved() {
    let Some(python) = python3() else { return };
    let project = Project::new();
    project.suite("odd_params");
    project.commit("One");
    project.write(".git/HEAD", "no reference\n");
    let quick = project
        .lcmbench()
        .args(["quick", "--python"])
        .arg(&python)
        .run()
        .expect(0);
    let said = "which commit is checked out cannot be told";
    assert!(quick.stderr.contains(said), "{}", quick.stderr);
}
