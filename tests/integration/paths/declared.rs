//! Fixtures that a project declares: every mode, and what can go wrong with them.

use serde_json::Value;

use super::{paths, project};
use crate::common::python3;

#[test]
fn every_mode_reports_on_a_model_of_the_project() {
    let Some(python) = python3() else { return };
    let project = project();
    let output = paths(&project, &python)
        .args(["1", "--calls", "60", "--fit", "-n", "2", "--format", "json"])
        .run()
        .expect(0);
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    let results = report["examples"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    let per_call = &results[0];
    assert_eq!(per_call["grid"], serde_json::json!([3]));
    assert_eq!(
        (&per_call["calls"], &per_call["rounds"]),
        (&60.into(), &20.into())
    );
    let fast = &per_call["paths"][0];
    assert_eq!(fast["samples"].as_array().unwrap().len(), 20);
    assert!(fast["median"].as_f64().unwrap() > 0.0);
    assert_eq!(
        fast["differences"],
        serde_json::json!([{"from": "slow", "largest": 0.0}])
    );
    assert_eq!(
        per_call["paths"][2]["problem"]["reason"],
        "it is not installed"
    );
    let fits = &results[1]["paths"][1]["runs"];
    assert_eq!(fits.as_array().unwrap().len(), 2);
    assert_eq!(fits[0]["stages"][1][0], "second");

    let output = paths(&project, &python)
        .args(["1", "--nfev", "--plan-time", "--par-variability"])
        .run()
        .expect(0);
    let text = output
        .says("| second |        15 |            15 |")
        .says("skipped: the fixture declares no planning")
        .says("5 of 5 runs at the best optimum; largest spread among them: offset")
        .says("start-sensitive")
        .says("a flat direction of the objective");
    assert!(!text.stdout.contains("Per call"), "{}", text.stdout);
}

#[test]
fn two_calls_print_the_same_but_for_wall_times() {
    let Some(python) = python3() else { return };
    let project = project();
    let report = || {
        let output = paths(&project, &python)
            .args([
                "1",
                "--par-variability",
                "--starts",
                "9",
                "--format",
                "json",
            ])
            .run()
            .expect(0);
        let mut report: Value = serde_json::from_str(&output.stdout).unwrap();
        let runs = report["examples"][0]["results"][0]["runs"]
            .as_array_mut()
            .unwrap();
        for run in runs {
            assert!(run["seconds"].take().is_number());
        }
        report
    };
    let first = report();
    assert_eq!(first, report());
    // Runs five to eight take the squares of the ladder, and so on.
    let starts: Vec<f64> = first["examples"][0]["results"][0]["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["start"][1][1].as_f64().unwrap())
        .collect();
    let expected = [1.0, 0.8, 1.25, 1.6, 0.6, 0.64, 1.5625, 2.56, 0.36, 0.512];
    for (start, expected) in starts.iter().zip(expected) {
        assert!((start - expected).abs() < 1e-12, "{starts:?}");
    }
}

#[test]
fn the_list_shows_what_is_a_fixture_and_what_is_none() {
    let Some(python) = python3() else { return };
    let output = paths(&project(), &python).arg("--list").run().expect(0);
    assert!(
        output.stdout.contains("|      1 | line    | plain     |"),
        "{}",
        output.stdout
    );
    assert!(
        output.stdout.contains("is not meant for this"),
        "{}",
        output.stdout
    );
}

#[test]
fn a_path_that_fails_leaves_the_others_and_the_exit_code_says_so() {
    let Some(python) = python3() else { return };
    let project = project();
    for (odd, said) in [
        ("raises", "fast failed: ValueError: out of range"),
        (
            "nan",
            "fast failed: 1 of the 3 values of its output are NaN or infinite",
        ),
        (
            "shape",
            "fast failed: its output is 1 × 2, that of the reference, slow, 3",
        ),
        (
            "dies",
            "fast failed: the Python process ended before it was done (exit code 3)",
        ),
    ] {
        let output = paths(&project, &python)
            .args(["1", "--calls", "20"])
            .env("ODD", odd)
            .run()
            .expect(2)
            .says(said);
        let slow = output
            .stdout
            .lines()
            .find(|line| line.starts_with("| slow"))
            .unwrap();
        assert!(slow.contains(" to "), "{odd}: {slow}");
    }
    let output = paths(&project, &python)
        .arg("1")
        .env("ODD", "raises")
        .run()
        .expect(2);
    assert!(
        output.stderr.contains("fixtures_of_ours.py\", line")
            && !output.stderr.contains("bench.py"),
        "{}",
        output.stderr
    );
}

#[test]
fn what_never_ends_is_ended_at_its_deadline() {
    let Some(python) = python3() else { return };
    let project = project();
    let _fit = paths(&project, &python)
        .args(["1", "--calls", "20", "--fit", "-n", "2", "--timeout", "2"])
        .env("ODD", "endless")
        .run()
        .expect(2)
        .says("slow failed: took longer than 2 s and was ended (--timeout)")
        .says("| fast   |");
    let _evaluation = paths(&project, &python)
        .args(["1", "--calls", "20", "--timeout", "2"])
        .env("ODD", "hangs")
        .run()
        .expect(2)
        .says("fast failed: took longer than 2 s");
}

#[test]
fn names_cannot_steer_a_terminal() {
    let Some(python) = python3() else { return };
    let project = project();
    let text = project.read("fixtures_of_ours.py");
    let text = text.replace("name = \"line\"", "name = \"li\\x1b[31mne\\n::error::x\"");
    project.write("fixtures_of_ours.py", &text);
    let output = paths(&project, &python)
        .args(["1", "--calls", "20"])
        .run()
        .expect(0);
    for stream in [&output.stdout, &output.stderr] {
        assert!(
            !stream.contains('\u{1b}') && !stream.contains("\n::error"),
            "{stream}"
        );
    }
}

#[test]
fn a_reference_that_cannot_be_had_leaves_times_and_says_so() {
    let Some(python) = python3() else { return };
    let project = project();
    let text = project.read("fixtures_of_ours.py");
    project.write(
        "fixtures_of_ours.py",
        &text.replace("reference = \"slow\"", "reference = \"remote\""),
    );
    let _times = paths(&project, &python)
        .args(["1", "--calls", "20"])
        .run()
        .expect(0)
        .says("Grid 3; 20 calls of each path")
        .says("Correctness: not checked, since the reference, remote, was skipped.");
}

#[test]
fn a_compiled_path_that_is_the_reference_is_compared_with_once() {
    let Some(python) = python3() else { return };
    let project = project();
    let text = project.read("fixtures_of_ours.py");
    project.write(
        "fixtures_of_ours.py",
        &text.replace("compiled = \"fast\"", "compiled = \"slow\""),
    );
    let output = paths(&project, &python)
        .args(["1", "--calls", "20"])
        .run()
        .expect(0);
    assert_eq!(
        output.stdout.matches("over slow").count(),
        1,
        "{}",
        output.stdout
    );
}

#[test]
fn the_environment_beside_the_project_is_used_where_none_is_active() {
    let Some(python) = python3() else { return };
    let project = project();
    project.write(
        ".venv/bin/python",
        &format!(
            "#!/bin/sh\necho used >> {}\nexec {} \"$@\"\n",
            project.path("used").display(),
            python.display()
        ),
    );
    let script = project.path(".venv/bin/python");
    std::process::Command::new("chmod")
        .arg("+x")
        .arg(&script)
        .status()
        .unwrap();
    let _listed = project
        .lcmbench()
        .args(["paths", "--fixture", "fixtures_of_ours", "--list"])
        .run()
        .expect(0);
    assert_eq!(project.read("used"), "used\n");
}

#[test]
fn markdown_marks_speed_ups_correctness_and_what_is_exercised() {
    let Some(python) = python3() else { return };
    let output = paths(&project(), &python)
        .args(["1", "--calls", "20", "--format", "markdown"])
        .run()
        .expect(0);
    let text = &output.stdout;
    for part in [
        "## line\n",
        "**exercises: plain**",
        "**Speed-up of fast over slow: ",
        "**Correctness: ",
        "×",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}
