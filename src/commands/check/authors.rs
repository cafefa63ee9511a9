//! Whose comments count: anybody can write a marker.

use std::collections::HashMap;

use crate::github::{ApiError, Comment, Remote};

/// The configured logins, and all who may write to the repository.
pub(super) struct Authors<'a> {
    remote: Remote<'a>,
    logins: &'a [String],
    asked: HashMap<String, bool>,
}

impl<'a> Authors<'a> {
    pub(super) fn new(remote: Remote<'a>, logins: &'a [String]) -> Self {
        Self {
            remote,
            logins,
            asked: HashMap::new(),
        }
    }

    /// Whether a comment counts. GitHub is asked about an author once, and only where the comment
    /// itself does not tell; who cannot be asked about may not write.
    pub(super) fn count(&mut self, comment: &Comment) -> Result<bool, ApiError> {
        let login = comment.login();
        if login.is_empty() {
            return Ok(false);
        }
        let is_named = self.logins.iter().any(|name| comment.is_by(name));
        let association = comment.author_association.as_str();
        if is_named || matches!(association, "OWNER" | "MEMBER" | "COLLABORATOR") {
            return Ok(true);
        }
        if let Some(known) = self.asked.get(login) {
            return Ok(*known);
        }
        let may_write = match self.remote.permission(login) {
            Ok(permission) => matches!(permission.as_str(), "admin" | "write" | "maintain"),
            Err(ApiError::NotFound { .. } | ApiError::MissingScope { .. }) => false,
            Err(error) => return Err(error),
        };
        self.asked.insert(login.to_owned(), may_write);
        Ok(may_write)
    }
}
