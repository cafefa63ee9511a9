//! The calls that are used, each with the permission that it needs.

use serde_json::json;

use super::client::{Client, parsed};
use super::models::{Comment, CommitStatus, Compared, Permission, Pull, User};
use super::{ApiError, Method, RepositoryName, Request};

const READ_PULLS: &str = "pull-requests: read";
const WRITE_PULLS: &str = "pull-requests: write";
const READ_CONTENTS: &str = "contents: read";
const WRITE_STATUSES: &str = "statuses: write";
const READ_STATUSES: &str = "statuses: read";
const WRITE_CHECKS: &str = "checks: write";
const METADATA: &str = "metadata: read";

/// A repository that is talked about with a client.
#[derive(Debug, Clone, Copy)]
pub struct Remote<'a> {
    pub client: &'a Client<'a>,
    pub name: &'a RepositoryName,
}

impl Remote<'_> {
    pub(super) fn path(self, rest: &str) -> String {
        format!("/repos/{}/{rest}", self.name)
    }

    /// The account that the token belongs to.
    pub fn login(self) -> Result<String, ApiError> {
        let request = Request::get("/user".to_owned(), "tell whose token it is", METADATA);
        self.client.read::<User>(&request).map(|user| user.login)
    }

    pub fn pull(self, number: u64) -> Result<Pull, ApiError> {
        let path = self.path(&format!("pulls/{number}"));
        self.client
            .read(&Request::get(path, "read the pull request", READ_PULLS))
    }

    /// Open pull requests of a branch of `owner`.
    pub fn open_pulls_of(self, owner: &str, branch: &str) -> Result<Vec<Pull>, ApiError> {
        let head = encode(&format!("{owner}:{branch}"));
        let path = self.path(&format!("pulls?state=open&per_page=100&head={head}"));
        self.client
            .read_all(&Request::get(path, "find the pull request", READ_PULLS))
    }

    /// All comments, oldest first.
    pub fn comments(self, number: u64) -> Result<Vec<Comment>, ApiError> {
        let path = self.path(&format!("issues/{number}/comments?per_page=100"));
        let request = Request::get(path, "read the comments", READ_PULLS);
        let mut comments: Vec<Comment> = self.client.read_all(&request)?;
        comments.sort_by_key(|comment| comment.id);
        comments.dedup_by_key(|comment| comment.id);
        Ok(comments)
    }

    pub fn comment(self, id: u64) -> Result<Comment, ApiError> {
        let path = self.path(&format!("issues/comments/{id}"));
        self.client
            .read(&Request::get(path, "read the comment", READ_PULLS))
    }

    pub fn create_comment(self, number: u64, body: &str) -> Result<Comment, ApiError> {
        let path = self.path(&format!("issues/{number}/comments"));
        self.write(Method::Post, path, body, "write the comment")
    }

    pub fn edit_comment(self, id: u64, body: &str) -> Result<Comment, ApiError> {
        let path = self.path(&format!("issues/comments/{id}"));
        self.write(Method::Patch, path, body, "edit the comment")
    }

    fn write(
        self,
        method: Method,
        path: String,
        body: &str,
        purpose: &'static str,
    ) -> Result<Comment, ApiError> {
        let body = json!({ "body": body });
        let request = Request::write(method, path, Some(body), purpose, WRITE_PULLS);
        parsed(&self.client.send(&request)?, purpose)
    }

    /// One that is gone already is fine.
    pub fn delete_comment(self, id: u64) -> Result<(), ApiError> {
        let path = self.path(&format!("issues/comments/{id}"));
        let purpose = "delete a comment";
        let request = Request::write(Method::Delete, path, None, purpose, WRITE_PULLS);
        match self.client.send(&request) {
            Err(error) if error.is_not_found() => Ok(()),
            other => other.map(drop),
        }
    }

    /// Both are hashes or their beginnings.
    pub fn compare(self, base: &str, head: &str) -> Result<Compared, ApiError> {
        let path = self.path(&format!("compare/{base}...{head}?per_page=1"));
        self.client
            .read(&Request::get(path, "compare two commits", READ_CONTENTS))
    }

    /// The newest status of a context.
    pub fn status(self, sha: &str, context: &str) -> Result<Option<CommitStatus>, ApiError> {
        let path = self.path(&format!("commits/{sha}/statuses?per_page=100"));
        let request = Request::get(path, "read the statuses", READ_STATUSES);
        // They come newest first; GitHub does not mind the case of a context.
        let all: Vec<CommitStatus> = self.client.read_all(&request)?;
        Ok(all
            .into_iter()
            .find(|status| status.context.eq_ignore_ascii_case(context)))
    }

    pub(super) fn create_status(self, sha: &str, body: serde_json::Value) -> Result<(), ApiError> {
        let path = self.path(&format!("statuses/{sha}"));
        let purpose = "write the commit status";
        let request = Request::write(Method::Post, path, Some(body), purpose, WRITE_STATUSES);
        self.client.send(&request).map(drop)
    }

    pub(super) fn create_check_run(self, body: serde_json::Value) -> Result<(), ApiError> {
        let path = self.path("check-runs");
        let purpose = "write the check run";
        let request = Request::write(Method::Post, path, Some(body), purpose, WRITE_CHECKS);
        self.client.send(&request).map(drop)
    }

    /// `admin`, `write`, `read` or `none`.
    pub fn permission(self, login: &str) -> Result<String, ApiError> {
        let path = self.path(&format!("collaborators/{}/permission", encode(login)));
        let request = Request::get(path, "ask what the author may do", METADATA);
        self.client
            .read::<Permission>(&request)
            .map(|permission| permission.permission)
    }
}

/// Escapes what a query does not bear.
pub(super) fn encode(text: &str) -> String {
    use std::fmt::Write as _;
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            encoded.push(char::from(byte));
        } else {
            // Writing into a string cannot fail.
            write!(encoded, "%{byte:02X}").ok();
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_are_escaped() {
        assert_eq!(encode("me:fix/a b&c"), "me%3Afix%2Fa%20b%26c");
    }
}
