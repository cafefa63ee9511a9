//! Measure, comment, status: what `lcmbench pr` tells GitHub, and how it ends.

use serde_json::json;

use super::answers::Answer;
use super::fake::{REPOSITORY, What};
use super::measured::{Measured, SETTINGS, SUITE};
use super::workshop::Workshop;
use crate::stored::check;

#[test]
fn it_measures_comments_and_finishes_the_status() {
    let Some(measured) = Measured::new() else {
        return;
    };
    let output = measured.pr([]).run().expect(0);
    let bodies = measured.workshop.bodies();
    assert_eq!(bodies.len(), 1, "{}", output.stderr);
    assert!(bodies[0].contains("counts=slower:1"), "{}", bodies[0]);
    assert!(bodies[0].contains(&format!("base={}", measured.workshop.stored.commits[2])));
    // `pr.bench` leaves one out, and that is said.
    assert!(bodies[0].contains("main\\_only") || bodies[0].contains("main_only"));
    let statuses = measured.statuses();
    assert_eq!(statuses.len(), 2, "{statuses:?}");
    assert_eq!(statuses[0].0, "pending");
    assert!(
        statuses[0].1.starts_with("measuring 3 benchmarks since "),
        "{statuses:?}"
    );
    assert_eq!(
        statuses[1].0, "success",
        "a regression is red only on request"
    );
    assert!(
        statuses[1].1.starts_with("1 slower, 2 same"),
        "{statuses:?}"
    );
    let all = measured.statuses_of(&measured.workshop.head());
    assert!(
        all[0]
            .target_url
            .as_deref()
            .unwrap()
            .ends_with("/actions/runs/50")
    );
    assert!(
        all[1]
            .target_url
            .as_deref()
            .unwrap()
            .contains("#issuecomment-")
    );
    assert!(measured.workshop.summary().contains("1.20"));
    // The check agrees.
    let output = measured
        .workshop
        .in_pull_request(["check", "--status"])
        .run();
    check(output, 0, &["passes: the comment is for this commit"]);
}

#[test]
fn pairs_of_base_and_head_are_measured_where_that_is_asked_for() {
    let Some(measured) = Measured::new() else {
        return;
    };
    let output = measured.pr(["--paired"]).run().expect(0);
    let bodies = measured.workshop.bodies();
    assert_eq!(bodies.len(), 1, "{}", output.stderr);
    // HEAD's suite ran on both sides, so that its counts are equal.
    assert!(bodies[0].contains("counts=same:3"), "{}", bodies[0]);
    assert!(
        bodies[0].contains("both were measured alternately in one sitting"),
        "{}",
        bodies[0]
    );
    let base = &measured.workshop.stored.commits[2];
    assert!(bodies[0].contains(&format!("base={base}")), "{}", bodies[0]);
    let statuses = measured.statuses();
    assert_eq!(statuses.len(), 2, "{statuses:?}");
    assert_eq!(
        (statuses[0].0.as_str(), statuses[1].0.as_str()),
        ("pending", "success")
    );
    assert!(statuses[1].1.starts_with("3 same"), "{statuses:?}");
    // What the configuration says can be overruled.
    let project = &measured.workshop.stored.project;
    assert!(project.path(".lcmbench/continuous").is_dir());
}

#[test]
fn fail_on_is_red_and_has_its_exit_code() {
    let Some(measured) = Measured::new() else {
        return;
    };
    let output = measured.pr(["--fail-on", "slower"]).run();
    check(output, 1, &["--fail-on: 1 slower"]);
    let statuses = measured.statuses();
    assert_eq!(
        statuses[1],
        ("failure".to_owned(), "1 slower of 3".to_owned())
    );
    assert_eq!(measured.workshop.bodies().len(), 1);
}

#[test]
fn a_missing_permission_fails_the_report_and_not_the_measurement() {
    let Some(measured) = Measured::new() else {
        return;
    };
    measured.workshop.fake.state().withheld = vec!["pull-requests: write"];
    let output = measured.pr([]).run();
    check(
        output,
        4,
        &[
            "pull-requests: write",
            "the results are saved; repeat with `lcmbench pr-comment --pr 7`",
        ],
    );
    // The status is that of the measurement all the same.
    assert_eq!(measured.statuses()[1].0, "success");
    let output = measured.pr(["--report-errors", "warn", "-k"]).run();
    check(output, 0, &["warning: ", "pull-requests: write"]);
    // A verdict that gates goes before.
    let output = measured.pr(["--fail-on", "slower", "-k"]).run();
    check(output, 1, &["pull-requests: write"]);
    measured.workshop.fake.state().withheld = vec!["statuses: write"];
    let output = measured.pr(["-k"]).run();
    check(output, 4, &["statuses: write", "comment posted"]);
}

#[test]
fn what_cannot_be_measured_is_an_error_and_no_verdict() {
    let suite = "def track_a():\n    raise ValueError('@everyone no')\n";
    let Some(measured) = Measured::with_suite(suite, "machine = \"box\"\n") else {
        return;
    };
    let output = measured.pr([]).run();
    check(output, 2, &["nothing was measured: 1 failed"]);
    let statuses = measured.statuses();
    assert_eq!(
        statuses[1],
        (
            "error".to_owned(),
            "nothing was measured: 1 failed".to_owned()
        )
    );
    assert_eq!(measured.workshop.bodies().len(), 1);

    // In a workflow a mistake before the first benchmark is an error of the commit, too.
    let Some(measured) = Measured::with_suite("1 / 0\n", "machine = \"box\"\n") else {
        return;
    };
    let output = measured.pr([]).run();
    check(output, 2, &["cannot be imported"]);
    let statuses = measured.statuses();
    assert_eq!(statuses.len(), 1, "{statuses:?}");
    assert_eq!(statuses[0].0, "error");
    assert!(
        statuses[0].1.starts_with("could not be measured: "),
        "{statuses:?}"
    );
    // At a desk it is the user's alone.
    let output = measured.pr_at_desk([]).run();
    check(output, 2, &["cannot be imported"]);
    assert_eq!(measured.statuses().len(), 1);
}

#[test]
fn the_result_stays_with_the_commit_that_was_measured() {
    let Some(measured) = Measured::new() else {
        return;
    };
    let newer = "e".repeat(40);
    let moved = newer.clone();
    // The head moves between the pending status and the report.
    measured.workshop.fake.fault(
        "POST /repos/owner/project/statuses",
        What::Meanwhile(Box::new(move |state| state.pulls[0].head_sha = moved)),
    );
    let output = measured.pr([]).run();
    check(
        output,
        0,
        &["was measured, but the head of pull request 7 is eeeeeeee"],
    );
    let statuses = measured.statuses();
    assert_eq!(statuses[1].0, "success");
    assert!(measured.statuses_of(&newer).is_empty());
    // The comment of the new head is not overwritten.
    let of_new = Workshop::of_run(&newer, 40);
    measured.workshop.fake.state().comments[0]
        .body
        .clone_from(&of_new);
    let output = measured.pr(["-k"]).run();
    check(output, 0, &["not touched"]);
    assert_eq!(measured.workshop.bodies(), [of_new]);
}

#[test]
fn github_s_absence_does_not_stop_the_measurement() {
    let Some(measured) = Measured::new() else {
        return;
    };
    for _ in 0..20 {
        // Longer than anybody waits, so that no test does.
        let far_away = Answer::message(403, "API rate limit exceeded")
            .with("x-ratelimit-remaining", "0")
            .with("x-ratelimit-reset", "9999999999");
        measured.workshop.fake.fault("", What::Answer(far_away));
    }
    let output = measured.pr_at_desk([]).run();
    check(
        output,
        4,
        &["it is measured all the same", "the results are saved"],
    );
    assert!(measured.statuses().is_empty());
    assert_eq!(measured.workshop.stored.project.result_files().len(), 2);
}

#[test]
fn a_desk_without_a_pull_request_measures_and_a_workflow_does_not() {
    let Some(measured) = Measured::new() else {
        return;
    };
    measured.workshop.fake.state().pulls.clear();
    let output = measured.pr_at_desk([]).run();
    check(
        output,
        0,
        &["it is measured all the same", "nothing was posted"],
    );
    assert!(measured.statuses().is_empty());
    let event = json!({"inputs": {}});
    let output = measured.pr_in("workflow_dispatch", &event, []).run();
    check(output, 3, &["there is no open pull request"]);
}

#[test]
fn a_fork_s_token_may_only_read() {
    let Some(measured) = Measured::new() else {
        return;
    };
    let event = Workshop::event(&measured.workshop.head(), "me/project");
    let output = measured
        .pr_in("pull_request", &event, [])
        .env("RUNNER_ENVIRONMENT", "github-hosted")
        .env("GITHUB_TOKEN", "")
        .run();
    check(output, 0, &["whose token may only read"]);
    assert!(measured.workshop.fake.state().requests.is_empty());
    assert!(measured.workshop.summary().contains("1.20"));
}

#[test]
fn the_test_merge_is_refused_before_anything_is_measured() {
    let Some(measured) = Measured::new() else {
        return;
    };
    let event = Workshop::event(&measured.workshop.stored.commits[3], REPOSITORY);
    let output = measured.pr_in("pull_request", &event, []).run();
    check(
        output,
        3,
        &["ref: ${{ github.event.pull_request.head.sha }}"],
    );
    assert!(measured.workshop.fake.state().requests.is_empty());
}

#[test]
fn a_dry_run_says_what_would_run_and_how_long_it_takes() {
    let Some(measured) = Measured::new() else {
        return;
    };
    let output = measured.pr(["--dry-run"]).run().expect(0);
    assert!(output.stdout.contains("m.track_slow"), "{}", output.stdout);
    assert!(!output.stdout.contains("main_only"), "{}", output.stdout);
    // Each took 1.5 s on the merge base.
    assert!(
        output.stdout.contains("expected to take 4.5 s"),
        "{}",
        output.stdout
    );
    let base = &measured.workshop.stored.commits[2][..8];
    assert!(
        output.stderr.contains(&format!("compared with {base}")),
        "{}",
        output.stderr
    );
    assert!(
        output.stderr.contains("pull request 7 would be told"),
        "{}",
        output.stderr
    );
    assert!(!output.stderr.contains("in pairs"), "{}", output.stderr);
    // Other ways take other times and tell nobody.
    let options = ["--dry-run", "--paired", "--handoff", "handoff.out"];
    let output = measured.pr(options).run().expect(0);
    for said in [
        "measured in pairs; the time above is that of one ordinary run",
        "handoff.out would be written, and nobody told",
    ] {
        assert!(output.stderr.contains(said), "{}", output.stderr);
    }
    assert!(measured.workshop.fake.state().requests.is_empty());
    assert_eq!(measured.workshop.stored.project.result_files().len(), 1);
}

#[test]
fn a_check_run_has_the_long_text_under_another_name() {
    let Some(measured) = Measured::new() else {
        return;
    };
    let output = measured
        .pr(["--check-run", "benchmark report"])
        .run()
        .expect(0);
    {
        let state = measured.workshop.fake.state();
        assert_eq!(state.check_runs.len(), 1, "{}", output.stderr);
        let run = &state.check_runs[0];
        assert_eq!(run["name"], "benchmark report");
        assert_eq!(run["head_sha"], json!(measured.workshop.head()));
        assert_eq!(run["conclusion"], "success");
        let text = run["output"]["text"].as_str().unwrap();
        assert!(text.contains("1.20"), "{text}");
    }
    measured.workshop.fake.state().withheld = vec!["checks: write"];
    let output = measured.pr(["--check-run", "benchmark report", "-k"]).run();
    check(output, 4, &["checks: write"]);
    let output = measured.pr(["--check-run", "Benchmark-Check"]).run();
    check(output, 3, &["other than that of the status"]);
}

#[test]
fn a_limit_at_the_pending_status_is_waited_for() {
    let Some(measured) = Measured::new() else {
        return;
    };
    let limited =
        Answer::message(403, "You have exceeded a secondary rate limit").with("Retry-After", "0");
    measured
        .workshop
        .fake
        .fault("POST /repos/owner/project/statuses", What::Answer(limited));
    drop(measured.pr([]).run().expect(0));
    let states: Vec<String> = measured
        .statuses()
        .into_iter()
        .map(|(state, _)| state)
        .collect();
    assert_eq!(states, ["pending", "success"]);
}

#[test]
fn changes_that_need_no_benchmark_are_not_measured() {
    let settings = format!("{SETTINGS}not-needed = [\"docs/**\", \"*.md\"]\n");
    let Some(measured) = Measured::with_suite(SUITE, &settings) else {
        return;
    };
    // The branch brings the suite and the list itself: both need a benchmark.
    drop(measured.pr(["--dry-run"]).run().expect(0));
    measured.merge();
    let head = measured.describe();
    let event = Workshop::event(&head, REPOSITORY);
    let output = measured.pr_in("pull_request", &event, []).run();
    check(
        output,
        0,
        &["not needed: none of the 2 changed files", "--always"],
    );
    let statuses = measured.statuses_of(&head);
    assert_eq!(statuses.len(), 1);
    assert_eq!(statuses[0].state, "success");
    assert!(
        statuses[0].description.starts_with("not needed: "),
        "{statuses:?}"
    );
    let body = measured.workshop.bodies().remove(0);
    assert!(
        body.contains("verdict=not-needed counts=not-needed:1"),
        "{body}"
    );
    assert!(body.contains("docs/&#42;&#42;, &#42;.md"), "{body}");
    assert!(
        measured
            .workshop
            .summary()
            .contains("Not needed: none of the 2")
    );
    let output = measured
        .workshop
        .in_actions("pull_request", &event, ["check"])
        .run();
    check(
        output,
        0,
        &["the comment is for this commit; worst verdict: not needed"],
    );
    // On request it is measured all the same.
    let output = measured.pr_in("pull_request", &event, ["--always"]).run();
    check(output, 0, &["3 measured", "comment edited"]);
}

#[test]
fn a_dispatched_workflow_must_have_the_head_checked_out() {
    let Some(measured) = Measured::new() else {
        return;
    };
    measured.workshop.fake.state().pulls[0].head_sha = "e".repeat(40);
    let event = json!({"inputs": {}});
    let output = measured
        .pr_in("workflow_dispatch", &event, ["--pr", "7"])
        .run();
    check(
        output,
        3,
        &[
            "but the head of pull request 7 is eeeeeeee",
            "refs/pull/7/head",
        ],
    );
    // At a desk it may be a commit that is about to be pushed.
    let output = measured.pr_at_desk([]).run();
    check(output, 0, &["`git push` first", "comment posted"]);
}

#[test]
fn no_job_of_the_workflows_to_copy_is_called_like_the_status() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(".github/workflows");
    let mut looked_at = 0;
    for folder in [root.clone(), root.join("examples")] {
        let Ok(entries) = fs_err::read_dir(&folder) else {
            continue;
        };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|ending| ending != "yml") {
                continue;
            }
            looked_at += 1;
            let text = fs_err::read_to_string(&path).unwrap();
            let names = text.lines().map(str::trim);
            for line in names {
                let is_name = line == "benchmark-check:" || line == "name: benchmark-check";
                assert!(!is_name, "{}: {line}", path.display());
            }
        }
    }
    assert!(looked_at > 1, "the workflows are elsewhere");
}
