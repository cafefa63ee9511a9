//! Scripts written for the comments of before lcmbench, run as the JavaScript that they are.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::workshop::{BOT, Workshop};
use crate::common::python::skip;

/// What the script says about the comments of pull request 7; `None` without node, which is said.
fn said(workshop: &Workshop) -> Option<String> {
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fixtures/github/old_check.js"
    );
    let child = Command::new("node")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        skip("node is not installed");
        return None;
    };
    let comments: Vec<Value> = workshop
        .bodies()
        .into_iter()
        .map(|body| json!({"body": body}))
        .collect();
    let input = json!({"comments": comments, "head": workshop.head()}).to_string();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    Some(String::from_utf8(output.stdout).unwrap().trim().to_owned())
}

#[test]
fn it_accepts_our_comment_and_no_other_commit_s() {
    let workshop = Workshop::new();
    let Some(before) = said(&workshop) else {
        return;
    };
    assert_eq!(before, "missing");
    let old = Workshop::legacy(&workshop.stored.commits[3]);
    workshop.fake.state().comment(7, BOT, &old);
    assert_eq!(said(&workshop).as_deref(), Some("stale"));
    drop(workshop.in_pull_request(["pr-comment"]).run().expect(0));
    assert_eq!(said(&workshop).as_deref(), Some("match"));
    assert_eq!(workshop.bodies().len(), 1, "the old comment became ours");
}

#[test]
fn it_and_our_check_agree_on_a_comment_of_before() {
    let workshop = Workshop::unmeasured();
    let old = Workshop::legacy(&workshop.head());
    workshop.fake.state().comment(7, BOT, &old);
    if let Some(said) = said(&workshop) {
        assert_eq!(said, "match");
    }
    drop(workshop.in_pull_request(["check"]).run().expect(0));
}
