//! A measurement without a token, and the report of what it handed over.

use fs_err as fs;
use serde_json::{Value, json};

use super::fake::REPOSITORY;
use super::measured::{Measured, SETTINGS, SUITE};
use super::workshop::Workshop;
use crate::common::command::{Lcmbench, Output};
use crate::stored::check;

const FORK: &str = "stranger/project";

/// The fork's pull request 7, measured on a runner of GitHub's without a token.
fn measured_for_a_fork() -> Option<Measured> {
    let measured = Measured::new()?;
    measured.workshop.fake.state().pulls[0].head_repository = Some(FORK.to_owned());
    let output = hand_over(&measured).run();
    check(output, 0, &["handed over in"]);
    Some(measured)
}

fn hand_over(measured: &Measured) -> Lcmbench {
    let event = Workshop::event(&measured.workshop.head(), FORK);
    measured
        .pr_in("pull_request", &event, ["--handoff", "handoff.out"])
        .env("GITHUB_TOKEN", "")
        .env("RUNNER_ENVIRONMENT", "github-hosted")
}

/// The event of the run that has ended; it names no pull request, as for every fork.
fn run_of(head: &str) -> Value {
    json!({"workflow_run": {"head_sha": head, "head_branch": "topic", "event": "pull_request",
        "head_repository": {"full_name": FORK}, "pull_requests": []}})
}

fn report<const N: usize>(measured: &Measured, more: [&str; N]) -> Output {
    let workshop = &measured.workshop;
    let event = run_of(&workshop.head());
    let arguments = ["report", "--handoff", "handoff.out"];
    workshop
        .in_actions("workflow_run", &event, arguments)
        .env(
            "GITHUB_OUTPUT",
            workshop.stored.project.home().join("outputs"),
        )
        .args(more)
        .run()
}

fn document(measured: &Measured) -> Value {
    let text = measured.workshop.stored.project.read("handoff.out");
    serde_json::from_str(&text).unwrap()
}

fn put(measured: &Measured, document: &Value) {
    let project = &measured.workshop.stored.project;
    project.write("handoff.out", &document.to_string());
}

#[test]
fn nothing_is_asked_while_measuring_and_the_report_finds_the_pull_request() {
    let Some(measured) = measured_for_a_fork() else {
        return;
    };
    let workshop = &measured.workshop;
    assert!(workshop.fake.state().requests.is_empty());
    assert!(workshop.summary().contains("1.20"));
    check(report(&measured, []), 0, &["comment posted"]);
    let bodies = workshop.bodies();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
    assert!(bodies[0].contains("counts=slower:1"), "{}", bodies[0]);
    assert!(bodies[0].contains("claims of that code"), "{}", bodies[0]);
    let statuses = measured.statuses();
    let [(state, description)] = &statuses[..] else {
        panic!("{statuses:?}");
    };
    assert_eq!(state, "success");
    assert!(description.starts_with("1 slower, 2 same"), "{description}");
    let outputs = workshop.stored.project.home().join("outputs");
    let outputs = fs::read_to_string(outputs).unwrap();
    assert!(
        outputs.contains("verdict=slower\nslower=1\nfaster=0\n"),
        "{outputs}"
    );
    assert!(outputs.contains("comment-url=http"), "{outputs}");
    // The comment of a workflow counts for the check.
    let output = workshop.in_pull_request(["check"]).run();
    check(output, 0, &["passes: the comment is for this commit"]);
}

#[test]
fn fail_on_is_decided_where_it_is_reported() {
    let Some(measured) = measured_for_a_fork() else {
        return;
    };
    let output = report(&measured, ["--fail-on", "slower"]);
    check(output, 1, &["--fail-on: 1 slower"]);
    assert_eq!(measured.statuses()[0].0, "failure");
}

#[test]
fn a_document_about_another_commit_is_refused() {
    let Some(measured) = measured_for_a_fork() else {
        return;
    };
    let text = measured.workshop.stored.project.read("handoff.out");
    let other = "f".repeat(40);
    let forged = text.replace(&measured.workshop.head(), &other);
    measured
        .workshop
        .stored
        .project
        .write("handoff.out", &forged);
    let output = report(&measured, []);
    check(
        output,
        3,
        &["handoff.out is refused", "about another commit"],
    );
    assert!(measured.workshop.bodies().is_empty());
    let statuses = measured.statuses();
    assert_eq!(statuses[0].0, "error");
    assert_eq!(
        statuses[0].1,
        "what the measuring job handed over was refused"
    );
}

#[test]
fn hostile_documents_are_refused_or_harmless() {
    let Some(measured) = measured_for_a_fork() else {
        return;
    };
    let good = document(&measured);
    let refused: [(&str, Value); 6] = [
        ("/outcome/comparison/rows/0/head/value", json!(1e300)),
        ("/outcome/comparison/rows/0/ratio", json!(0.5)),
        ("/outcome/comparison/rows/0/verdict", json!("::error::x")),
        ("/outcome/comparison/rows/0/unit", json!("x".repeat(70_000))),
        ("/outcome/started", json!("2999-01-01T00:00:00Z")),
        ("/schema", json!("other")),
    ];
    for (pointer, wrong) in refused {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap() = wrong;
        put(&measured, &bad);
        let output = report(&measured, []);
        assert!(!output.stderr.contains("::error::"), "{}", output.stderr);
        check(output, 3, &["handoff.out is refused"]);
    }
    let mut extra = good.clone();
    extra["outcome"]["markdown"] = json!("# Approved by @everyone");
    put(&measured, &extra);
    check(report(&measured, []), 3, &["handoff.out is refused"]);
    assert!(measured.workshop.bodies().is_empty());
    // Texts that are as long as they may be, with everything that could break out.
    let mut nasty = good;
    let text = "-->\n<!-- benchmark-check -->\n@everyone **x** `y` | ::error::z \u{202e}";
    for pointer in [
        "/outcome/comparison/rows/0/reason",
        "/outcome/comparison/remarks",
        "/outcome/comparison/head/machine",
    ] {
        let value = nasty.pointer_mut(pointer).unwrap();
        *value = if value.is_array() {
            json!([text])
        } else {
            json!(text)
        };
    }
    put(&measured, &nasty);
    let output = report(&measured, []);
    for line in output.stdout.lines().chain(output.stderr.lines()) {
        assert!(!line.trim_start().starts_with("::error"), "{line}");
    }
    check(output, 0, &["comment posted"]);
    let body = measured.workshop.bodies().remove(0);
    assert_eq!(
        body.matches("<!-- benchmark-check -->").count(),
        1,
        "{body}"
    );
    assert!(
        !body.contains("@everyone") && !body.contains("**x**"),
        "{body}"
    );
}

#[test]
fn a_head_that_moved_is_no_failure_and_nothing_is_written() {
    let Some(measured) = measured_for_a_fork() else {
        return;
    };
    measured.workshop.fake.state().pulls[0].head_sha = "e".repeat(40);
    let output = report(&measured, []);
    check(output, 0, &["nothing is reported"]);
    assert!(measured.workshop.bodies().is_empty());
    assert!(measured.statuses().is_empty());
    // The same when the number is known.
    let number = ["--pr", "7"];
    check(report(&measured, number), 0, &["by now"]);
}

#[test]
fn a_number_in_reach_of_the_fork_does_not_count() {
    let Some(measured) = measured_for_a_fork() else {
        return;
    };
    // Another pull request of somebody else with the same name of the branch.
    let mut other = measured.workshop.pull(8);
    other.head_sha = "d".repeat(40);
    other.head_repository = Some("victim/project".to_owned());
    measured.workshop.fake.state().pulls.push(other);
    check(report(&measured, []), 0, &["comment posted"]);
    let state = measured.workshop.fake.state();
    assert!(state.comments.iter().all(|comment| comment.pull == 7));
}

#[test]
fn no_file_is_an_error_of_the_measurement_and_none_of_the_report() {
    let Some(measured) = measured_for_a_fork() else {
        return;
    };
    measured.workshop.stored.project.remove("handoff.out");
    let output = report(&measured, []);
    check(output, 0, &["left no file"]);
    let statuses = measured.statuses();
    assert_eq!(
        statuses,
        [(
            "error".to_owned(),
            "the measuring job has left no results".to_owned()
        )]
    );
}

#[test]
fn what_needs_no_benchmark_is_handed_over_and_looked_at_again() {
    let settings = format!("{SETTINGS}not-needed = [\"docs/**\", \"*.md\"]\n");
    let Some(measured) = Measured::with_suite(SUITE, &settings) else {
        return;
    };
    let workshop = &measured.workshop;
    measured.merge();
    let head = measured.describe();
    {
        let mut state = workshop.fake.state();
        state.pulls[0].head_repository = Some(FORK.to_owned());
        state.changed_files = vec!["docs/a.txt".to_owned(), "README.md".to_owned()];
    }
    let event = Workshop::event(&head, FORK);
    let output = measured
        .pr_in("pull_request", &event, ["--handoff", "handoff.out"])
        .env("RUNNER_ENVIRONMENT", "github-hosted")
        .run();
    check(
        output,
        0,
        &["not needed: none of the 2 changed files", "handed over in"],
    );
    assert_eq!(
        document(&measured)["outcome"],
        json!({"kind": "not-needed"})
    );
    assert!(workshop.summary().contains("Not needed: none of the 2"));
    // The job that reports has checked out nothing, so the list is its own argument.
    let elsewhere = workshop.stored.project.home();
    let file = workshop.stored.project.path("handoff.out");
    let report = |list: &str| {
        let list = (!list.is_empty()).then(|| format!("--not-needed={list}"));
        workshop
            .in_actions("workflow_run", &run_of(&head), ["report", "--handoff"])
            .arg(&file)
            .args(list)
            .current_dir(&elsewhere)
            .run()
    };
    let status = || {
        let status = measured.statuses_of(&head).pop().unwrap();
        (status.state, status.description)
    };
    for (list, said) in [
        ("", "knows no list"),
        ("docs/**", "the list of this job does not say so"),
    ] {
        check(report(list), 3, &[said, "--not-needed \"docs/**,*.md\""]);
        assert_eq!(status().0, "error");
        assert!(workshop.bodies().is_empty());
    }
    check(
        report("docs/**,*.md"),
        0,
        &["not needed: none of the 2 changed files", "comment posted"],
    );
    let body = workshop.bodies().remove(0);
    assert!(body.contains("counts=not-needed:1"), "{body}");
    let (state, description) = status();
    assert_eq!(state, "success");
    assert!(description.starts_with("not needed: "), "{description}");
    // Whatever the file says, other files need a benchmark.
    let changed = vec!["docs/a.txt".to_owned(), "code.py".to_owned()];
    workshop.fake.state().changed_files = changed;
    check(report("docs/**,*.md"), 3, &["does not say so"]);
    assert_eq!(status().0, "error");
}

#[test]
fn a_suite_that_cannot_be_measured_is_handed_over_as_such() {
    let Some(measured) = Measured::new() else {
        return;
    };
    measured.workshop.fake.state().pulls[0].head_repository = Some(FORK.to_owned());
    let output = hand_over(&measured).args(["--bench", "no_such"]).run();
    check(output, 3, &["handed over in"]);
    check(report(&measured, []), 0, &["could not be measured"]);
    let statuses = measured.statuses();
    assert_eq!(statuses[0].0, "error");
    assert!(measured.workshop.bodies().is_empty());
}

#[test]
fn what_an_earlier_measurement_handed_over_is_no_change_of_the_worktree() {
    let Some(measured) = Measured::new() else {
        return;
    };
    // Unlike the files of the other tests, git does not ignore this one.
    let event = Workshop::event(&measured.workshop.head(), FORK);
    let hand_over = || {
        measured
            .pr_in("pull_request", &event, ["--handoff", "handoff.json"])
            .env("GITHUB_TOKEN", "")
            .env("RUNNER_ENVIRONMENT", "github-hosted")
    };
    check(hand_over().run(), 0, &["handed over in"]);
    check(hand_over().run(), 0, &["handed over in"]);
    // A file of somebody else's is a change like any other.
    let project = &measured.workshop.stored.project;
    project.write("handoff.json", "{}");
    check(
        hand_over().run(),
        3,
        &["handoff.json", "differs from its commit"],
    );
}

#[test]
fn a_forks_code_does_not_run_on_a_runner_of_ones_own_unless_it_is_said() {
    let Some(measured) = Measured::new() else {
        return;
    };
    let event = Workshop::event(&measured.workshop.head(), FORK);
    let pr = |runner: &str| {
        measured
            .pr_in("pull_request", &event, ["--handoff", "handoff.out"])
            .env("RUNNER_ENVIRONMENT", runner)
    };
    for runner in ["self-hosted", ""] {
        let output = pr(runner).run();
        check(
            output,
            3,
            &[
                "would run code of their own",
                "--allow-fork-code-on-self-hosted-runner",
            ],
        );
    }
    // Every command that would run code of the checkout.
    for command in [
        &["run"][..],
        &["quick"],
        &["list"],
        &["continuous"],
        &["selftest", "aa"],
        &["profile", "anything"],
        &["paths"],
        &["pair", "--list"],
    ] {
        let output = measured
            .workshop
            .in_actions("pull_request", &event, [])
            .args(command)
            .env("RUNNER_ENVIRONMENT", "self-hosted")
            .env("LCMBENCH_PYTHON", &measured.python)
            .run();
        check(output, 3, &["would run code of their own"]);
    }
    let output = pr("self-hosted")
        .arg("--allow-fork-code-on-self-hosted-runner")
        .run();
    check(output, 0, &["handed over in"]);
    // A branch of this repository is its own people's code.
    let own = Workshop::event(&measured.workshop.head(), REPOSITORY);
    let output = measured
        .pr_in("pull_request", &own, ["--handoff", "handoff.out"])
        .env("RUNNER_ENVIRONMENT", "self-hosted")
        .run();
    check(output, 0, &["handed over in"]);
}

#[test]
fn credentials_in_the_checkout_are_warned_of() {
    let Some(measured) = Measured::new() else {
        return;
    };
    measured.workshop.stored.project.git([
        "config",
        "http.https://github.com/.extraheader",
        "AUTHORIZATION: basic c2VjcmV0",
    ]);
    let output = hand_over(&measured).run();
    assert!(!output.stderr.contains("c2VjcmV0"));
    check(
        output,
        0,
        &[
            ".git/config holds a credential",
            "`persist-credentials: false`",
        ],
    );
}

/// Looks for everything that gives access, and writes where later steps would read.
const NOSY: &str = r#"
import os


def track_slow():
    found = sorted(
        name
        for name in os.environ
        if "TOKEN" in name or name.startswith("ACTIONS_") or name == "SSH_AUTH_SOCK"
    )
    for name in ("ENV", "PATH", "OUTPUT", "STATE", "STEP_SUMMARY"):
        path = os.environ.get("GITHUB_" + name)
        if path:
            found.append("GITHUB_" + name)
            open(path, "a").write("EVIL=1\n")
    return len(found)


track_slow.unit = "iterations"
"#;

#[test]
fn a_suite_that_looks_and_writes_finds_nothing() {
    let Some(measured) = Measured::with_suite(NOSY, "machine = \"box\"\n") else {
        return;
    };
    let home = measured.workshop.stored.project.home();
    let mut command = measured.pr([]);
    for name in ["ENV", "PATH", "OUTPUT", "STATE"] {
        let path = home.join(format!("of-{name}"));
        fs::write(&path, "").unwrap();
        command = command.env(&format!("GITHUB_{name}"), path);
    }
    for name in [
        "GH_TOKEN",
        "LCMBENCH_TOKEN",
        "ACTIONS_RUNTIME_TOKEN",
        "ACTIONS_RUNTIME_URL",
        "ACTIONS_ANYTHING",
        "SSH_AUTH_SOCK",
    ] {
        command = command.env(name, super::fake::ACTIONS_TOKEN);
    }
    let output = command.run();
    for name in ["ENV", "PATH", "STATE"] {
        assert_eq!(
            fs::read_to_string(home.join(format!("of-{name}"))).unwrap(),
            ""
        );
    }
    assert!(!measured.workshop.summary().contains("EVIL"));
    check(output, 0, &["so the benchmarks do not get them"]);
    assert_eq!(measured.workshop.bodies().len(), 1);
    let bodies = measured.workshop.bodies().remove(0);
    assert!(bodies.contains("| 0"), "{bodies}");
}
