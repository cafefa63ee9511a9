//! Benchmarks that misbehave: each keeps its reason, and all others are measured.

use std::path::Path;

use fs_err as fs;
use rustix::process::Pid;

use crate::common::saved::Saved;
use crate::common::{Project, python3};

/// Runs one module of the suite `rough`; the exit code is 2 when a benchmark fails.
fn rough(python: &Path, module: &str, code: i32) -> (Project, Saved) {
    let project = Project::new();
    project.suite("rough");
    project.commit("One");
    fs::create_dir(project.home().join("notes")).unwrap();
    let _measured = project
        .lcmbench()
        .args(["run", "--bench", module, "--python"])
        .arg(python)
        .env("ROUGH_FOLDER", project.home().join("notes"))
        .run()
        .expect(code);
    let saved = project.saved();
    (project, saved)
}

#[test]
fn streams_can_be_flooded_and_closed() {
    let Some(python) = python3() else { return };
    let (_project, saved) = rough(&python, "^streams", 2);
    let result = |name: &str| saved.result(&format!("streams.track_{name}"));
    assert_eq!(result("prints_100_megabytes"), "[1]");
    assert_eq!(result("writes_binary"), "[2]");
    assert_eq!(result("closes_its_streams"), "[3]");
    assert_eq!(result("writes_to_a_closed_descriptor"), "null");
    let remarks = saved.remarks("streams.track_writes_to_a_closed_descriptor");
    assert!(remarks.contains("Bad file descriptor"), "{remarks}");
    // Whatever becomes of this one, it must not take the others with it.
    let everything = result("closes_everything");
    assert!(
        ["null", "[4]"].contains(&everything.as_str()),
        "{everything}"
    );
}

#[test]
fn processes_that_will_not_end_are_ended() {
    let Some(python) = python3() else { return };
    let (project, saved) = rough(&python, "^processes", 2);
    let result = |name: &str| saved.result(&format!("processes.track_{name}"));
    assert_eq!(result("child_outlives_it"), "[1]");
    assert_eq!(result("detached_child_outlives_it"), "[2]");
    for (name, reason) in [
        ("ignores_sigterm", "0.5"),
        ("talks_and_never_ends", "0.5"),
        ("exits", "7"),
        ("exits_with_zero", "exit"),
        ("aborts", "SIGABRT"),
        ("segfaults", "SIGSEGV"),
        ("kills_its_group", "SIGTERM"),
    ] {
        assert_eq!(result(name), "null", "{name}");
        let remarks = saved.remarks(&format!("processes.track_{name}"));
        assert!(remarks.contains(reason), "{name}: {remarks}");
    }
    let remarks = saved.remarks("processes.track_exits");
    assert!(remarks.contains("the last words"), "{remarks}");
    for name in ["child", "detached", "stubborn"] {
        let note = fs::read_to_string(project.home().join("notes").join(name)).unwrap();
        let pid = Pid::from_raw(note.parse().unwrap()).unwrap();
        assert!(
            rustix::process::test_kill_process(pid).is_err(),
            "{name} ({note}) is still there"
        );
    }
}

#[test]
fn values_that_are_no_plain_numbers_are_kept_as_asv_keeps_them() {
    let Some(python) = python3() else { return };
    let (project, saved) = rough(&python, "^returns", 2);
    for (name, expected) in [
        ("nan", "[NaN]"),
        ("infinity", "[Infinity]"),
        ("text", "[\"a | b\"]"),
        ("dict", "[{\"a\": [1, null]}]"),
        ("nothing", "null"),
        ("huge", "[1000000000000000000000000000000]"),
    ] {
        assert_eq!(saved.result(&format!("returns.track_{name}")), expected);
    }
    for format in ["table", "markdown", "json"] {
        let _compared = project
            .lcmbench()
            .args(["compare", "HEAD", "HEAD", "--format", format])
            .run()
            .expect(0);
    }
    let _shown = project.lcmbench().args(["show", "HEAD"]).run().expect(0);
}

#[test]
fn odd_parameters_go_through_every_format() {
    let Some(python) = python3() else { return };
    let project = Project::new();
    project.suite("odd_params");
    project.commit("One");
    let _measured = project.run_with(&python, []).expect(0);
    assert_eq!(
        project.saved().result("texts.Odd.track_length"),
        "[7, 300, 18, 10, 8]"
    );
    let compared = project
        .lcmbench()
        .args(["compare", "HEAD", "HEAD", "--format", "markdown"])
        .run()
        .expect(0);
    assert!(!compared.stdout.contains("<d>"), "{}", compared.stdout);
    assert!(!compared.stdout.contains("@e"), "{}", compared.stdout);
    let rows = compared.stdout.lines().filter(|line| line.starts_with('|'));
    let columns: Vec<usize> = rows
        .map(|row| row.replace("\\|", "").matches('|').count())
        .collect();
    assert!(columns.len() >= 7, "{}", compared.stdout);
    assert!(
        columns.iter().all(|count| *count == columns[0]),
        "a parameter breaks the table:\n{}",
        compared.stdout
    );
}

#[test]
fn one_combination_is_selected_by_its_literal_name() {
    let Some(python) = python3() else { return };
    let project = Project::new();
    project.suite("odd_params");
    project.commit("One");
    let literal = "texts.Odd.track_length('a | b`c` <d> @e #1')";
    let _measured = project.run_with(&python, ["--bench", literal]).expect(0);
    assert_eq!(
        project.saved().result("texts.Odd.track_length"),
        "[NaN, NaN, 18, NaN, NaN]"
    );
}
