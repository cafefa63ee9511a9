//! The check run: the long text beside the status, under another name.

use serde_json::json;

use super::endpoints::Remote;
use super::{ApiError, STATUS_CONTEXT};

/// Characters of a check run's text; GitHub refuses more than 65,535.
const MOST_OF_A_TEXT: usize = 65_000;

/// How a check run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conclusion {
    Success,
    Failure,
    /// Says something and gates nothing; where it is required, it counts as passed.
    Neutral,
}

impl Conclusion {
    fn word(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Neutral => "neutral",
        }
    }
}

/// A check run that is complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckRun<'a> {
    pub name: &'a str,
    pub conclusion: Conclusion,
    /// One sentence.
    pub title: &'a str,
    /// Markdown.
    pub text: &'a str,
    pub details_url: Option<&'a str>,
}

impl CheckRun<'_> {
    /// Whether a name can be given: GitHub would require both a check run and a status of one name.
    pub fn is_name(name: &str) -> bool {
        let name = name.trim();
        !name.is_empty() && name.len() <= 255 && !name.eq_ignore_ascii_case(STATUS_CONTEXT)
    }

    /// Creates it on a commit. Only the token of an app, such as a workflow's, may do that.
    pub fn create(&self, remote: Remote<'_>, sha: &str) -> Result<(), ApiError> {
        let text: String = self.text.chars().take(MOST_OF_A_TEXT).collect();
        let mut body = json!({
            "name": self.name,
            "head_sha": sha,
            "status": "completed",
            "conclusion": self.conclusion.word(),
            "output": { "title": self.title, "summary": self.title, "text": text },
        });
        if let Some(url) = self.details_url {
            body["details_url"] = json!(url);
        }
        remote.create_check_run(body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_status_is_taken() {
        assert!(CheckRun::is_name("benchmark report"));
        for bad in [
            "",
            " ",
            "benchmark-check",
            " Benchmark-Check ",
            &"x".repeat(256),
        ] {
            assert!(!CheckRun::is_name(bad), "{bad}");
        }
    }
}
