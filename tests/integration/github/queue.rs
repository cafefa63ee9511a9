//! A merge queue's group that is measured itself.

use serde_json::{Value, json};

use super::fake::Status;
use super::measured::Measured;
use super::workshop::{BOT, Workshop};
use crate::stored::check;

fn event(workshop: &Workshop) -> Value {
    let head = workshop.head();
    json!({"merge_group": {"head_sha": head, "base_sha": workshop.stored.commits[2],
        "head_ref": format!("refs/heads/gh-readonly-queue/main/pr-7-{}", "0".repeat(40))}})
}

#[test]
fn a_group_is_compared_with_its_base_and_gets_the_status() {
    let Some(measured) = Measured::new() else {
        return;
    };
    let workshop = &measured.workshop;
    let event = event(workshop);
    let asked = |more: &str| {
        let arguments = ["check", "--merge-group=measure", "--status", more];
        workshop.in_actions("merge_group", &event, arguments).run()
    };
    check(
        asked("--stale=fail"),
        1,
        &["the merge group was not measured", "lcmbench pr"],
    );
    // A failure now would throw the group out before it is measured.
    assert!(measured.statuses().is_empty());
    let output = measured
        .pr_in("merge_group", &event, ["--fail-on", "slower"])
        .run();
    check(output, 1, &["--fail-on: 1 slower"]);
    let statuses = measured.statuses();
    assert_eq!(statuses[0].0, "pending");
    assert_eq!(
        statuses[1],
        ("failure".to_owned(), "1 slower of 3".to_owned())
    );
    assert!(workshop.bodies().is_empty(), "a group has no comment");
    assert!(workshop.summary().contains("1.20"));
    check(
        asked("--stale=fail"),
        1,
        &["the status of the merge group is failure"],
    );
    drop(
        measured
            .pr_in("merge_group", &event, ["-k"])
            .run()
            .expect(0),
    );
    check(
        asked("--stale=fail"),
        0,
        &["the status of the merge group is success"],
    );
    assert_eq!(measured.statuses().len(), 3, "the check adds nothing");
}

#[test]
fn a_group_that_is_being_measured_does_not_pass() {
    let workshop = Workshop::new();
    workshop.fake.state().statuses.push(Status {
        sha: workshop.head(),
        state: "pending".to_owned(),
        context: "benchmark-check".to_owned(),
        description: String::new(),
        target_url: None,
        created_at: "2024-01-01T02:00:00Z".to_owned(),
        login: BOT.to_owned(),
    });
    let arguments = ["check", "--merge-group=measure"];
    let output = workshop
        .in_actions("merge_group", &event(&workshop), arguments)
        .run();
    check(output, 1, &["the status of the merge group is pending"]);
}

#[test]
fn the_test_merge_of_a_group_is_refused() {
    let Some(measured) = Measured::new() else {
        return;
    };
    let mut event = event(&measured.workshop);
    event["merge_group"]["head_sha"] = json!("f".repeat(40));
    let output = measured.pr_in("merge_group", &event, []).run();
    check(
        output,
        3,
        &["ref: ${{ github.event.merge_group.head_sha }}"],
    );
}
