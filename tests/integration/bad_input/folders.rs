//! Results folders that are shared, full or read-only.

use std::process::Command;

use fs_err as fs;

use crate::common::python::skip;
use crate::common::{Project, python3};

#[test]
fn two_runs_at_once_keep_each_other_s_results() {
    let Some(python) = python3() else { return };
    let project = Project::new();
    project.suite("steps");
    project.commit("One");
    let notes = project.home().join("notes");
    fs::create_dir(&notes).unwrap();
    let start = |bench: &str| {
        project
            .lcmbench()
            .args(["run", "--bench", bench, "--python"])
            .arg(&python)
            .env("STEPS_FOLDER", &notes)
            .start()
    };
    // The first waits in its benchmark until the second has begun and ended.
    let mut first = start("track_[ac]");
    first.wait_until("the first run measures", || notes.join("c").exists());
    let _second = start("track_[bd]").wait().expect(0);
    fs::write(notes.join("go-on"), "").unwrap();
    let _first = first.wait().expect(0);
    let saved = project.saved();
    for (name, expected) in [("a", "[1]"), ("b", "[2]"), ("c_waits", "[3]"), ("d", "[4]")] {
        assert_eq!(saved.result(&format!("ordered.track_{name}")), expected);
    }
}

/// Runs a script as root in mounts of its own, if this machine lets us.
pub(crate) fn with_own_mounts(
    project: &Project,
    script: &str,
) -> Option<crate::common::command::Output> {
    let probe = Command::new("unshare")
        .args([
            "--mount",
            "--map-root-user",
            "mount",
            "-t",
            "tmpfs",
            "none",
            "/mnt",
        ])
        .output();
    if !probe.is_ok_and(|output| output.status.success()) {
        skip("mounts of one's own are not allowed here (unshare --mount)");
        return None;
    }
    let output = project
        .program("unshare")
        .args(["--mount", "--map-root-user", "sh", "-c", script])
        .env("LCMBENCH", env!("CARGO_BIN_EXE_lcmbench"))
        .run();
    Some(output)
}

#[test]
fn a_full_disk_leaves_what_was_there() {
    let Some(python) = python3() else { return };
    let project = Project::new();
    project.suite("odd_params");
    project.commit("One");
    let _measured = project.run_with(&python, []).expect(0);
    let script = format!(
        "set -e
        cp -r results ../kept
        mount -t tmpfs -o size=64k none results
        cp -r ../kept/. results
        dd if=/dev/zero of=results/filler bs=4k 2>/dev/null || true
        code=0
        $LCMBENCH run --python {} || code=$?
        rm results/filler
        cp -r results ../after
        exit $code",
        python.display()
    );
    let Some(output) = with_own_mounts(&project, &script) else {
        return;
    };
    assert_ne!(output.code, 0, "{output:?}");
    assert!(output.stderr.contains("No space left"), "{output:?}");
    let before = project.root().parent().unwrap().join("kept");
    let after = project.root().parent().unwrap().join("after");
    for file in project.result_files() {
        let machine = project.machine_folder();
        let read = |root: &std::path::Path| fs::read(root.join(&machine).join(&file)).unwrap();
        assert!(read(&before) == read(&after), "{file} changed");
    }
}

#[test]
fn a_read_only_results_folder_is_said_before_measuring() {
    let Some(python) = python3() else { return };
    let project = Project::new();
    project.suite("steps");
    project.commit("One");
    fs::create_dir(project.path("results")).unwrap();
    let notes = project.home().join("notes");
    fs::create_dir(&notes).unwrap();
    let script = format!(
        "set -e
        mount --bind results results
        mount -o remount,ro,bind results
        STEPS_FOLDER={} exec $LCMBENCH run --bench track_a --python {}",
        notes.display(),
        python.display()
    );
    let Some(output) = with_own_mounts(&project, &script) else {
        return;
    };
    let output = output.expect(3);
    assert!(output.stderr.contains("results"), "{}", output.stderr);
    assert!(!notes.join("a").exists(), "a benchmark ran");
}

#[test]
fn a_report_that_standard_output_does_not_take_is_no_success() {
    let project = Project::new();
    project.suite("odd_params");
    project.commit("One");
    let output = project
        .program("sh")
        .args(["-c", "\"$LCMBENCH\" machine --yes >/dev/full"])
        .env("LCMBENCH", env!("CARGO_BIN_EXE_lcmbench"))
        .run()
        .expect(3);
    let said = "what was printed is incomplete";
    assert!(output.stderr.contains(said), "{}", output.stderr);
}
