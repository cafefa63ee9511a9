//! `lcmbench compare` on result files made by hand.

mod choosing;

use std::os::unix::fs::PermissionsExt as _;

use fs_err as fs;
use serde_json::Value;

use crate::common::{Project, python3};
use crate::stored::{ENVIRONMENT, StoredProject, check, plain, result_file, timed, timed_by_n};

/// Two measured commits: the second slower in one row, faster in another, broken in a third.
fn two_commits() -> StoredProject {
    let stored = StoredProject::with_commits(2);
    let [base, head] = [&stored.commits[0], &stored.commits[1]];
    stored.save(
        base,
        &[
            timed_by_n("m.Suite.time_run", &[0.001, 0.002]),
            plain("m.Suite.peakmem_run", "24838144"),
            timed("m.time_plain", 0.5),
            timed("m.time_gone", 0.5),
        ],
    );
    stored.save(
        head,
        &[
            timed_by_n("m.Suite.time_run", &[0.0015, 0.001]),
            plain("m.Suite.peakmem_run", "24838144"),
            plain("m.time_plain", "null"),
        ],
    );
    stored
}

/// The cells of the table's lines, without heading and ruler.
fn cells(stdout: &str) -> Vec<Vec<&str>> {
    stdout
        .lines()
        .filter(|line| line.starts_with("| ") && !line.contains("| Verdict"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect()
}

fn json(project: &Project, arguments: &[&str]) -> Value {
    let output = project
        .lcmbench()
        .args(["compare", "--format", "json"])
        .args(arguments)
        .run()
        .expect(0);
    serde_json::from_str(&output.stdout).expect("strict JSON")
}

#[test]
fn the_table_shows_every_row_with_its_verdict_and_gates_nothing() {
    let stored = two_commits();
    let output = stored
        .project
        .lcmbench()
        .args(["compare", "HEAD~1", "HEAD"])
        .run()
        .expect(0);
    let heading = format!(
        "| Change | Before [{}] <HEAD~1> | After [{}] <HEAD> | Ratio |",
        &stored.commits[0][..8],
        &stored.commits[1][..8]
    );
    let table = output.stdout.clone();
    let found = table.lines().find(|line| line.starts_with("| Change"));
    assert_eq!(
        found.map(|line| &line[..heading.len()]),
        Some(heading.as_str())
    );
    let rows = cells(&table);
    let shown: Vec<[&str; 5]> = rows
        .iter()
        .map(|row| [row[0], row[1], row[2], row[3], row[5]])
        .collect();
    assert_eq!(
        shown,
        [
            ["", "24.8M", "24.8M", "1.00", "m.Suite.peakmem_run"],
            [
                "+",
                "1.00±0.01ms",
                "1.50±0.02ms",
                "1.50",
                "m.Suite.time_run(1)"
            ],
            [
                "-",
                "2.00±0.02ms",
                "1.00±0.01ms",
                "0.50",
                "m.Suite.time_run(2)"
            ],
            ["!", "500±5ms", "failed", "n/a", "m.time_plain"],
        ]
    );
    let verdicts: Vec<&str> = rows.iter().map(|row| row[4]).collect();
    assert!(
        verdicts[1].starts_with("slower") && verdicts[1].contains("alert"),
        "{verdicts:?}"
    );
    assert!(verdicts[2].starts_with("faster"), "{verdicts:?}");
    assert_eq!(verdicts[3], "failed");
    let summary = "1 of 4 results got slower: m.Suite.time_run(1) (1.50)";
    let absent = "With a result before alone, gone from the suite: m.time_gone.";
    check(output, 0, &[summary, absent]);
}

#[test]
fn only_fail_on_makes_it_fail() {
    let stored = two_commits();
    for (words, code, says) in [
        ("slower", 1, "--fail-on: 1 slower"),
        ("alert,failed", 1, "--fail-on: 1 alert, 1 failed"),
        ("gone", 1, "--fail-on: 1 gone"),
        ("inconclusive,not-comparable", 0, ""),
        ("slow", 3, "invalid value"),
    ] {
        check(
            stored
                .project
                .lcmbench()
                .args(["compare", "HEAD~1", "HEAD", "--fail-on", words])
                .run(),
            code,
            &[says],
        );
    }
}

#[test]
fn markdown_begins_with_the_markers_and_json_is_strict() {
    let stored = two_commits();
    let output = stored
        .project
        .lcmbench()
        .args(["compare", "HEAD~1", "HEAD", "--format", "markdown"])
        .run()
        .expect(0);
    let start = format!(
        "<!-- benchmark-check -->\n<!-- head-sha:{} -->\n",
        &stored.commits[1][..8]
    );
    assert!(output.stdout.starts_with(&start), "{}", output.stdout);
    let heading = "| Benchmark | Statistic | before | after | Ratio | Alert |";
    let slower = "| m.Suite (n=1) | run time | 1.00 ms | 1.50 ms | **1.50** | ⚠️ |";
    let gone = "**Gone from the suite (1):** m.time_gone";
    check(output, 0, &[heading, slower, gone]);
    stored.save(
        &stored.commits[1],
        &[
            plain("m.time_plain", "Infinity"),
            plain("m.Suite.peakmem_run", "NaN"),
        ],
    );
    let document = json(&stored.project, &["HEAD~1", "HEAD"]);
    let kinds: Vec<&str> = document["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["head"]["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["skipped", "not-finite"]);
}

#[test]
fn sorting_hiding_and_splitting() {
    let stored = two_commits();
    let shown = |arguments: &[&str]| {
        let output = stored
            .project
            .lcmbench()
            .args(["compare", "HEAD~1", "HEAD"])
            .args(arguments)
            .run()
            .expect(0);
        output.stdout
    };
    let ratios = |stdout: &str| -> Vec<String> {
        cells(stdout).iter().map(|row| row[3].to_owned()).collect()
    };
    assert_eq!(
        ratios(&shown(&["--sort", "ratio"])),
        ["1.50", "1.00", "0.50", "n/a"]
    );
    let changed = shown(&["--only-changed"]);
    assert_eq!(ratios(&changed), ["1.50", "0.50", "n/a"]);
    assert!(
        changed.contains("Hidden by --only-changed: 1 "),
        "{changed}"
    );
    assert_eq!(
        ratios(&shown(&["--only-changed", "--no-only-changed"])).len(),
        4
    );
    let split = shown(&["--split"]);
    assert!(
        split.starts_with("Benchmarks that have improved:\n\n| Change"),
        "{split}"
    );
    assert_eq!(ratios(&split).len(), 4);
    assert!(ratios(&shown(&["--factor", "3"])).contains(&"0.50".to_owned()));
    assert_eq!(cells(&shown(&["--factor", "3"]))[1][0], "");
}

#[test]
fn one_bad_file_is_named_and_passed_over() {
    let stored = two_commits();
    let head = &stored.commits[1][..8];
    let project = &stored.project;
    project.write(
        format!("results/box/{head}-compare.json"),
        r#"{"comparison": "table"}"#,
    );
    project.write(format!("results/box/{head}-broken.json"), "{");
    check(
        project.lcmbench().args(["compare", "HEAD~1", "HEAD"]).run(),
        0,
        &[
            &format!("{head}-broken.json"),
            &format!("{head}-compare.json"),
            "1 of 4 results got slower",
        ],
    );
}

#[test]
fn ten_earlier_points_make_a_verdict_firm() {
    let stored = StoredProject::with_commits(16);
    let noise = [
        0.0, 0.4, -0.3, 0.2, -0.5, 0.1, 0.3, -0.2, 0.5, -0.4, 0.2, -0.1, 0.0, 0.3,
    ];
    for (commit, percent) in stored.commits.iter().zip(noise) {
        stored.save(
            commit,
            &[timed("m.time_plain", 0.5 * (1.0 + percent / 100.0))],
        );
    }
    stored.save(&stored.commits[14], &[timed("m.time_plain", 0.5)]);
    stored.save(&stored.commits[15], &[timed("m.time_plain", 0.535)]);
    let document = json(&stored.project, &["HEAD~1", "HEAD"]);
    let row = &document["rows"][0];
    assert_eq!(row["verdict"], "slower", "{row}");
    assert_eq!(row["confidence"]["strength"], "firm");
    assert!(
        row["confidence"]["history"].as_u64().unwrap() >= 10,
        "{row}"
    );
    assert_eq!(row["alert"], Value::Null, "7 % is below the limit");
    let sentence = document["sentence"].as_str().unwrap();
    assert!(
        sentence.contains("could have seen ") && !sentence.contains("weak"),
        "{sentence}"
    );
}

#[test]
fn no_python_is_started_and_the_results_stay_as_they_are() {
    let stored = two_commits();
    let project = &stored.project;
    let marker = project.path("marker");
    let before = listing(project);
    for name in ["python", "python3", "nvidia-smi", "git"] {
        let program = format!("bin/{name}");
        project.write(
            &program,
            &format!("#!/bin/sh\necho {name} >> '{}'\n", marker.display()),
        );
        let path = project.path(&program);
        fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    for arguments in [
        &["compare", "HEAD~1", "HEAD"][..],
        &["show"],
        &["show", "HEAD"],
    ] {
        check(
            project
                .lcmbench()
                .args(arguments)
                .env("PATH", project.path("bin"))
                .run(),
            0,
            &[],
        );
    }
    assert!(!marker.exists(), "{}", project.read("marker"));
    assert_eq!(listing(project), before);
}

/// Every file below `results` with its bytes.
fn listing(project: &Project) -> Vec<(String, Vec<u8>)> {
    let mut folders = vec![project.path("results")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let bytes = fs::read(&path).unwrap();
                files.push((path.display().to_string(), bytes));
            }
        }
    }
    files.sort();
    files
}

#[test]
fn what_head_did_not_run_is_named_in_its_group() {
    let Some(python) = python3() else { return };
    let project = Project::new();
    let suite = |functions: &[&str]| {
        let text: Vec<String> = functions
            .iter()
            .map(|name| format!("def track_{name}():\n    return 1\n"))
            .collect();
        project.write("benchmarks/__init__.py", "");
        project.write("benchmarks/bench.py", &text.join("\n"));
    };
    project.write(".gitignore", "results\n__pycache__\n");
    suite(&["kept", "log", "old"]);
    project.commit("One");
    check(project.run_with(&python, []), 0, &[]);
    suite(&["kept", "log"]);
    project.commit("Two");
    check(project.run_with(&python, ["--bench", "^(?!.*log)"]), 0, &[]);
    // A `--bench` of somebody's is no rule for pull requests.
    for (rule, absence) in [
        ("", "not-run"),
        ("[pr]\nbench = \"^(?!.*log)\"\n", "not-selected"),
    ] {
        project.write("lcmbench.toml", rule);
        let document = json(&project, &["HEAD~1", "HEAD"]);
        assert_eq!(document["rows"].as_array().unwrap().len(), 1);
        assert_eq!(
            document["absent"],
            serde_json::json!([
                {"benchmark": "bench.track_log", "absence": absence},
                {"benchmark": "bench.track_old", "absence": "gone"},
            ])
        );
    }
}
