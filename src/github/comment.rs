//! The comment on a pull request, written so that one remains.

use std::time::Duration;

use super::endpoints::Remote;
use super::plan::{Draft, Plan, plan};
use super::{ApiError, Comment, Credentials, Marks};

/// The login that comments of a workflow's own token have.
pub const ACTIONS_BOT: &str = "github-actions[bot]";

/// So often the thread is looked at again before it is given up.
const ROUNDS: usize = 6;

/// Before the thread is looked at again after an answer that did not come.
const AFTER_UNKNOWN: Duration = Duration::from_secs(2);

/// What became of a comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posted {
    pub outcome: Outcome,
    pub url: String,
    /// Doubles that were deleted.
    pub deleted: usize,
}

/// How the comment got there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Created,
    Edited,
    /// It was there, letter for letter.
    Unchanged,
    /// One of a later run, or of the present HEAD, is there and stays.
    Newer,
}

/// The login that a token writes as. A workflow's own token may not ask.
pub fn author(remote: Remote<'_>, credentials: &Credentials) -> Result<String, ApiError> {
    if credentials.is_of_an_app() {
        return Ok(ACTIONS_BOT.to_owned());
    }
    match remote.login() {
        Err(ApiError::MissingScope { .. }) => Ok(ACTIONS_BOT.to_owned()),
        other => other,
    }
}

/// Creates or edits the comment of the draft's key, deletes its doubles, and looks again until the
/// thread is as it should be. There is no lock on GitHub: whoever looks last repairs.
pub fn upsert(remote: Remote<'_>, number: u64, draft: &Draft<'_>) -> Result<Posted, ApiError> {
    let mut outcome = Outcome::Unchanged;
    let mut deleted = 0;
    let mut last = None;
    let mut author = draft.author.to_owned();
    for _ in 0..ROUNDS {
        let comments = remote.comments(number)?;
        let draft = Draft {
            author: &author,
            ..*draft
        };
        match plan(&comments, &draft) {
            Plan::Create => match remote.create_comment(number, draft.body) {
                Ok(created) => {
                    outcome = Outcome::Created;
                    // GitHub knows better than `--author` and than what the look of a token says (an
                    // app of one's own has its own login). Looked for under a wrong one, the comment
                    // would be missed and written again.
                    if let Some(user) = created.user {
                        author = user.login;
                    }
                }
                Err(error) if error.is_unknown() => {
                    remote.client.wait(AFTER_UNKNOWN, "write the comment")?;
                    last = Some(error);
                }
                Err(error) => return Err(error),
            },
            Plan::Newer { id, delete } => {
                deleted += delete_all(remote, &delete)?;
                return Ok(posted(&comments, id, Outcome::Newer, deleted));
            }
            Plan::Keep { id, body, delete } => {
                if let Some(body) = body {
                    if changed_meanwhile(remote, &comments, id)? {
                        continue;
                    }
                    match remote.edit_comment(id, &body) {
                        Ok(_) if outcome == Outcome::Created => {}
                        Ok(_) => outcome = Outcome::Edited,
                        // Somebody deleted it: look again.
                        Err(error) if error.is_not_found() => continue,
                        Err(error) => return Err(error),
                    }
                } else if last.is_some() {
                    // The creation whose answer did not come had happened.
                    outcome = Outcome::Created;
                }
                deleted += delete_all(remote, &delete)?;
                return Ok(posted(&comments, id, outcome, deleted));
            }
        }
    }
    Err(last.unwrap_or(ApiError::Unknown {
        purpose: "write the comment",
        message: "the comments change faster than they can be read".to_owned(),
    }))
}

/// Whether the comment that is about to be edited is no longer what was decided upon. Nothing on
/// GitHub compares and swaps, so this only makes the window small.
fn changed_meanwhile(remote: Remote<'_>, comments: &[Comment], id: u64) -> Result<bool, ApiError> {
    let known = comments.iter().find(|comment| comment.id == id);
    match remote.comment(id) {
        Ok(now) => {
            let block = |comment: &Comment| Marks::of(comment.text());
            Ok(known.is_some_and(|known| block(known) != block(&now)))
        }
        Err(error) if error.is_not_found() => Ok(true),
        Err(error) => Err(error),
    }
}

fn delete_all(remote: Remote<'_>, ids: &[u64]) -> Result<usize, ApiError> {
    for id in ids {
        remote.delete_comment(*id)?;
    }
    Ok(ids.len())
}

fn posted(comments: &[Comment], id: u64, outcome: Outcome, deleted: usize) -> Posted {
    let kept = comments.iter().find(|comment| comment.id == id);
    Posted {
        outcome,
        url: kept.map_or_else(String::new, |comment| comment.html_url.clone()),
        deleted,
    }
}
