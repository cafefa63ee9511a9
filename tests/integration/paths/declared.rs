//! Fixtures that a project declares: every mode, and what can go wrong with them.

use serde_json::Value;

use super::{paths, project};
use crate::common::{Project, python3};

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
fn an_example_that_there_is_not_is_refused_with_the_list() {
    let Some(python) = python3() else { return };
    let project = project();
    let _unknown = paths(&project, &python)
        .args(["--example", "7"])
        .run()
        .expect(3)
        .says("error: there is no example 7; there are:\n   1  line (plain)\n   5  five");
    let _other = paths(&project, &python)
        .arg("5")
        .run()
        .expect(3)
        .says("example 5, five, cannot be measured: is not meant for this");
    let _negative = paths(&project, &python).arg("--example=-1").run().expect(3);
    let _both = paths(&project, &python)
        .args(["1", "--example", "1"])
        .run()
        .expect(3);
    let _one_file = paths(&project, &python)
        .args(["0", "--profile", "-o", "x.svg"])
        .run()
        .expect(3)
        .says("--output names one file, and example 0 means several");
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
fn modules_that_declare_nothing_usable_are_refused() {
    let Some(python) = python3() else { return };
    let project = Project::new();
    let said = |text: &str, said: &str| {
        project.write("fixtures_of_ours.py", text);
        let _refused = paths(&project, &python).arg("1").run().expect(3).says(said);
    };
    said("x = 1\n", "fixtures_of_ours declares no fixture");
    said(
        "import nothing_of_this_name\n",
        "No module named 'nothing_of_this_name'",
    );
    said("def broken(:\n", "SyntaxError");
    project.remove("fixtures_of_ours.py");
    let _gone = paths(&project, &python)
        .arg("1")
        .run()
        .expect(3)
        .says("No module named 'fixtures_of_ours'");
    let _nothing = project
        .lcmbench()
        .args(["paths", "--python"])
        .arg(&python)
        .run()
        .expect(3)
        .says("has no folder examples/fitting_workflows");
}

#[test]
fn a_python_that_is_not_there_or_too_old_is_refused() {
    let project = project();
    let _missing = paths(&project, std::path::Path::new("/no/python"))
        .arg("1")
        .run()
        .expect(3)
        .says("the Python `/no/python` was not found");
    project.write(
        "old",
        "#!/bin/sh\nprintf '{\"event\": \"refused\", \"message\": \"it is Python 3.6.15; lcmbench needs 3.9 or newer\"}\\n' >&\"$3\"\n",
    );
    let old = project.path("old");
    std::process::Command::new("chmod")
        .arg("+x")
        .arg(&old)
        .status()
        .unwrap();
    let _old = paths(&project, &old)
        .arg("1")
        .run()
        .expect(3)
        .says("it is Python 3.6.15; lcmbench needs 3.9 or newer");
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
