//! What the Python side answers.

use crate::json::{Json, Object};
use crate::worker::ReadEvent;

/// The reply to one request.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// It is done; the fields depend on the request.
    Answer(Object),
    /// It cannot be done at all; a sentence for the user.
    Refused(String),
    /// It does not apply here; the reason.
    Skipped(String),
    /// It went wrong.
    Failed(Failure),
}

/// What went wrong, and the traceback where there is one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Failure {
    /// One sentence.
    pub reason: String,
    /// A traceback, or the last lines that a process printed; may be empty.
    pub details: String,
}

impl Failure {
    /// A failure with nothing but its reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            details: String::new(),
        }
    }
}

impl ReadEvent for Reply {
    fn read(object: &Object) -> Option<Self> {
        let text = |key: &str| object.get(key).and_then(Json::as_str).unwrap_or_default();
        Some(match object.get("event")?.as_str()? {
            "answer" => Self::Answer(object.clone()),
            "refused" => Self::Refused(text("message").to_owned()),
            "skipped" => Self::Skipped(text("reason").to_owned()),
            "failed" => Self::Failed(Failure {
                reason: text("reason").to_owned(),
                details: object
                    .get("error")
                    .and_then(|error| error.get("traceback"))
                    .and_then(Json::as_str)
                    .unwrap_or_default()
                    .to_owned(),
            }),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    fn read(text: &str) -> Option<Reply> {
        Reply::read(parse(text).unwrap().as_object().unwrap())
    }

    #[test]
    fn replies_are_told_apart() {
        assert!(matches!(
            read(r#"{"event": "answer", "seconds": 1.5}"#),
            Some(Reply::Answer(fields)) if fields["seconds"].as_f64() == Some(1.5)
        ));
        assert_eq!(
            read(r#"{"event": "refused", "message": "no"}"#),
            Some(Reply::Refused("no".to_owned()))
        );
        assert_eq!(
            read(r#"{"event": "failed", "reason": "ValueError: x", "error": {"traceback": "T"}}"#),
            Some(Reply::Failed(Failure {
                reason: "ValueError: x".to_owned(),
                details: "T".to_owned()
            }))
        );
        assert_eq!(
            read(r#"{"event": "failed", "reason": "NaN", "error": null}"#),
            Some(Reply::Failed(Failure::new("NaN")))
        );
        assert_eq!(read(r#"{"event": "hello"}"#), None);
    }
}
