//! Which pull request is meant.

use serde_json::json;

use super::fake::REPOSITORY;
use super::workshop::Workshop;
use crate::stored::check;

#[test]
fn a_desk_finds_the_pull_request_of_the_branch_s_upstream() {
    let workshop = Workshop::new();
    let output = workshop.at_desk(["pr-comment"]).run();
    check(output, 0, &["comment posted"]);
    assert_eq!(workshop.fake.state().comments[0].login, "dev");
    let body = workshop.bodies().remove(0);
    assert!(body.contains("run=0 attempt=0"), "{body}");
}

#[test]
fn several_are_listed_and_none_is_no_error_at_a_desk() {
    let workshop = Workshop::new();
    let second = workshop.pull(9);
    workshop.fake.state().pulls.push(second);
    let output = workshop.at_desk(["pr-comment"]).run();
    check(
        output,
        3,
        &["#7  Pull request 7", "#9  Pull request 9", "--pr"],
    );
    let output = workshop.at_desk(["pr-comment", "--pr", "9"]).run();
    check(output, 0, &["/pull/9#"]);
    workshop.fake.state().pulls.clear();
    let output = workshop.at_desk(["pr-comment"]).run();
    check(
        output,
        0,
        &["there is no open pull request", "nothing was posted"],
    );
    let event = json!({"inputs": {}});
    let output = workshop
        .in_actions("workflow_dispatch", &event, ["pr-comment"])
        .run();
    check(
        output,
        3,
        &["there is no open pull request", "GITHUB_PR_NUMBER"],
    );
}

#[test]
fn the_branch_of_a_fork_and_the_variable_name_it_too() {
    let workshop = Workshop::new();
    let project = &workshop.stored.project;
    project.git(["remote", "add", "fork", "git@github.com:me/project.git"]);
    project.git(["config", "branch.topic.pushRemote", "fork"]);
    let output = workshop.at_desk(["pr-comment"]).run();
    check(output, 0, &["there is no open pull request"]);
    workshop.fake.state().pulls[0].head_repository = Some("me/project".to_owned());
    let output = workshop.at_desk(["pr-comment"]).run();
    check(output, 0, &["comment posted"]);
    let event = json!({});
    let output = workshop
        .in_actions("workflow_dispatch", &event, ["pr-comment"])
        .env("GITHUB_PR_NUMBER", "7")
        .run();
    check(output, 0, &["comment posted"]);
}

#[test]
fn a_fork_s_workflow_run_goes_by_branch_and_commit() {
    let workshop = Workshop::new();
    workshop.fake.state().pulls[0].head_repository = Some("me/project".to_owned());
    let event = |sha: &str| {
        json!({"workflow_run": {"head_sha": sha, "head_branch": "topic", "pull_requests": [],
            "head_repository": {"full_name": "me/project"}}})
    };
    let output = workshop
        .in_actions("workflow_run", &event(&workshop.head()), ["pr-comment"])
        .run();
    check(output, 0, &["comment posted"]);
    workshop.fake.state().pulls[0].head_sha = "e".repeat(40);
    let output = workshop
        .in_actions("workflow_run", &event(&workshop.head()), ["pr-comment"])
        .run();
    check(output, 3, &["there is no open pull request", REPOSITORY]);
}
