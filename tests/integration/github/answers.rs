//! What the stand-in for GitHub answers.

use serde_json::{Value, json};

use super::fake::{ACTIONS_TOKEN, Asked, Comment, DEV_TOKEN, Pull, REPOSITORY, State, Status};
use super::repository_answers as of_repository;

/// An answer.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Value,
}

impl Answer {
    pub(crate) fn new(status: u16, body: Value) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body,
        }
    }

    pub(crate) fn message(status: u16, message: &str) -> Self {
        Self::new(
            status,
            json!({"message": message, "documentation_url": "https://docs.github.com/rest"}),
        )
    }

    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }
}

pub(super) fn template(name: &str) -> Value {
    let text = match name {
        "branch" => include_str!("../../fixtures/github/branch.json"),
        "comment" => include_str!("../../fixtures/github/comment.json"),
        "check_run" => include_str!("../../fixtures/github/check_run.json"),
        "comparison" => include_str!("../../fixtures/github/comparison.json"),
        "permission" => include_str!("../../fixtures/github/permission.json"),
        "pull" => include_str!("../../fixtures/github/pull.json"),
        "pull_in_list" => include_str!("../../fixtures/github/pull_in_list.json"),
        "repository" => include_str!("../../fixtures/github/repository.json"),
        "simple_user" => include_str!("../../fixtures/github/simple_user.json"),
        "status" => include_str!("../../fixtures/github/status.json"),
        _ => include_str!("../../fixtures/github/user.json"),
    };
    serde_json::from_str(text).expect("a fixture is JSON")
}

fn user(login: &str) -> Value {
    let mut user = template("simple_user");
    user["login"] = json!(login);
    user["type"] = json!(if login.ends_with("[bot]") {
        "Bot"
    } else {
        "User"
    });
    user
}

/// Carries out a request.
pub(super) fn handle(state: &mut State, asked: &Asked) -> Answer {
    let token = asked
        .headers
        .get("authorization")
        .and_then(|value| value.strip_prefix("Bearer "));
    let login = match token {
        Some(ACTIONS_TOKEN) => "github-actions[bot]",
        Some(DEV_TOKEN) => "dev",
        _ => return Answer::message(401, "Bad credentials"),
    };
    if !asked.headers.contains_key("x-github-api-version")
        || asked.headers.get("accept").map(String::as_str) != Some("application/vnd.github+json")
    {
        return Answer::message(
            415,
            "the headers Accept and X-GitHub-Api-Version are wanted",
        );
    }
    if asked.path == "/user" {
        return if login == "dev" {
            let mut user = template("user");
            user["login"] = json!(login);
            Answer::new(200, user)
        } else {
            Answer::message(403, "Resource not accessible by integration")
        };
    }
    let answer = below_repository(state, asked, login);
    match state.scopes {
        // Only classic tokens have scopes, and every answer to one names them.
        Some(scopes) if login == "dev" => answer.with("X-OAuth-Scopes", scopes),
        _ => answer,
    }
}

fn below_repository(state: &mut State, asked: &Asked, login: &str) -> Answer {
    if asked.path == format!("/repos/{REPOSITORY}") {
        return of_repository::repository(state, login);
    }
    let Some(rest) = asked.path.strip_prefix(&format!("/repos/{REPOSITORY}/")) else {
        return Answer::message(404, "Not Found");
    };
    let parts: Vec<&str> = rest.split('/').collect();
    let needs = match (asked.method.as_str(), parts[0]) {
        ("GET", "issues" | "pulls") => "pull-requests: read",
        (_, "issues" | "pulls") => "pull-requests: write",
        ("POST", "statuses") => "statuses: write",
        ("POST", "check-runs") => "checks: write",
        (_, "commits") => "statuses: read",
        (_, "branches") if parts.len() > 2 => "administration: read",
        (_, "compare" | "branches") => "contents: read",
        _ => "metadata: read",
    };
    if state.withheld.contains(&needs) {
        return Answer::message(403, "Resource not accessible by integration");
    }
    route(state, asked, login, &parts)
}

fn route(state: &mut State, asked: &Asked, login: &str, parts: &[&str]) -> Answer {
    match (asked.method.as_str(), parts) {
        ("GET", ["pulls"]) => {
            let wanted = asked.query.get("head");
            let found: Vec<Value> = state
                .pulls
                .iter()
                .filter(|pull| wanted.is_none_or(|wanted| label(pull) == *wanted))
                .map(|pull| pull_json(pull, "pull_in_list"))
                .collect();
            paged(asked, found)
        }
        ("GET", ["pulls", number]) => {
            let found = state
                .pulls
                .iter()
                .find(|pull| pull.number.to_string() == *number);
            found.map_or_else(not_found, |pull| Answer::new(200, pull_json(pull, "pull")))
        }
        ("GET", ["issues", number, "comments"]) => {
            let on_it = |comment: &&Comment| comment.pull.to_string() == **number;
            let comments: Vec<Value> = state
                .comments
                .iter()
                .filter(on_it)
                .map(comment_json)
                .collect();
            paged(asked, comments)
        }
        ("POST", ["issues", number, "comments"]) => {
            let Some(body) = asked.body["body"].as_str() else {
                return Answer::message(422, "Invalid request");
            };
            if let Some(refusal) = too_long(body) {
                return refusal;
            }
            let id = state.comment(number.parse().unwrap(), login, body);
            let made = state.comments.iter().find(|comment| comment.id == id);
            Answer::new(201, comment_json(made.unwrap()))
        }
        ("DELETE", ["issues", number, "labels", name]) => {
            let is_it =
                |label: &(u64, String)| label.0.to_string() == **number && label.1 == **name;
            let before = state.labels.len();
            state.labels.retain(|label| !is_it(label));
            if state.labels.len() == before {
                return Answer::message(404, "Label does not exist");
            }
            Answer::new(200, json!([]))
        }
        (method, ["issues", "comments", id]) => one_comment(state, asked, method, id),
        ("GET", ["commits", sha, "statuses"]) => {
            let mut found: Vec<Value> = state
                .statuses
                .iter()
                .filter(|status| status.sha == *sha)
                .map(status_json)
                .collect();
            found.reverse();
            paged(asked, found)
        }
        ("POST", ["statuses", sha]) => new_status(state, asked, login, sha),
        ("POST", ["check-runs"]) => new_check_run(state, asked, login),
        ("GET", ["collaborators", name, "permission"]) => {
            let mut answer = template("permission");
            let known = state.permissions.get(*name).cloned();
            answer["permission"] = json!(known.unwrap_or_else(|| "read".to_owned()));
            Answer::new(200, answer)
        }
        ("GET", ["compare", both]) => compare(state, both),
        ("GET", ["rules", "branches", _]) => of_repository::rules(state),
        ("GET", ["branches", name]) => of_repository::branch(state, name),
        ("GET", ["branches", _, "protection", "required_status_checks"]) => {
            of_repository::protection(state, asked)
        }
        _ => not_found(),
    }
}

pub(super) fn not_found() -> Answer {
    Answer::message(404, "Not Found")
}

fn too_long(body: &str) -> Option<Answer> {
    let refusal = json!({"message": "Validation Failed", "documentation_url": "https://docs.github.com/rest", "errors": [
        {"resource": "IssueComment", "code": "custom", "field": "body",
         "message": "body is too long (maximum is 65536 characters)"}]});
    (body.chars().count() > 65_536).then(|| Answer::new(422, refusal))
}

fn one_comment(state: &mut State, asked: &Asked, method: &str, id: &str) -> Answer {
    let Some(at) = state
        .comments
        .iter()
        .position(|comment| comment.id.to_string() == id)
    else {
        return not_found();
    };
    match method {
        "DELETE" => {
            state.comments.remove(at);
            Answer::new(204, Value::Null)
        }
        "PATCH" => {
            let body = asked.body["body"].as_str().unwrap_or_default();
            if let Some(refusal) = too_long(body) {
                return refusal;
            }
            body.clone_into(&mut state.comments[at].body);
            Answer::new(200, comment_json(&state.comments[at]))
        }
        _ => Answer::new(200, comment_json(&state.comments[at])),
    }
}

fn new_status(state: &mut State, asked: &Asked, login: &str, sha: &str) -> Answer {
    let text = |name: &str| asked.body[name].as_str().map(str::to_owned);
    let description = text("description").unwrap_or_default();
    if description.chars().count() > 140 {
        return Answer::message(
            422,
            "Validation Failed: description is too long (maximum is 140 characters)",
        );
    }
    let context = text("context").unwrap_or_else(|| "default".to_owned());
    let alike = |status: &&Status| status.sha == sha && status.context == context;
    if state.statuses.iter().filter(alike).count() >= 1000 {
        return Answer::message(
            422,
            "Validation failed: This SHA and context has reached the maximum number of statuses.",
        );
    }
    let status = Status {
        sha: sha.to_owned(),
        state: text("state").unwrap_or_default(),
        context,
        description,
        target_url: text("target_url"),
        created_at: jiff::Timestamp::now()
            .strftime("%Y-%m-%dT%H:%M:%SZ")
            .to_string(),
        login: login.to_owned(),
    };
    let answer = Answer::new(201, status_json(&status));
    state.statuses.push(status);
    answer
}

/// Only an app may create one; a completed one needs a conclusion.
fn new_check_run(state: &mut State, asked: &Asked, login: &str) -> Answer {
    if !login.ends_with("[bot]") {
        return Answer::message(403, "You must authenticate via a GitHub App.");
    }
    let lacks = |name: &str| asked.body[name].as_str().is_none();
    if lacks("name") || lacks("head_sha") || lacks("conclusion") {
        return Answer::message(422, "Invalid request");
    }
    let text = asked.body["output"]["text"].as_str().unwrap_or_default();
    if text.chars().count() > 65_535 {
        return Answer::message(422, "Only 65535 characters are allowed");
    }
    let mut answer = template("check_run");
    for name in ["name", "head_sha", "status", "conclusion"] {
        answer[name] = asked.body[name].clone();
    }
    state.check_runs.push(asked.body.clone());
    Answer::new(201, answer)
}

/// Commits are a line: `state.commits`, oldest first. Two that are not on it share the first.
fn compare(state: &State, both: &str) -> Answer {
    let Some((base, head)) = both.split_once("...") else {
        return not_found();
    };
    let place = |name: &str| {
        let hash = state.branches.get(name).map_or(name, String::as_str);
        state
            .commits
            .iter()
            .position(|known| known.starts_with(hash))
    };
    let (Some(base), Some(head)) = (place(base), place(head)) else {
        return not_found();
    };
    let merge_base = base.min(head);
    let mut answer = template("comparison");
    answer["merge_base_commit"]["sha"] = json!(state.commits[merge_base]);
    answer["ahead_by"] = json!(head - merge_base);
    answer["behind_by"] = json!(base - merge_base);
    answer["files"] = state
        .changed_files
        .iter()
        .map(|name| {
            json!({"sha": "a".repeat(40), "filename": name, "status": "modified", "additions": 1,
                "deletions": 0, "changes": 1, "blob_url": "https://example.org/x",
                "raw_url": "https://example.org/x", "contents_url": "https://example.org/x"})
        })
        .collect();
    Answer::new(200, answer)
}

fn label(pull: &Pull) -> String {
    let repository = pull.head_repository.clone().unwrap_or_default();
    let owner = repository.split('/').next().unwrap_or_default();
    format!("{owner}:{}", pull.head_ref)
}

fn pull_json(pull: &Pull, kind: &str) -> Value {
    let mut answer = template(kind);
    answer["number"] = json!(pull.number);
    answer["title"] = json!(format!("Pull request {}", pull.number));
    answer["state"] = json!("open");
    answer["html_url"] = json!(format!(
        "https://github.com/{REPOSITORY}/pull/{}",
        pull.number
    ));
    answer["head"]["sha"] = json!(pull.head_sha);
    answer["head"]["ref"] = json!(pull.head_ref);
    match &pull.head_repository {
        Some(name) => answer["head"]["repo"]["full_name"] = json!(name),
        None => answer["head"]["repo"] = Value::Null,
    }
    answer["base"]["sha"] = json!(pull.base_sha);
    answer["base"]["ref"] = json!("main");
    answer["base"]["repo"]["full_name"] = json!(REPOSITORY);
    answer
}

fn comment_json(comment: &Comment) -> Value {
    let mut answer = template("comment");
    answer["id"] = json!(comment.id);
    answer["user"] = user(&comment.login);
    answer["author_association"] = json!(comment.association);
    answer["body"] = json!(comment.body);
    answer["html_url"] = json!(format!(
        "https://github.com/{REPOSITORY}/pull/{}#issuecomment-{}",
        comment.pull, comment.id
    ));
    answer
}

fn status_json(status: &Status) -> Value {
    let mut answer = template("status");
    answer["state"] = json!(status.state);
    answer["context"] = json!(status.context);
    answer["description"] = json!(status.description);
    answer["target_url"] = json!(status.target_url);
    answer["created_at"] = json!(status.created_at);
    answer["creator"] = user(&status.login);
    answer
}

/// One page of a list with GitHub's sizes: 30 unless asked for more, 100 at most.
fn paged(asked: &Asked, all: Vec<Value>) -> Answer {
    let number = |name: &str| asked.query.get(name).and_then(|text| text.parse().ok());
    let size = number("per_page").unwrap_or(30).clamp(1, 100);
    let page = number("page").unwrap_or(1).max(1);
    let pages = all.len().div_ceil(size).max(1);
    let items = all.into_iter().skip((page - 1) * size).take(size).collect();
    let answer = Answer::new(200, Value::Array(items));
    if page >= pages {
        return answer;
    }
    let at = |page: usize| {
        let others: Vec<String> = asked
            .query
            .iter()
            .filter(|(name, _)| *name != "page")
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let others = others.join("&");
        format!(
            "<http://{}{}?{others}&page={page}>",
            asked.address, asked.path
        )
    };
    answer.with(
        "Link",
        &format!(
            "{}; rel=\"next\", {}; rel=\"last\"",
            at(page + 1),
            at(pages)
        ),
    )
}
