use super::super::endpoints::Remote;
use super::super::testing::{ManualClock, Script, answer};
use super::*;
use crate::github::RepositoryName;

const PULL: &str =
    r#"{"number": 1, "head": {"sha": "a", "ref": "b"}, "base": {"sha": "c", "ref": "main"}}"#;
const COMMENT: &str = r#"{"id": 1, "body": "x", "user": {"login": "me"}}"#;

fn with<T>(
    answers: Vec<Result<Response, String>>,
    call: impl FnOnce(Remote<'_>) -> T,
) -> (T, Script, ManualClock) {
    let (script, clock) = (Script::new(answers), ManualClock::default());
    let client = Client::new(script.clone(), clock.clone());
    let name = RepositoryName {
        owner: "o".to_owned(),
        name: "r".to_owned(),
    };
    let result = call(Remote {
        client: &client,
        name: &name,
    });
    (result, script, clock)
}

#[test]
fn a_read_is_repeated_after_a_broken_answer_and_none() {
    let answers = vec![
        Err("connection reset".to_owned()),
        Ok(answer(502, &[], "")),
        Ok(answer(200, &[], PULL)),
    ];
    let (pull, script, clock) = with(answers, |remote| remote.pull(1));
    assert_eq!(pull.unwrap().head.sha, "a");
    assert_eq!(script.sent().len(), 3);
    assert!(clock.waited() >= 3, "{}", clock.waited());
}

#[test]
fn a_read_that_never_works_ends_after_five_more_tries() {
    let answers = (0..6).map(|_| Err("no route".to_owned())).collect();
    let (pull, script, _) = with(answers, |remote| remote.pull(1));
    let error = pull.unwrap_err().to_string();
    assert!(error.contains("no route"), "{error}");
    assert_eq!(script.sent().len(), 6);
}

#[test]
fn a_post_is_never_repeated_blindly() {
    for broken in [Err("reset".to_owned()), Ok(answer(500, &[], ""))] {
        let (result, script, clock) = with(vec![broken], |remote| remote.create_comment(1, "x"));
        assert!(result.unwrap_err().is_unknown());
        assert_eq!((script.sent().len(), clock.waited()), (1, 0));
    }
}

#[test]
fn a_post_that_a_limit_refused_is_sent_again_when_the_limit_says() {
    let answers = vec![
        Ok(answer(403, &[("retry-after", "30")], "")),
        Ok(answer(
            429,
            &[
                ("x-ratelimit-remaining", "0"),
                ("x-ratelimit-reset", "1000131"),
            ],
            "",
        )),
        Ok(answer(201, &[], COMMENT)),
    ];
    let (result, script, clock) = with(answers, |remote| remote.create_comment(1, "x"));
    assert_eq!(result.unwrap().id, 1);
    assert_eq!(script.sent().len(), 3);
    assert_eq!(clock.waited(), 132);
}

#[test]
fn a_limit_beyond_the_budget_is_an_error_at_once() {
    let answers = vec![Ok(answer(403, &[("retry-after", "3600")], ""))];
    let (result, _, clock) = with(answers, |remote| remote.pull(1));
    let error = result.unwrap_err();
    assert!(matches!(error, ApiError::RateLimited { .. }), "{error}");
    assert_eq!(clock.waited(), 0);
}

#[test]
fn a_missing_permission_is_named_with_the_lines_that_grant_it() {
    let body = r#"{"message": "Resource not accessible by integration"}"#;
    let (result, script, _) = with(vec![Ok(answer(403, &[], body))], |remote| {
        remote.create_comment(1, "x")
    });
    let error = result.unwrap_err().to_string();
    assert!(
        error.contains("permissions:\n    pull-requests: write"),
        "{error}"
    );
    assert_eq!(script.sent().len(), 1);
}

#[test]
fn a_422_is_never_repeated() {
    let (result, script, _) = with(vec![Ok(answer(422, &[], "{}"))], |remote| {
        remote.edit_comment(1, "x")
    });
    assert!(matches!(result, Err(ApiError::Refused { status: 422, .. })));
    assert_eq!(script.sent().len(), 1);
}

#[test]
fn all_pages_are_read_and_writes_have_pauses() {
    let next = "<https://api.github.com/repositories/1/issues/1/comments?page=2>; rel=\"next\"";
    let two = r#"[{"id": 2, "body": "y", "user": null}]"#;
    let answers = vec![
        Ok(answer(200, &[("link", next)], &format!("[{COMMENT}]"))),
        Ok(answer(200, &[], two)),
        Ok(answer(200, &[], COMMENT)),
        Ok(answer(204, &[], "")),
    ];
    let (ids, script, clock) = with(answers, |remote| {
        let comments = remote.comments(1).unwrap();
        remote.edit_comment(1, "z").unwrap();
        remote.delete_comment(2).unwrap();
        comments
            .iter()
            .map(|comment| comment.id)
            .collect::<Vec<_>>()
    });
    assert_eq!(ids, [1, 2]);
    assert_eq!(
        script.sent(),
        [
            "Get /repos/o/r/issues/1/comments?per_page=100",
            "Get https://api.github.com/repositories/1/issues/1/comments?page=2",
            "Patch /repos/o/r/issues/comments/1",
            "Delete /repos/o/r/issues/comments/2",
        ]
    );
    assert_eq!(clock.waited(), 1);
}

#[test]
fn an_answer_that_has_not_changed_is_taken_from_memory() {
    let answers = vec![
        Ok(answer(200, &[("etag", "\"1\"")], PULL)),
        Ok(answer(304, &[], "")),
    ];
    let (pulls, script, _) = with(answers, |remote| (remote.pull(1), remote.pull(1)));
    assert_eq!(pulls.0.unwrap(), pulls.1.unwrap());
    let known = script.requests.borrow()[1].known.clone();
    assert_eq!(known.as_deref(), Some("\"1\""));
}

#[test]
fn a_comment_that_is_gone_already_is_deleted() {
    let (result, _, _) = with(vec![Ok(answer(404, &[], "{}"))], |remote| {
        remote.delete_comment(1)
    });
    result.unwrap();
}

#[test]
fn without_time_to_wait_a_broken_server_is_no_rate_limit() {
    let script = Script::new(vec![Err("no route".to_owned())]);
    let client = Client::new(script.clone(), ManualClock::default()).with_budget(Duration::ZERO);
    let error = client
        .send(&Request::get("/x".to_owned(), "ask", "metadata: read"))
        .unwrap_err();
    assert!(matches!(error, ApiError::Unreachable { .. }), "{error}");
    assert_eq!(script.sent().len(), 1);
}

#[test]
fn the_scopes_of_a_classic_token_come_with_the_answer() {
    let body = r#"{"private": true, "default_branch": "main", "permissions": {"push": true}}"#;
    let scopes = |headers: &[(&str, &str)]| {
        let answers = vec![Ok(answer(200, headers, body))];
        let (scopes, ..) = with(answers, |remote| {
            remote.access().map(|access| access.scopes)
        });
        scopes.unwrap()
    };
    let two = ["repo".to_owned(), "workflow".to_owned()];
    assert_eq!(
        scopes(&[("x-oauth-scopes", "repo, workflow")]).unwrap(),
        two
    );
    assert_eq!(scopes(&[("x-oauth-scopes", "")]), Some(Vec::new()));
    assert_eq!(scopes(&[]), None);
}

#[test]
fn all_rulesets_apply_and_one_that_names_an_app_decides() {
    let rule = |app: &str| {
        format!(
            r#"{{"type": "required_status_checks", "parameters":
            {{"required_status_checks": [{{"context": "benchmark-check"{app}}}]}}}}"#
        )
    };
    let (open, pinned) = (rule(""), rule(r#", "integration_id": 15368"#));
    for (rules, expected) in [
        (r#"[{"type": "deletion"}]"#.to_owned(), None),
        (format!("[{open}]"), Some(None)),
        (format!("[{open}, {pinned}]"), Some(Some(15_368))),
        (format!("[{pinned}, {open}]"), Some(Some(15_368))),
    ] {
        let (found, script, _) = with(vec![Ok(answer(200, &[], &rules))], |remote| {
            remote.required_by_ruleset("v/1", "benchmark-check")
        });
        assert_eq!(found.unwrap().map(|required| required.app), expected);
        assert_eq!(
            script.sent(),
            ["Get /repos/o/r/rules/branches/v%2F1?per_page=100"]
        );
    }
}
