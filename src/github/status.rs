//! The commit status that a branch rule can require.

use serde_json::json;

use super::endpoints::Remote;
use super::{ApiError, CommitStatus};

/// The name of the status. No job of a workflow may have the same: GitHub would require both.
pub const STATUS_CONTEXT: &str = "benchmark-check";

/// Characters of a description; GitHub refuses more.
const MOST_OF_A_DESCRIPTION: usize = 140;

/// How it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Pending,
    Success,
    Failure,
    /// It could not be measured.
    Error,
}

impl State {
    /// As GitHub writes it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Error => "error",
        }
    }
}

/// A status to be set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    pub state: State,
    pub description: String,
    /// Where the text leads.
    pub target_url: Option<String>,
}

/// What became of a status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatusOutcome {
    Written,
    /// It says so already.
    Unchanged,
    /// What is there stays.
    Left(CommitStatus),
}

impl Status {
    /// Writes it to a commit: the head of a pull request, or a merge group's; never a test merge.
    ///
    /// What is there stays if `yields_to` says so. GitHub keeps at most 1000 of a commit, so what is
    /// there already is not written again.
    pub fn write(
        &self,
        remote: Remote<'_>,
        sha: &str,
        yields_to: impl Fn(&CommitStatus) -> bool,
    ) -> Result<StatusOutcome, ApiError> {
        let body = self.body();
        let description = shortened(&self.description);
        let is_there = |status: &CommitStatus| {
            status.state == self.state.word()
                && status.description.as_deref() == Some(description.as_str())
        };
        if let Some(known) = remote.status(sha, STATUS_CONTEXT)? {
            if is_there(&known) {
                return Ok(StatusOutcome::Unchanged);
            }
            if yields_to(&known) {
                return Ok(StatusOutcome::Left(known));
            }
        }
        match remote.create_status(sha, body.clone()) {
            // Whether it was written is looked at before it is sent again.
            Err(error) if error.is_unknown() => {
                let known = remote.status(sha, STATUS_CONTEXT)?;
                if known.as_ref().is_some_and(is_there) {
                    return Ok(StatusOutcome::Written);
                }
                remote.create_status(sha, body)?;
            }
            other => other?,
        }
        Ok(StatusOutcome::Written)
    }

    /// Writes it without a look at what is there: for when there is no time. A second try after a
    /// failed one does no harm, since the last status counts.
    pub fn write_at_once(&self, remote: Remote<'_>, sha: &str) -> Result<(), ApiError> {
        match remote.create_status(sha, self.body()) {
            Err(error) if error.is_unknown() => remote.create_status(sha, self.body()),
            other => other,
        }
    }

    fn body(&self) -> serde_json::Value {
        let mut body = json!({
            "state": self.state.word(),
            "context": STATUS_CONTEXT,
            "description": shortened(&self.description),
        });
        if let Some(url) = &self.target_url {
            body["target_url"] = json!(url);
        }
        body
    }
}

/// One line of at most 140 characters.
fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MOST_OF_A_DESCRIPTION {
        return line;
    }
    let kept: String = line.chars().take(MOST_OF_A_DESCRIPTION - 1).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_one_line_of_140_characters() {
        assert_eq!(shortened("a\n b"), "a b");
        let long = "wörter ".repeat(60);
        let cut = shortened(&long);
        assert!(cut.chars().count() <= 140, "{}", cut.chars().count());
        assert!(cut.ends_with('…'));
        assert_eq!(shortened(&"x".repeat(140)), "x".repeat(140));
    }
}
