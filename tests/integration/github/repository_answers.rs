//! What the stand-in says about the repository itself: who asks, and what its main branch requires.

use serde_json::{Value, json};

use super::answers::{Answer, not_found, template};
use super::fake::{Asked, REPOSITORY, State};

/// The repository; a classic token is told its scopes.
pub(super) fn repository(state: &State, login: &str) -> Answer {
    let mut answer = template("repository");
    answer["full_name"] = json!(REPOSITORY);
    answer["private"] = json!(state.is_private);
    answer["default_branch"] = json!("main");
    if login == "dev" {
        let may_push = state.permissions.get(login).is_none_or(|may| may != "read");
        answer["permissions"] = json!({"admin": false, "push": may_push, "pull": true});
    }
    Answer::new(200, answer)
}

/// The rules of a branch by all rulesets.
pub(super) fn rules(state: &State) -> Answer {
    let of_ruleset = |mut rule: Value| {
        rule["ruleset_source_type"] = json!("Repository");
        rule["ruleset_source"] = json!(REPOSITORY);
        rule["ruleset_id"] = json!(1);
        rule
    };
    let mut rules = vec![of_ruleset(json!({"type": "deletion"}))];
    if let Some(source) = state.ruleset {
        let mut check = json!({"context": "benchmark-check"});
        if let Some(app) = source.app() {
            check["integration_id"] = json!(app);
        }
        rules.push(of_ruleset(
            json!({"type": "required_status_checks", "parameters": {
            "required_status_checks": [{"context": "tests", "integration_id": 15368}, check],
            "strict_required_status_checks_policy": false}}),
        ));
    }
    Answer::new(200, Value::Array(rules))
}

/// The branch with the summary of its protection.
pub(super) fn branch(state: &State, name: &str) -> Answer {
    let Some(sha) = state.branches.get(name) else {
        return not_found();
    };
    let mut answer = template("branch");
    answer["name"] = json!(name);
    answer["commit"]["sha"] = json!(sha);
    answer["protected"] = json!(state.protection.is_some());
    if let Some(source) = state.protection
        && !state.hides_protection
    {
        answer["protection"] = json!({"enabled": true, "required_status_checks": {
            "enforcement_level": "non_admins", "contexts": ["benchmark-check"],
            "checks": [{"context": "benchmark-check", "app_id": source.app()}]}});
    }
    Answer::new(200, answer)
}

/// What administrators are told about its protection.
pub(super) fn protection(state: &State, asked: &Asked) -> Answer {
    let Some(source) = state.protection else {
        return Answer::message(404, "Branch not protected");
    };
    let url = format!("http://{}{}", asked.address, asked.path);
    Answer::new(
        200,
        json!({"url": url, "contexts_url": format!("{url}/contexts"), "strict": false,
            "contexts": ["benchmark-check"],
            "checks": [{"context": "benchmark-check", "app_id": source.app()}]}),
    )
}
