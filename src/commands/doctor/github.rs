//! GitHub: whether the token works and what it may do, and whether the main branch asks for the status.

use std::time::Duration;

use crate::commands::pull_request::{self, PullArguments};
use crate::github::{
    ActionsContext, ApiError, Client, Credentials, NoToken, OctocrabTransport, Patience, Remote,
    RepositoryName, STATUS_CONTEXT, SystemClock,
};

use super::finding::Finding;
use super::rule::{self, Asked};
use super::subject::{Subject, sentence};
use super::token;

/// A doctor does not wait for a network that is not there.
const PATIENCE: Patience = Patience {
    connect: Duration::from_secs(5),
    answer: Duration::from_secs(10),
};

pub(super) fn examine(subject: &Subject<'_>) -> Vec<Finding> {
    let actions = match ActionsContext::read(&subject.context.environment) {
        Ok(actions) => actions,
        Err(error) => {
            return vec![Finding::error(
                sentence(error),
                "start lcmbench from a step of the workflow, whose variables the runner sets",
            )];
        }
    };
    let local = subject.repository.as_ref().ok();
    let Ok(name) = pull_request::repository(&PullArguments::default(), &actions, local) else {
        return vec![Finding::fine(
            "no remote is on GitHub, so neither a token nor a rule of the branch was looked for",
        )];
    };
    let credentials = match Credentials::find(&subject.context.environment) {
        Ok(credentials) => credentials,
        Err(error @ NoToken) => {
            return vec![Finding::warning(
                error.to_string(),
                "`lcmbench run` and `compare` need none; `pr`, `pr-comment`, `check` and `report` do",
            )];
        }
    };
    let client = OctocrabTransport::with(&credentials, PATIENCE, None)
        .map(|transport| Client::new(transport, SystemClock).with_budget(Duration::ZERO));
    match client {
        Ok(client) => asked(subject, &name, &client, &credentials),
        Err(error) => vec![Finding::error(
            sentence(error),
            "GITHUB_API_URL must be the address of an API, such as https://api.github.com, and the token one line",
        )],
    }
}

fn asked(
    subject: &Subject<'_>,
    name: &RepositoryName,
    client: &Client<'_>,
    credentials: &Credentials,
) -> Vec<Finding> {
    let remote = Remote { client, name };
    let access = match remote.access() {
        Ok(access) => access,
        Err(error) => return vec![without_access(name, credentials, &error)],
    };
    let branch = match subject.settings() {
        Some(settings) => settings.main_branch.clone(),
        None => access.default_branch.clone(),
    };
    let token = token::Known {
        source: credentials.source,
        repository: name,
        access: &access,
        refused: match access.scopes {
            Some(_) => Ok(Vec::new()),
            None => remote.refused_reads(&branch),
        },
    };
    let mut findings = token::judged(&token);
    let by_ruleset = remote.required_by_ruleset(&branch, STATUS_CONTEXT);
    let by_protection = match &by_ruleset {
        Ok(Some(required)) if required.app.is_some() => Ok(None),
        _ => remote.required_by_protection(&branch, STATUS_CONTEXT),
    };
    findings.push(rule::judged(
        name,
        &branch,
        &Asked {
            by_ruleset,
            by_protection,
        },
    ));
    findings
}

/// Nothing is known about the repository with this token.
fn without_access(name: &RepositoryName, credentials: &Credentials, error: &ApiError) -> Finding {
    let source = credentials.source;
    match error {
        ApiError::Unauthorized { message } => Finding::error(
            format!("GitHub does not accept the token of {source} (401: {message})"),
            format!("it may have expired; set another {}", way_to(source)),
        ),
        ApiError::NotFound { .. } | ApiError::MissingScope { .. } => Finding::warning(
            format!("with the token of {source} GitHub shows no repository {name}"),
            "give the token access to it: a classic one needs the scope `repo`, a fine-grained one this \
             repository; or correct the address of the remote",
        ),
        error => Finding::fine(format!(
            "GitHub was not reached, so neither the token of {source} nor a rule of the branch was \
             looked at ({error})"
        )),
    }
}

fn way_to(source: &str) -> String {
    if source.starts_with("gh ") {
        "with `gh auth login`".to_owned()
    } else {
        format!("in {source}")
    }
}
