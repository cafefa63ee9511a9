//! Two writers at once, answers that get lost, comments that vanish.

use super::answers::Answer;
use super::fake::What;
use super::workshop::{BOT, Workshop};
use crate::stored::check;

#[test]
fn a_creation_whose_answer_is_lost_is_not_repeated() {
    let workshop = Workshop::new();
    workshop.fake.fault("POST", What::LoseAnswer);
    let output = workshop.in_pull_request(["pr-comment"]).run();
    check(output, 0, &["comment posted"]);
    assert_eq!(workshop.bodies().len(), 1);
    assert_eq!(workshop.fake.state().count("POST"), 1);
}

#[test]
fn a_creation_that_failed_is_sent_again_after_a_look() {
    let workshop = Workshop::new();
    let broken = Answer::message(502, "Bad Gateway");
    workshop.fake.fault("POST", What::Answer(broken));
    let output = workshop.in_pull_request(["pr-comment"]).run();
    check(output, 0, &["comment posted"]);
    assert_eq!(workshop.bodies().len(), 1);
    let state = workshop.fake.state();
    let posts: Vec<usize> = (0..state.requests.len())
        .filter(|at| state.requests[*at].starts_with("POST"))
        .collect();
    assert_eq!(posts.len(), 2);
    let between = &state.requests[posts[0] + 1..posts[1]];
    assert!(
        between.iter().any(|line| line.contains("comments")),
        "{between:?}"
    );
}

#[test]
fn a_token_that_writes_as_somebody_else_than_was_said_leaves_one_comment() {
    let workshop = Workshop::new();
    for _ in 0..2 {
        let output = workshop
            .at_desk(["pr-comment", "--author", "somebody-else"])
            .run();
        check(output, 0, &["comment posted"]);
        assert_eq!(workshop.bodies().len(), 1);
    }
    // One creation a run, and the second one's double was deleted.
    let state = workshop.fake.state();
    assert_eq!(state.count("POST"), 2);
    assert_eq!(state.count("DELETE"), 1);
}

#[test]
fn two_writers_at_once_leave_the_oldest_with_the_newest_results() {
    let workshop = Workshop::new();
    // Run 51 writes its comment right before ours, of run 50, arrives.
    let newer = Workshop::of_run(&workshop.head(), 51);
    let text = newer.clone();
    workshop.fake.fault(
        "POST",
        What::Meanwhile(Box::new(move |state| {
            state.comment(7, BOT, &text);
        })),
    );
    let output = workshop.in_pull_request(["pr-comment"]).run();
    check(output, 0, &["a later run"]);
    assert_eq!(workshop.bodies(), [newer]);
}

#[test]
fn a_newer_run_between_reading_and_writing_is_not_overwritten() {
    let workshop = Workshop::new();
    let (old, newer) = (
        Workshop::of_run(&workshop.stored.commits[3], 40),
        Workshop::of_run(&workshop.head(), 51),
    );
    let id = workshop.fake.state().comment(7, BOT, &old);
    let text = newer.clone();
    workshop.fake.fault(
        "GET /repos/owner/project/issues/comments/",
        What::Meanwhile(Box::new(move |state| {
            for comment in &mut state.comments {
                if comment.id == id {
                    comment.body.clone_from(&text);
                }
            }
        })),
    );
    let output = workshop.in_pull_request(["pr-comment"]).run();
    check(output, 0, &["a later run"]);
    assert_eq!(workshop.bodies(), [newer]);
    assert_eq!(workshop.fake.state().count("PATCH"), 0);
}

#[test]
fn a_comment_that_vanishes_before_it_is_edited_is_written_anew() {
    let workshop = Workshop::new();
    let old = Workshop::of_run(&workshop.stored.commits[3], 40);
    workshop.fake.state().comment(7, BOT, &old);
    workshop.fake.fault(
        "PATCH",
        What::Meanwhile(Box::new(|state| state.comments.clear())),
    );
    let output = workshop.in_pull_request(["pr-comment"]).run();
    check(output, 0, &["comment posted"]);
    assert_eq!(workshop.bodies().len(), 1);
    assert!(workshop.bodies()[0].contains("run=50"));
}

#[test]
fn doubles_are_deleted_and_one_that_is_gone_already_is_fine() {
    let workshop = Workshop::new();
    {
        let mut state = workshop.fake.state();
        for run in 40..43 {
            let body = Workshop::of_run(&workshop.stored.commits[3], run);
            state.comment(7, BOT, &body);
        }
    }
    workshop
        .fake
        .fault("DELETE", What::Answer(Answer::message(404, "Not Found")));
    let output = workshop.in_pull_request(["pr-comment"]).run();
    check(output, 0, &["comment edited; 2 older deleted"]);
    let state = workshop.fake.state();
    assert_eq!(state.count("DELETE"), 2);
    // The winner is written before anything is deleted.
    let at = |start: &str| {
        state
            .requests
            .iter()
            .position(|line| line.starts_with(start))
    };
    assert!(at("PATCH") < at("DELETE"));
}

#[test]
fn results_of_an_older_head_do_not_replace_those_of_the_present_one() {
    let workshop = Workshop::new();
    let newer_head = "e".repeat(40);
    workshop.fake.state().pulls[0]
        .head_sha
        .clone_from(&newer_head);
    let there = Workshop::of_run(&newer_head, 10);
    workshop.fake.state().comment(7, BOT, &there);
    // A re-run replays the old event, so the checkout is right and the pull request has moved.
    let output = workshop.in_pull_request(["pr-comment"]).run();
    check(
        output,
        0,
        &["the present head is there", "was measured, but the head"],
    );
    assert_eq!(workshop.bodies(), [there]);
}
