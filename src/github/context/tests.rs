use serde_json::json;

use super::*;

const HEAD: &str = "0123456789abcdef0123456789abcdef01234567";
const BASE: &str = "fedcba9876543210fedcba9876543210fedcba98";

fn context(name: &str, payload: &Value) -> (ActionsContext, Environment) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("event.json");
    fs::write(&path, payload.to_string()).unwrap();
    let environment: Environment = [
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_EVENT_NAME", name),
        ("GITHUB_EVENT_PATH", path.to_str().unwrap()),
        ("GITHUB_REPOSITORY", "o/r"),
        ("GITHUB_RUN_ID", "77"),
        ("GITHUB_RUN_ATTEMPT", "2"),
    ]
    .into_iter()
    .collect();
    (ActionsContext::read(&environment).unwrap(), environment)
}

#[test]
fn a_pull_request_is_told_from_one_of_a_fork() {
    let payload = |head: Value| {
        json!({"pull_request": {"number": 5, "head": {"sha": HEAD, "repo": head},
            "base": {"sha": BASE, "repo": {"full_name": "o/r"}}}})
    };
    for (repository, fork) in [
        (json!({"full_name": "o/r"}), false),
        (json!({"full_name": "x/r"}), true),
        (Value::Null, true),
    ] {
        let (context, environment) = context("pull_request", &payload(repository));
        assert_eq!(
            context.event,
            Some(Event::PullRequest {
                number: 5,
                head_sha: HEAD.to_owned(),
                from_fork: fork
            })
        );
        assert_eq!(context.pull_request(&environment).unwrap(), Some(5));
        assert_eq!(
            context.run_url().as_deref(),
            Some("https://github.com/o/r/actions/runs/77")
        );
    }
}

#[test]
fn the_queue_names_its_pull_request_in_its_branch() {
    let name = format!("refs/heads/gh-readonly-queue/main/pr-12-{HEAD}");
    let payload = json!({"merge_group":
        {"head_sha": HEAD, "base_sha": BASE, "head_ref": name}});
    let (context, environment) = context("merge_group", &payload);
    assert_eq!(context.pull_request(&environment).unwrap(), Some(12));
    for bad in [
        "refs/heads/main",
        "refs/heads/gh-readonly-queue/main/pr-x-0123",
        "refs/heads/gh-readonly-queue/main/pr-12",
        &format!("refs/heads/pr-12-{HEAD}"),
    ] {
        assert_eq!(queued_pull_request(bad), None, "{bad}");
    }
    let nested = format!("refs/heads/gh-readonly-queue/release/v1/pr-3-{HEAD}");
    assert_eq!(queued_pull_request(&nested), Some(3));
}

#[test]
fn other_events_name_none_and_the_variable_goes_first() {
    let run = json!({"workflow_run": {"head_sha": HEAD, "head_branch": "b",
        "head_repository": {"full_name": "x/r"}, "pull_requests": []}});
    let (context_of_run, environment) = context("workflow_run", &run);
    assert_eq!(context_of_run.pull_request(&environment).unwrap(), None);
    let (other, _) = context("workflow_dispatch", &json!({"inputs": {}}));
    assert_eq!(
        other.event,
        Some(Event::Other {
            name: "workflow_dispatch".to_owned()
        })
    );
    let set: Environment = [("GITHUB_PR_NUMBER", "9")].into_iter().collect();
    assert_eq!(other.pull_request(&set).unwrap(), Some(9));
    let odd: Environment = [("GITHUB_PR_NUMBER", "#9")].into_iter().collect();
    assert!(other.pull_request(&odd).is_err());
}

#[test]
fn hashes_and_numbers_of_events_are_checked() {
    let bad = json!({"pull_request": {"number": 5, "head": {"sha": "$(rm)"}}});
    let error = event("pull_request", &bad).unwrap_err().to_string();
    assert!(error.contains("pull_request.head.sha"), "{error}");
}
