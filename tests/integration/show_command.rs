//! `lcmbench show` on result files made by hand.

use serde_json::Value;

use crate::stored::{ENVIRONMENT, StoredProject, check, plain, timed, timed_by_n};

fn two_commits() -> StoredProject {
    let stored = StoredProject::with_commits(3);
    stored.save(
        &stored.commits[0],
        &[
            timed_by_n("m.Suite.time_run", &[0.001, 0.002]),
            plain("m.Suite.peakmem_run", "24838144"),
            plain("m.time_plain", "null"),
        ],
    );
    stored.save_in(
        &stored.commits[0],
        "laptop",
        "conda-py3.10",
        &[timed("m.time_plain", 0.5)],
    );
    stored.save(&stored.commits[1], &[timed("m.time_plain", 0.5)]);
    stored
}

#[test]
fn without_a_commit_it_lists_what_was_measured() {
    let stored = two_commits();
    let output = stored.project.lcmbench().arg("show").run().expect(0);
    let [first, second] = [&stored.commits[0][..8], &stored.commits[1][..8]];
    let expected = format!(
        "Machine    : box\nEnvironment: {ENVIRONMENT}\n\n    {first}  2024-01-01 00:00:00 UTC  3 \
         benchmarks, 1 failed\n"
    );
    assert!(output.stdout.starts_with("Commits with results:\n\n"));
    let later = format!("    {second}  2024-01-01 00:00:00 UTC  1 benchmark\n");
    let laptop = "Machine    : laptop\nEnvironment: conda-py3.10\n";
    check(output, 0, &[&expected, &later, laptop]);
    let one = stored
        .project
        .lcmbench()
        .args(["show", "-m", "laptop"])
        .run()
        .expect(0);
    assert!(!one.stdout.contains("box"), "{}", one.stdout);
    let one = stored
        .project
        .lcmbench()
        .args(["show", "-E", "conda"])
        .run()
        .expect(0);
    assert!(!one.stdout.contains("box"), "{}", one.stdout);
}

#[test]
fn with_a_commit_it_shows_the_results_of_every_place() {
    let stored = two_commits();
    check(
        stored.project.lcmbench().args(["show", "HEAD~2"]).run(),
        0,
        &[
            &format!("Commit: {} <HEAD~2>\n", stored.commits[0]),
            &format!("m.Suite.peakmem_run [box/{ENVIRONMENT}]\n  24.8M\n"),
            "  | n |      result |\n  |---|------------:|\n  | 1 | 1.00±0.01ms |\n",
            "  failed\n  started: 2024-01-01 01:00:00 UTC, duration: 1.50s\n",
            "m.time_plain [laptop/conda-py3.10]\n  500±5ms\n",
        ],
    );
}

#[test]
fn details_durations_and_a_selection() {
    let stored = two_commits();
    let show = |arguments: &[&str]| {
        let command = stored
            .project
            .lcmbench()
            .args(["show", "HEAD~2", "-m", "box"]);
        command.args(arguments).run()
    };
    let selected = show(&["--bench", r"time_run\(2", "--details"]).expect(0);
    assert!(!selected.stdout.contains("peakmem"), "{}", selected.stdout);
    let heading = "| n |      result | repeat | number | ci_99            | samples |";
    let second = "| 2 | 2.00±0.02ms |     10 |      4 | (1.96ms, 2.04ms) |";
    check(selected, 0, &[heading, second]);
    check(
        show(&["--durations"]),
        0,
        &["    m.time_plain  1.50s\n", "    <build>  500ms\n"],
    );
    check(
        show(&["--bench", "nothing"]),
        3,
        &["no benchmark with results matches `nothing`"],
    );
    check(show(&["--bench", "("]), 3, &["is not closed"]);
}

#[test]
fn an_unknown_commit_says_so() {
    let stored = two_commits();
    check(
        stored.project.lcmbench().args(["show", "HEAD"]).run(),
        3,
        &["there are no results of HEAD", "measured commits are"],
    );
    check(
        stored.project.lcmbench().args(["show", "nonsense"]).run(),
        3,
        &["nonsense"],
    );
}

#[test]
fn json_has_all_details() {
    let stored = two_commits();
    let json = |arguments: &[&str]| -> Value {
        let command = stored.project.lcmbench().args(["show", "--format", "json"]);
        let output = command.args(arguments).run().expect(0);
        serde_json::from_str(&output.stdout).expect("strict JSON")
    };
    let commits = json(&[]);
    assert_eq!(commits["kind"], "commits");
    assert_eq!(commits["series"].as_array().unwrap().len(), 2);
    let results = json(&["HEAD~2", "-m", "box"]);
    assert_eq!(results["kind"], "results");
    let run = &results["results"][0]["benchmarks"][1];
    assert_eq!(run["benchmark"], "m.Suite.time_run");
    assert_eq!(run["current"], true);
    assert_eq!(run["results"][1]["details"]["ci_99"][1], 0.002_04);
    assert_eq!(run["results"][1]["details"]["samples"], Value::Null);
    let failed = &results["results"][0]["benchmarks"][2]["results"][0]["result"];
    assert_eq!(failed["kind"], "failed");
}
