//! `lcmbench changes` on histories made by hand.

use serde_json::Value;

use crate::common::command::Output;
use crate::stored::{ENVIRONMENT, StoredProject, check, plain, timed, timed_by_n};

/// The level with a fixed noise of half a per cent.
fn noisy(level: f64, index: usize) -> f64 {
    let phase = u32::try_from(index * index * 7 % 13).unwrap();
    level * (1.0 + 0.005 * (f64::from(phase) / 6.0 - 1.0))
}

/// Thirty commits, `m.Suite.time_run(2)` slower and `m.time_plain` faster from the fifteenth on; the
/// commits in between are not measured where `measured` says no.
fn history(measured: impl Fn(usize) -> bool) -> StoredProject {
    let stored = StoredProject::with_commits(30);
    for (index, commit) in stored.commits.iter().enumerate() {
        if !measured(index) {
            continue;
        }
        let late = index >= 15;
        let slower = if late { 0.13 } else { 0.10 };
        let faster = if late { 0.4 } else { 0.5 };
        stored.save(
            commit,
            &[
                timed_by_n(
                    "m.Suite.time_run",
                    &[noisy(0.1, index), noisy(slower, index)],
                ),
                timed("m.time_plain", noisy(faster, index)),
                plain("m.Suite.peakmem_run", "1000"),
            ],
        );
    }
    stored
}

fn changes(stored: &StoredProject, arguments: &[&str]) -> Output {
    stored
        .project
        .lcmbench()
        .arg("changes")
        .args(arguments)
        .run()
}

fn document(stored: &StoredProject, arguments: &[&str]) -> Value {
    let arguments = [&["--format", "json"], arguments].concat();
    let output = changes(stored, &arguments).expect(0);
    serde_json::from_str(&output.stdout).unwrap()
}

#[test]
fn lasting_changes_are_named_with_their_commit() {
    let stored = history(|_| true);
    let commit = &stored.commits[15][..8];
    check(
        changes(&stored, &[]),
        0,
        &[
            "| 2024-01-01 | slower  |",
            "| 100 ms | 130 ms |  1.30 | m.Suite.time_run(2)",
            &format!("{commit} Commit 15"),
            "1 lasting change for the worse",
        ],
    );
    let all = document(&stored, &[]);
    assert_eq!(all["kind"], "changes");
    assert_eq!((&all["commits"], &all["series"]), (&30.into(), &4.into()));
    let found: Vec<&str> = all["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| change["benchmark"].as_str().unwrap())
        .collect();
    assert_eq!(found, ["m.Suite.time_run", "m.time_plain"]);
    let slower = &all["changes"][0];
    assert_eq!(slower["verdict"], "slower");
    assert_eq!(slower["params"], serde_json::json!(["2"]));
    assert_eq!(slower["count"], 1);
    for key in ["first", "last", "likely"] {
        assert_eq!(slower[key]["commit"], stored.commits[15].as_str(), "{key}");
    }
    assert_eq!(all["changes"][1]["verdict"], "faster");
}

#[test]
fn where_commits_were_not_measured_a_range_is_named() {
    let stored = history(|index| index % 3 != 0);
    let all = document(&stored, &["--bench", "time_run"]);
    let slower = &all["changes"][0];
    assert_eq!(slower["likely"]["commit"], stored.commits[16].as_str());
    assert_eq!(slower["first"]["commit"], stored.commits[15].as_str());
    assert_eq!(slower["last"]["commit"], stored.commits[16].as_str());
    assert_eq!(slower["count"], 2);
    let range = format!(
        "{}..{} (2 commits)",
        &stored.commits[15][..8],
        &stored.commits[16][..8]
    );
    check(
        changes(&stored, &["--format", "markdown"]),
        0,
        &["| Date | Verdict |"],
    );
    check(changes(&stored, &[]), 0, &[&range]);
}

#[test]
fn a_selection_by_name_time_and_branch() {
    let stored = history(|_| true);
    let count = |arguments: &[&str]| {
        let document = document(&stored, arguments);
        document["changes"].as_array().unwrap().len()
    };
    assert_eq!(count(&["--bench", "plain"]), 1);
    assert_eq!(count(&["--bench", r"time_run\(1\)"]), 0);
    assert_eq!(
        count(&["--since", "2024-01-01", "--until", "2024-01-01"]),
        2
    );
    assert_eq!(count(&["--since", "2024-01-02"]), 0);
    assert_eq!(count(&["--until", "2023-12-31"]), 0);
    // Before the change there is none.
    assert_eq!(count(&["--branch", "main~15"]), 0);
    assert_eq!(count(&["--environment", "existing"]), 2);
    check(
        changes(&stored, &["--branch", "nowhere"]),
        3,
        &["git knows no revision `nowhere`", "--branch"],
    );
    check(
        changes(&stored, &["--since", "soon"]),
        3,
        &["a day such as"],
    );
    check(changes(&stored, &["--bench", "(("]), 3, &["--bench"]);
    check(
        changes(&stored, &["-m", "mars"]),
        3,
        &["no results of the machine `mars`"],
    );
}

#[test]
fn the_exit_code_follows_fail_on() {
    let stored = history(|_| true);
    check(
        changes(&stored, &["--fail-on", "slower"]),
        1,
        &["--fail-on: 1 slower"],
    );
    check(
        changes(&stored, &["--fail-on", "slower,faster"]),
        1,
        &["--fail-on: 1 slower, 1 faster"],
    );
    check(
        changes(&stored, &["--fail-on", "slower", "--bench", "plain"]),
        0,
        &["1 lasting change for the better"],
    );
}

#[test]
fn a_new_driver_is_a_border() {
    let stored = history(|_| true);
    for (index, commit) in stored.commits.iter().enumerate() {
        let name = format!("results/box/{}-{ENVIRONMENT}.json", &commit[..8]);
        let driver = if index < 15 { "550" } else { "560" };
        let facts = format!(
            r#""durations": {{}}, "lcmbench": {{"format": 1, "environment": {{"driver": "{driver}"}}}}"#
        );
        let text = stored.project.read(&name);
        let text = text.replace(r#""durations": {"<build>": 0.5}"#, &facts);
        stored.project.write(&name, &text);
    }
    check(
        changes(&stored, &["--fail-on", "slower"]),
        0,
        &[
            "No lasting change in 4 series",
            "Nothing is compared across these:",
            "driver was 550 and is 560 from",
        ],
    );
}

#[test]
fn the_configuration_renames_and_retires() {
    let stored = history(|_| true);
    stored.project.write(
        "lcmbench.toml",
        "retired = \"m.time_plain\"\n[[better]]\nmatch = \"m.Suite.time_run\"\ndirection = \"higher\"\n",
    );
    check(
        changes(&stored, &[]),
        0,
        &["1 lasting change for the better in 3 series"],
    );
    stored
        .project
        .write("lcmbench.toml", "[renamed]\n\"m.a\" = \"time_b\"\n");
    check(
        changes(&stored, &[]),
        3,
        &["lcmbench.toml, line 2", "`renamed`"],
    );
    stored
        .project
        .write("lcmbench.toml", "[normalise]\nversion = false\n");
    check(changes(&stored, &[]), 3, &["did you mean `versions`?"]);
}

#[test]
fn results_of_other_commits_are_counted_and_nothing_is_no_error() {
    let stored = StoredProject::with_commits(2);
    stored.save(&"ab".repeat(20), &[timed("m.time_plain", 0.5)]);
    check(
        changes(&stored, &[]),
        0,
        &[
            "No lasting change in 0 series of 0 commits on main: 0 values.",
            "1 result file is of commits that are not on this branch.",
        ],
    );
    let empty = StoredProject::with_commits(1);
    check(changes(&empty, &[]), 3, &["there are no results in"]);
}
