//! What GitHub Actions says about the run: repository, event, summary. Everything in the event may
//! come from whoever opened the pull request, so only numbers, hashes and checked names are taken.

use std::path::PathBuf;

use fs_err as fs;
use serde_json::Value;

use crate::sys::env::Environment;

use super::RepositoryName;

/// What is known about where this runs; at a desk all is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ActionsContext {
    /// Whether this is a step of a workflow.
    pub in_actions: bool,
    /// The repository that the workflow belongs to.
    pub repository: Option<RepositoryName>,
    pub event: Option<Event>,
    pub run: Option<Run>,
    /// The file that the job's summary is appended to.
    pub summary: Option<PathBuf>,
    /// The address of the web pages, without a slash at the end.
    pub server_url: String,
}

/// A run of a workflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    pub id: u64,
    pub attempt: u64,
}

/// The event that started the workflow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// `pull_request`, `pull_request_target` and what else carries a pull request.
    PullRequest {
        number: u64,
        head_sha: String,
        /// Whether its branch is in another repository: then the token may only read.
        from_fork: bool,
    },
    MergeGroup {
        head_sha: String,
        base_sha: String,
        head_ref: String,
    },
    WorkflowRun {
        head_sha: String,
        head_repository: Option<RepositoryName>,
        head_branch: Option<String>,
        /// Empty for forks.
        pull_requests: Vec<u64>,
    },
    /// Started by hand, by a push, a schedule, ...
    Other { name: String },
}

/// The event's file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ContextError {
    #[error("the file of the event that GITHUB_EVENT_PATH names cannot be read")]
    Read(#[source] std::io::Error),
    #[error("the file of the event at {path} is no JSON")]
    NoJson {
        path: PathBuf,
        #[source]
        source: serde_json::Error,
    },
    #[error("the event `{event}` lacks a valid `{key}`")]
    Lacks { event: String, key: &'static str },
    #[error("GITHUB_PR_NUMBER is `{0}`, which is no number of a pull request")]
    BadNumber(String),
}

impl ActionsContext {
    /// Reads the variables and the file of the event.
    pub fn read(environment: &Environment) -> Result<Self, ContextError> {
        let mut context = Self::without_event(environment);
        let (Some(name), Some(path)) = (
            environment.get("GITHUB_EVENT_NAME"),
            environment.path("GITHUB_EVENT_PATH"),
        ) else {
            return Ok(context);
        };
        let text = fs::read_to_string(&path).map_err(ContextError::Read)?;
        let payload =
            serde_json::from_str(&text).map_err(|source| ContextError::NoJson { path, source })?;
        context.event = Some(event(name, &payload)?);
        Ok(context)
    }

    fn without_event(environment: &Environment) -> Self {
        let number = |name: &str| environment.get(name).and_then(|text| text.parse().ok());
        Self {
            in_actions: environment.in_actions(),
            repository: environment
                .get("GITHUB_REPOSITORY")
                .and_then(|text| text.parse().ok()),
            event: None,
            run: number("GITHUB_RUN_ID").map(|id| Run {
                id,
                attempt: number("GITHUB_RUN_ATTEMPT").unwrap_or(1),
            }),
            summary: environment.path("GITHUB_STEP_SUMMARY"),
            server_url: environment
                .get("GITHUB_SERVER_URL")
                .unwrap_or("https://github.com")
                .trim_end_matches('/')
                .to_owned(),
        }
    }

    /// The pages of the run.
    pub fn run_url(&self) -> Option<String> {
        let (run, repository) = (self.run?, self.repository.as_ref()?);
        Some(format!(
            "{}/{repository}/actions/runs/{}",
            self.server_url, run.id
        ))
    }

    /// The number of the pull request that the variable or the event names.
    pub fn pull_request(&self, environment: &Environment) -> Result<Option<u64>, ContextError> {
        if let Some(text) = environment.get("GITHUB_PR_NUMBER") {
            return match text.trim().parse() {
                Ok(number) if number > 0 => Ok(Some(number)),
                _ => Err(ContextError::BadNumber(text.to_owned())),
            };
        }
        Ok(match &self.event {
            Some(Event::PullRequest { number, .. }) => Some(*number),
            Some(Event::WorkflowRun { pull_requests, .. }) => match pull_requests.as_slice() {
                [number] => Some(*number),
                _ => None,
            },
            Some(Event::MergeGroup { head_ref, .. }) => queued_pull_request(head_ref),
            Some(Event::Other { .. }) | None => None,
        })
    }
}

/// The number in the name of a merge queue's branch:
/// `refs/heads/gh-readonly-queue/main/pr-123-<hash>`.
pub fn queued_pull_request(head_ref: &str) -> Option<u64> {
    let rest = head_ref
        .strip_prefix("refs/heads/")
        .unwrap_or(head_ref)
        .strip_prefix("gh-readonly-queue/")?;
    let (_, last) = rest.rsplit_once('/')?;
    let (number, hash) = last.strip_prefix("pr-")?.split_once('-')?;
    let valid = hash.len() == 40 && hash.chars().all(|c| c.is_ascii_hexdigit());
    valid.then(|| number.parse().ok()).flatten()
}

fn event(name: &str, payload: &Value) -> Result<Event, ContextError> {
    let lacks = |key: &'static str| ContextError::Lacks {
        event: name.to_owned(),
        key,
    };
    let sha = |value: &Value, key: &'static str| hash(value).ok_or_else(|| lacks(key));
    let pull = &payload["pull_request"];
    Ok(match name {
        "merge_group" => {
            let group = &payload["merge_group"];
            Event::MergeGroup {
                head_sha: sha(&group["head_sha"], "merge_group.head_sha")?,
                base_sha: sha(&group["base_sha"], "merge_group.base_sha")?,
                head_ref: group["head_ref"].as_str().unwrap_or_default().to_owned(),
            }
        }
        "workflow_run" => {
            let run = &payload["workflow_run"];
            let numbers = run["pull_requests"].as_array();
            Event::WorkflowRun {
                head_sha: sha(&run["head_sha"], "workflow_run.head_sha")?,
                head_repository: run["head_repository"]["full_name"]
                    .as_str()
                    .and_then(|name| name.parse().ok()),
                head_branch: run["head_branch"].as_str().map(str::to_owned),
                pull_requests: numbers
                    .into_iter()
                    .flatten()
                    .filter_map(|pull| pull["number"].as_u64())
                    .collect(),
            }
        }
        _ if pull.is_object() => {
            let of = |side: &str| pull[side]["repo"]["full_name"].as_str();
            Event::PullRequest {
                number: pull["number"]
                    .as_u64()
                    .ok_or_else(|| lacks("pull_request.number"))?,
                head_sha: sha(&pull["head"]["sha"], "pull_request.head.sha")?,
                // A head whose repository was deleted counts as a fork.
                from_fork: of("head").is_none() || of("head") != of("base"),
            }
        }
        _ => Event::Other {
            name: name.to_owned(),
        },
    })
}

fn hash(value: &Value) -> Option<String> {
    let text = value.as_str()?;
    let valid = text.len() == 40 && text.chars().all(|c| c.is_ascii_hexdigit());
    valid.then(|| text.to_ascii_lowercase())
}

#[cfg(test)]
mod tests;
