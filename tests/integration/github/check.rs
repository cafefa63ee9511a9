//! The check: what passes, what is said, and what the status becomes.

use serde_json::json;

use super::fake::{REPOSITORY, Status};
use super::measured::Measured;
use super::workshop::{BOT, MARKER, Workshop};
use crate::stored::check;

/// A pull request with this comment by this author.
fn with_comment(login: &str, body: impl Fn(&Workshop) -> String) -> Workshop {
    let workshop = Workshop::unmeasured();
    let body = body(&workshop);
    workshop.fake.state().comment(7, login, &body);
    workshop
}

fn statuses(workshop: &Workshop) -> Vec<(String, String, String)> {
    let state = workshop.fake.state();
    let shown = state.statuses.iter();
    shown
        .map(|status| {
            (
                status.sha.clone(),
                status.state.clone(),
                status.description.clone(),
            )
        })
        .collect()
}

#[test]
fn our_own_comment_and_today_s_comments_pass() {
    let workshop = Workshop::new();
    drop(workshop.in_pull_request(["pr-comment"]).run().expect(0));
    let output = workshop.in_pull_request(["check", "--status"]).run();
    check(
        output,
        0,
        &["benchmark-check passes: the comment is for this commit"],
    );
    let written = statuses(&workshop);
    assert_eq!(written.len(), 1);
    assert_eq!(
        (&written[0].0, written[0].1.as_str()),
        (&workshop.head(), "success")
    );

    let workshop = with_comment(BOT, |workshop| Workshop::legacy(&workshop.head()));
    let output = workshop.in_pull_request(["check"]).run();
    check(
        output,
        0,
        &["benchmark-check passes: the comment is for this commit."],
    );
    assert!(statuses(&workshop).is_empty());
}

#[test]
fn an_older_commit_passes_with_a_warning_that_counts() {
    for (commit, behind) in [(3, "1 commit behind"), (1, "3 commits behind")] {
        let workshop = with_comment(BOT, |workshop| {
            Workshop::legacy(&workshop.stored.commits[commit])
        });
        let output = workshop.in_pull_request(["check", "--status"]).run();
        check(output, 0, &["::warning title=benchmark-check::", behind]);
        let (_, state, description) = statuses(&workshop).remove(0);
        assert_eq!(state, "success");
        assert!(description.contains(behind), "{description}");
        let output = workshop.in_pull_request(["check", "--stale", "fail"]).run();
        check(output, 1, &["::error title=benchmark-check::", behind]);
    }
    let gone = with_comment(BOT, |_| Workshop::legacy(&"9".repeat(40)));
    let output = gone.in_pull_request(["check"]).run();
    check(output, 0, &["for another commit (it is for 99999999)"]);
}

#[test]
fn no_comment_fails_with_the_command_that_helps() {
    let workshop = Workshop::unmeasured();
    let output = workshop.in_pull_request(["check", "--status"]).run();
    check(
        output,
        1,
        &["there is no benchmark comment", "lcmbench pr --pr 7"],
    );
    assert_eq!(statuses(&workshop)[0].1, "failure");
}

#[test]
fn only_comments_of_those_who_may_write_count() {
    let current = |workshop: &Workshop| Workshop::of_run(&workshop.head(), 1);
    let workshop = with_comment("mallory", current);
    let output = workshop.in_pull_request(["check"]).run();
    check(output, 1, &["there is no benchmark comment"]);
    workshop
        .fake
        .state()
        .permissions
        .insert("mallory".to_owned(), "write".to_owned());
    drop(workshop.in_pull_request(["check"]).run().expect(0));
    // An association tells without a question, and so does the list.
    let workshop = with_comment("friend", current);
    workshop.fake.state().comments[0].association = "MEMBER";
    drop(workshop.in_pull_request(["check"]).run().expect(0));
    assert_eq!(
        workshop
            .fake
            .state()
            .count("GET /repos/owner/project/collaborators"),
        0
    );
    let workshop = with_comment("bench-bot[bot]", current);
    let allowed = ["check", "--author", "bench-bot[bot]"];
    drop(workshop.in_pull_request(allowed).run().expect(0));
    // Further down, or quoted, a marker is nothing.
    let quoted = |workshop: &Workshop| format!("Look:\n{}", Workshop::of_run(&workshop.head(), 1));
    let workshop = with_comment(BOT, quoted);
    drop(workshop.in_pull_request(["check"]).run().expect(1));
}

#[test]
fn fail_on_gates_by_the_newest_comment() {
    let workshop = Workshop::unmeasured();
    let body = |started: &str, counts: &str| {
        Workshop::of_run(&workshop.head(), 1)
            .replace("2024-01-01T01:00:00Z", started)
            .replace("same:1", counts)
    };
    {
        let mut state = workshop.fake.state();
        state.comment(7, BOT, &body("2024-01-01T03:00:00Z", "slower:2,same:1"));
        state.comment(7, BOT, &body("2024-01-01T02:00:00Z", "same:3"));
    }
    drop(workshop.in_pull_request(["check"]).run().expect(0));
    let output = workshop
        .in_pull_request(["check", "--fail-on", "slower", "--status"])
        .run();
    check(output, 1, &["counts 2 slower"]);
    assert_eq!(statuses(&workshop)[0].1, "failure");
    drop(
        workshop
            .in_pull_request(["check", "--fail-on", "failed"])
            .run()
            .expect(0),
    );
    let legacy = with_comment(BOT, |workshop| Workshop::legacy(&workshop.head()));
    let output = legacy
        .in_pull_request(["check", "--fail-on", "slower"])
        .run();
    check(output, 1, &["does not say its verdicts"]);
}

#[test]
fn a_newer_pending_status_of_the_same_commit_stays() {
    let workshop = with_comment(BOT, |workshop| Workshop::of_run(&workshop.head(), 1));
    let pending = |created_at: &str| Status {
        sha: workshop.head(),
        state: "pending".to_owned(),
        context: "Benchmark-Check".to_owned(),
        description: "measuring".to_owned(),
        target_url: None,
        created_at: created_at.to_owned(),
        login: BOT.to_owned(),
    };
    workshop
        .fake
        .state()
        .statuses
        .push(pending("2024-01-01T02:00:00Z"));
    let output = workshop.in_pull_request(["check", "--status"]).run();
    check(output, 0, &["left pending"]);
    assert_eq!(statuses(&workshop).len(), 1);
    // One from before the comment is done.
    workshop.fake.state().statuses[0].created_at = "2024-01-01T00:00:00Z".to_owned();
    let output = workshop.in_pull_request(["check", "--status"]).run();
    check(output, 0, &["written"]);
    // And what is written already is not written again.
    let output = workshop.in_pull_request(["check", "--status"]).run();
    check(output, 0, &["unchanged"]);
    assert_eq!(statuses(&workshop).len(), 2);
}

#[test]
fn a_red_status_of_a_measurement_is_not_made_green_by_looser_options() {
    let Some(measured) = Measured::new() else {
        return;
    };
    let workshop = &measured.workshop;
    let gated = measured.pr(["--fail-on", "slower"]).run();
    check(gated, 1, &["--fail-on: 1 slower"]);
    let body = workshop.bodies().remove(0);
    assert!(body.contains(" gate=slower "), "{body}");
    let newest = || {
        let (_, state, description) = statuses(workshop).pop().unwrap();
        (state, description)
    };
    let asked = || workshop.in_pull_request(["check", "--status"]).run();
    // What the measurement was to fail by holds without the option.
    check(asked(), 1, &["the comment for this commit counts 1 slower"]);
    assert_eq!(newest().0, "failure");
    // A comment that was written without it passes, and the red status stays.
    {
        let mut state = workshop.fake.state();
        state.comments[0].body = body.replace(" gate=slower", "");
        state.statuses.pop();
    }
    let red = newest();
    assert_eq!(red, ("failure".to_owned(), "1 slower of 3".to_owned()));
    check(asked(), 0, &["passes", "left at failure (1 slower of 3)"]);
    assert_eq!(newest(), red);
    // So it does where the comment is for an older commit.
    let older = Workshop::legacy(&workshop.stored.commits[3]);
    workshop.fake.state().comments[0].body = older;
    check(asked(), 0, &["1 commit behind", "left at failure"]);
    assert_eq!(newest(), red);
    // A newer measurement of the same commit decides, wherever it ran.
    let later = jiff::Timestamp::now() + jiff::SignedDuration::from_mins(1);
    let newer =
        Workshop::of_run(&workshop.head(), 1).replace("2024-01-01T01:00:00Z", &later.to_string());
    workshop.fake.state().comments[0].body = newer;
    check(asked(), 0, &["passes", "written"]);
    assert_eq!(newest().0, "success");
}

#[test]
fn a_fork_s_check_reads_and_the_status_never_goes_to_the_test_merge() {
    let workshop = with_comment(BOT, |workshop| Workshop::of_run(&workshop.head(), 1));
    workshop.fake.state().pulls[0].head_repository = Some("me/project".to_owned());
    let event = Workshop::event(&workshop.head(), "me/project");
    let output = workshop
        .in_actions("pull_request", &event, ["check", "--status"])
        .env("GITHUB_SHA", "d".repeat(40))
        .run();
    check(output, 0, &["no status is written"]);
    assert!(statuses(&workshop).is_empty());
    let event = json!({"workflow_run": {"head_sha": workshop.head(), "head_branch": "topic",
        "pull_requests": [], "head_repository": {"full_name": "me/project"}}});
    let output = workshop
        .in_actions("workflow_run", &event, ["check", "--status"])
        .env("GITHUB_SHA", "d".repeat(40))
        .run();
    check(output, 0, &["written"]);
    assert_eq!(statuses(&workshop)[0].0, workshop.head());
}

#[test]
fn the_live_head_counts_and_not_that_of_the_event() {
    let workshop = with_comment(BOT, |workshop| Workshop::of_run(&workshop.head(), 1));
    let newer = "e".repeat(40);
    {
        let mut state = workshop.fake.state();
        state.pulls[0].head_sha.clone_from(&newer);
        state.commits.push(newer.clone());
    }
    let output = workshop.in_pull_request(["check", "--status"]).run();
    check(output, 0, &["1 commit behind"]);
    assert_eq!(statuses(&workshop)[0].0, newer);
}

#[test]
fn a_merge_group_goes_by_its_pull_request() {
    let group = "f".repeat(40);
    let event = |reference: &str| {
        json!({"merge_group": {"head_sha": "f".repeat(40), "base_sha": "0".repeat(40),
            "head_ref": reference}})
    };
    let queued = event(&format!(
        "refs/heads/gh-readonly-queue/main/pr-7-{}",
        "0".repeat(40)
    ));
    let workshop = with_comment(BOT, |workshop| Workshop::of_run(&workshop.head(), 1));
    let run = |event: &serde_json::Value, more: &str| {
        let output = workshop.in_actions("merge_group", event, ["check", "--status", more]);
        output.run()
    };
    check(run(&queued, "--stale=fail"), 0, &["passes"]);
    assert_eq!(statuses(&workshop)[0].0, group);
    // A failure on the pull request's head fails the group.
    workshop.fake.state().statuses.push(Status {
        sha: workshop.head(),
        state: "failure".to_owned(),
        context: "benchmark-check".to_owned(),
        description: String::new(),
        target_url: None,
        created_at: "2024-01-01T02:00:00Z".to_owned(),
        login: BOT.to_owned(),
    });
    check(
        run(&queued, "--stale=fail"),
        1,
        &["the status of the pull request's head is failure"],
    );
    // A branch that cannot be read lets nothing pass.
    check(
        run(&event("refs/heads/odd"), "--stale=fail"),
        3,
        &["unknown which pull request"],
    );
    check(
        run(&event("refs/heads/odd"), "--merge-group=note"),
        0,
        &["a merge group is not measured"],
    );
}

#[test]
fn changes_that_need_no_benchmark_pass_by_an_allow_list() {
    let workshop = Workshop::unmeasured();
    workshop.fake.state().changed_files = vec!["docs/a.md".to_owned(), "README.md".to_owned()];
    let arguments = ["check", "--not-needed", "docs/**,*.md", "--status"];
    let output = workshop.in_pull_request(arguments).run();
    check(output, 0, &["not needed: none of the 2 changed files"]);
    workshop
        .fake
        .state()
        .changed_files
        .push("src/lcm.py".to_owned());
    drop(workshop.in_pull_request(arguments).run().expect(1));
}

#[test]
fn the_allow_list_can_stand_in_the_configuration() {
    let workshop = Workshop::unmeasured();
    workshop.fake.state().changed_files = vec!["docs/a.md".to_owned(), "README.md".to_owned()];
    let project = &workshop.stored.project;
    project.write(
        "lcmbench.toml",
        "[pr]\nnot-needed = [\"docs/**\", \"*.md\"]\n",
    );
    let output = workshop.in_pull_request(["check", "--status"]).run();
    check(output, 0, &["not needed: none of the 2 changed files"]);
    assert_eq!(statuses(&workshop)[0].1, "success");
    // The command line goes first.
    let output = workshop
        .in_pull_request(["check", "--not-needed", "*.rst"])
        .run();
    check(output, 1, &["there is no benchmark comment"]);
    // A pull request that changes the list is not judged by it.
    project.write("lcmbench.toml", "[pr]\nnot-needed = \"**\"\n");
    let changed = vec!["src/lcm.py".to_owned(), "lcmbench.toml".to_owned()];
    workshop.fake.state().changed_files = changed;
    drop(workshop.in_pull_request(["check"]).run().expect(1));
    project.write("lcmbench.toml", "[pr]\nnot-needed = []\n");
    let output = workshop.in_pull_request(["check"]).run();
    check(output, 3, &["`not-needed` holds an empty text or none"]);
}

#[test]
fn a_status_that_may_not_be_written_is_said_with_the_lines() {
    let workshop = with_comment(BOT, |workshop| Workshop::of_run(&workshop.head(), 1));
    workshop.fake.state().withheld = vec!["statuses: write"];
    let output = workshop.in_pull_request(["check", "--status"]).run();
    check(
        output,
        4,
        &[
            "statuses: write",
            "the check itself says: benchmark-check passes",
        ],
    );
}

#[test]
fn by_hand_it_needs_no_project() {
    let workshop = with_comment(BOT, |workshop| Workshop::of_run(&workshop.head(), 1));
    let output = workshop
        .at_desk(["check", "--pr", "7", "--repo", REPOSITORY])
        .current_dir(workshop.stored.project.home())
        .run()
        .expect(0);
    assert!(!output.stdout.contains("::"), "{}", output.stdout);
    assert!(Workshop::legacy(&workshop.head()).starts_with(MARKER));
}
