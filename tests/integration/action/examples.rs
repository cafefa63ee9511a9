//! The example workflows as they are shipped, and what GitHub knows afterwards.

use serde_json::{Value, json};

use super::act::{Act, Given};
use crate::github::{BOT, REPOSITORY, SETTINGS, Workshop};

const FORK: &str = "stranger/project";

fn hosted() -> Given<'static> {
    Given {
        variables: vec![("RUNNER_ENVIRONMENT", "github-hosted".to_owned())],
    }
}

fn own(act: &Act) -> Value {
    let mut event = Workshop::event(&act.measured.workshop.head(), REPOSITORY);
    event["number"] = json!(7);
    event["pull_request"]["draft"] = json!(false);
    event["pull_request"]["labels"] = json!([]);
    event
}

/// State and beginning of the newest status of the head.
fn newest_status(act: &Act) -> (String, String) {
    act.measured.statuses().pop().unwrap_or_default()
}

#[test]
fn a_pull_request_is_measured_commented_and_checked() {
    let Some(act) = Act::new() else { return };
    for example in ["benchmark-pr-uv.yml", "benchmark-pr-pixi.yml"] {
        let output = act
            .example(example, "pull_request", &own(&act), &Given::default())
            .run()
            .expect(0);
        let states: Vec<String> = act
            .measured
            .statuses()
            .into_iter()
            .map(|(state, _)| state)
            .collect();
        assert_eq!(
            states.first().map(String::as_str),
            Some("pending"),
            "{}",
            output.stdout
        );
        let (state, description) = newest_status(&act);
        assert_eq!(state, "success", "{}", output.stdout);
        assert!(description.starts_with("1 slower, 2 same"), "{description}");
        let bodies = act.measured.workshop.bodies();
        assert_eq!(bodies.len(), 1, "one comment, whoever measured: {bodies:?}");
        assert!(bodies[0].contains("counts=slower:1"), "{}", bodies[0]);
        for (name, value) in [("verdict", "slower"), ("slower", "1"), ("faster", "0")] {
            let said = format!("::set-output:: {name}={value}");
            assert!(output.stdout.contains(&said), "{said}\n{}", output.stdout);
        }
        for name in ["comment-url=http", "results-dir=/"] {
            assert!(
                output.stdout.contains(&format!("::set-output:: {name}")),
                "{}",
                output.stdout
            );
        }
        assert!(
            !output.stdout.contains("holds a credential"),
            "{}",
            output.stdout
        );
    }
    let output = act
        .example("benchmark-check.yml", "pull_request", &own(&act), &hosted())
        .run()
        .expect(0);
    assert!(
        output.stdout.contains("the comment is for this commit"),
        "{}",
        output.stdout
    );
    assert!(
        output.stdout.contains("::set-output:: verdict=current"),
        "{}",
        output.stdout
    );
    let of = act.measured.statuses_of(&act.measured.workshop.head());
    assert!(of.iter().all(|status| status.context == "benchmark-check"));
    assert!(of.iter().all(|status| status.login == BOT));
    // The test merge and every other commit have none.
    assert_eq!(act.measured.workshop.fake.state().statuses.len(), of.len());
}

#[test]
fn a_comment_for_an_older_commit_passes_and_says_how_old() {
    let Some(act) = Act::new() else { return };
    let older = &act.measured.workshop.stored.commits[3];
    let body = format!(
        "<!-- benchmark-check -->\n<!-- head-sha:{} -->\nold",
        &older[..8]
    );
    act.measured.workshop.fake.state().comment(7, BOT, &body);
    let output = act
        .example("benchmark-check.yml", "pull_request", &own(&act), &hosted())
        .run()
        .expect(0);
    assert!(
        output.stdout.contains("::set-output:: verdict=stale"),
        "{}",
        output.stdout
    );
    let (state, description) = newest_status(&act);
    assert_eq!(state, "success");
    assert!(description.contains("1 commit behind"), "{description}");
}

#[test]
fn without_a_comment_the_check_fails() {
    let Some(act) = Act::new() else { return };
    let output = act
        .example("benchmark-check.yml", "pull_request", &own(&act), &hosted())
        .run()
        .expect(1);
    assert!(
        output.stdout.contains("::set-output:: verdict=missing"),
        "{}",
        output.stdout
    );
    assert!(
        output.stdout.contains("lcmbench pr --pr 7"),
        "{}",
        output.stdout
    );
    assert_eq!(newest_status(&act).0, "failure");
}

#[test]
fn a_comment_from_a_desk_starts_the_check_again() {
    let Some(act) = Act::new() else { return };
    let head = act.measured.workshop.head();
    let body = format!(
        "<!-- benchmark-check -->\n<!-- head-sha:{} -->\nx",
        &head[..8]
    );
    act.measured.workshop.fake.state().comment(7, BOT, &body);
    let event = json!({"action": "created", "comment": {"body": body},
        "issue": {"number": 7, "pull_request": {"url": "x"}}});
    let _checked = act
        .example("benchmark-check.yml", "issue_comment", &event, &hosted())
        .run()
        .expect(0);
    assert_eq!(newest_status(&act).0, "success");
}

#[test]
fn a_fork_is_measured_without_a_token_and_reported_by_another_run() {
    let Some(act) = Act::new() else { return };
    let workshop = &act.measured.workshop;
    workshop.fake.state().pulls[0].head_repository = Some(FORK.to_owned());
    let mut event = own(&act);
    event["pull_request"]["head"]["repo"]["full_name"] = json!(FORK);
    let output = act
        .example("benchmark-fork.yml", "pull_request", &event, &hosted())
        .run()
        .expect(0);
    assert!(
        workshop.fake.state().requests.is_empty(),
        "{}",
        output.stdout
    );
    assert!(
        act.artifacts()
            .join("lcmbench-handoff/handoff.json")
            .is_file()
    );
    let run = json!({"action": "completed", "workflow_run": {"id": 1, "event": "pull_request",
        "conclusion": "success", "head_sha": workshop.head(), "head_branch": "topic",
        "head_repository": {"full_name": FORK}, "pull_requests": []}});
    let _reported = act
        .example("benchmark-fork-report.yml", "workflow_run", &run, &hosted())
        .run()
        .expect(0);
    let bodies = workshop.bodies();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
    assert!(bodies[0].contains("claims of that code"), "{}", bodies[0]);
    assert_eq!(newest_status(&act).0, "success");
    // A run that was cancelled has left nothing.
    fs_err::remove_dir_all(act.artifacts()).unwrap();
    let _reported = act
        .example("benchmark-fork-report.yml", "workflow_run", &run, &hosted())
        .run()
        .expect(0);
    let (state, description) = newest_status(&act);
    assert_eq!(state, "error");
    assert!(description.contains("left no results"), "{description}");
}

#[test]
fn the_queue_goes_by_the_pull_request() {
    let Some(act) = Act::new() else { return };
    let workshop = &act.measured.workshop;
    let group = "c".repeat(40);
    let event = json!({"action": "checks_requested", "merge_group": {
        "head_sha": group, "base_sha": workshop.stored.commits[2],
        "head_ref": format!("refs/heads/gh-readonly-queue/main/pr-7-{}", workshop.stored.commits[2])}});
    let run = |code: i32| {
        act.example("benchmark-queue.yml", "merge_group", &event, &hosted())
            .run()
            .expect(code)
    };
    let _without = run(1);
    let head = workshop.head();
    let body = format!(
        "<!-- benchmark-check -->\n<!-- head-sha:{} -->\nx",
        &head[..8]
    );
    workshop.fake.state().comment(7, BOT, &body);
    let _with = run(0);
    let states: Vec<String> = act
        .measured
        .statuses_of(&group)
        .into_iter()
        .map(|status| status.state)
        .collect();
    assert_eq!(states, ["failure", "success"]);
    assert!(act.measured.statuses().is_empty());
}

#[test]
fn on_demand_the_labelled_commit_is_measured_and_reported() {
    let Some(act) = Act::new() else { return };
    let mut event = own(&act);
    event["action"] = json!("labeled");
    event["label"] = json!({"name": "benchmark"});
    let output = act
        .example("benchmark-on-demand.yml", "pull_request", &event, &hosted())
        .run()
        .expect(0);
    assert_eq!(act.measured.workshop.bodies().len(), 1, "{}", output.stdout);
    assert_eq!(newest_status(&act).0, "success");
    // Another label does nothing at all.
    event["label"] = json!({"name": "documentation"});
    let before = act.measured.workshop.fake.state().requests.len();
    let _other = act
        .example("benchmark-on-demand.yml", "pull_request", &event, &hosted())
        .run()
        .expect(0);
    assert_eq!(act.measured.workshop.fake.state().requests.len(), before);
}

#[test]
fn on_demand_by_hand_the_named_commit_is_measured_and_reported() {
    let Some(act) = Act::new() else { return };
    let head = act.measured.workshop.head();
    let by_hand = |commit: &str| {
        let event = json!({"inputs": {"pr": "7", "commit": commit}});
        act.example(
            "benchmark-on-demand.yml",
            "workflow_dispatch",
            &event,
            &hosted(),
        )
        .run()
        .expect(0)
    };
    let output = by_hand(&head);
    let bodies = act.measured.workshop.bodies();
    assert_eq!(bodies.len(), 1, "{}", output.stdout);
    assert!(bodies[0].contains(&format!("head={head}")), "{}", bodies[0]);
    assert_eq!(newest_status(&act).0, "success");
    // A commit that is no head any more is measured, and nobody is told.
    let before = act.measured.workshop.fake.state().statuses.len();
    let output = by_hand(&act.measured.workshop.stored.commits[3]);
    assert!(
        output.stdout.contains("nothing is reported"),
        "{}",
        output.stdout
    );
    assert_eq!(act.measured.workshop.bodies(), bodies);
    assert_eq!(act.measured.workshop.fake.state().statuses.len(), before);
}

#[test]
fn a_push_takes_the_label_away_and_measures_nothing() {
    let Some(act) = Act::new() else { return };
    act.measured
        .workshop
        .fake
        .state()
        .labels
        .extend([(7, "benchmark".to_owned()), (7, "documentation".to_owned())]);
    let mut event = own(&act);
    event["action"] = json!("synchronize");
    let mut pushed = |labels: Value| {
        event["pull_request"]["labels"] = labels;
        let name = "benchmark-on-demand.yml";
        act.example(name, "pull_request", &event, &hosted())
            .run()
            .expect(0)
    };
    let _without = pushed(json!([{"name": "documentation"}]));
    assert!(act.measured.workshop.fake.state().requests.is_empty());
    let output = pushed(json!([{"name": "documentation"}, {"name": "benchmark"}]));
    let state = act.measured.workshop.fake.state();
    assert_eq!(
        state.requests,
        ["DELETE /repos/owner/project/issues/7/labels/benchmark"],
        "{}",
        output.stdout
    );
    assert_eq!(state.labels, [(7, "documentation".to_owned())]);
}

#[test]
fn main_is_measured_on_a_push_and_once_a_day_and_published() {
    let site = tempfile::tempdir().unwrap();
    let bare = site.path().join("site.git");
    let bare = bare.to_str().unwrap();
    let settings = format!("{SETTINGS}\n[site]\nrepo = \"{bare}\"\nbranch = \"pages\"\n");
    let Some(act) = Act::with(&settings) else {
        return;
    };
    act.measured.merge();
    let workshop = &act.measured.workshop;
    let project = &workshop.stored.project;
    project.git(["init", "--quiet", "--bare", "--initial-branch=pages", bare]);
    // For a checkout without `ref:` act takes the folder as it is.
    project.git(["checkout", "--quiet", "main"]);
    let published = || {
        let listed = project
            .program("git")
            .args(["-C", bare, "log", "--format=", "--name-only", "pages"])
            .run();
        let of_head = format!("results/box/{}-bench.json", &workshop.head()[..8]);
        listed
            .stdout
            .lines()
            .filter(|line| *line == of_head)
            .count()
    };
    for (event, payload) in [
        (
            "push",
            json!({"ref": "refs/heads/main", "after": workshop.head()}),
        ),
        ("schedule", json!({"schedule": "17 3 * * *"})),
    ] {
        let before = published();
        let output = act
            .example("benchmark-main.yml", event, &payload, &Given::default())
            .run()
            .expect(0);
        assert!(
            output.stdout.contains("4 measured"),
            "{event}\n{}",
            output.stdout
        );
        assert!(published() > before, "{event}\n{}", output.stdout);
    }
    // No token is needed, and nobody but the site is told.
    assert!(workshop.fake.state().requests.is_empty());
}
