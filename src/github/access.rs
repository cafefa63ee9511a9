//! What a token may do, as far as reading tells. Nothing is written to find out.

use serde::Deserialize;

use super::client::parsed;
use super::endpoints::Remote;
use super::{ApiError, Request};

/// The header that names the scopes of a classic token; other kinds have none.
const SCOPES: &str = "x-oauth-scopes";

/// What GitHub says about a repository to whoever asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// Scopes of a classic token; `None` for other kinds, whose permissions GitHub does not tell.
    pub scopes: Option<Vec<String>>,
    pub is_private: bool,
    /// Whether the account behind the token may push; `None` where GitHub does not say.
    pub may_push: Option<bool>,
    pub default_branch: String,
}

#[derive(Debug, Deserialize)]
struct Repository {
    private: bool,
    default_branch: String,
    #[serde(default)]
    permissions: Option<Pushing>,
}

#[derive(Debug, Deserialize)]
struct Pushing {
    push: bool,
}

impl Remote<'_> {
    /// What the token is told about the repository.
    pub fn access(self) -> Result<Access, ApiError> {
        let purpose = "read the repository";
        let path = format!("/repos/{}", self.name);
        let response = self
            .client
            .get(&Request::get(path, purpose, "contents: read"))?;
        let repository: Repository = parsed(&response, purpose)?;
        let scopes = response.header(SCOPES).map(|scopes| {
            let named = scopes.split(',').map(str::trim);
            named
                .filter(|scope| !scope.is_empty())
                .map(str::to_owned)
                .collect()
        });
        Ok(Access {
            scopes,
            is_private: repository.private,
            may_push: repository.permissions.map(|permissions| permissions.push),
            default_branch: repository.default_branch,
        })
    }

    /// Lines below `permissions:` whose reading is refused, of what reports read.
    pub fn refused_reads(self, branch: &str) -> Result<Vec<&'static str>, ApiError> {
        let branch = super::endpoints::encode(branch);
        let mut refused = Vec::new();
        for (path, permission) in [
            (
                "pulls?state=open&per_page=1".to_owned(),
                "pull-requests: read",
            ),
            (
                format!("commits/{branch}/statuses?per_page=1"),
                "statuses: read",
            ),
            (format!("branches/{branch}"), "contents: read"),
        ] {
            let request = Request::get(self.path(&path), "look what the token may", permission);
            match self.client.get(&request) {
                Ok(_) => {}
                Err(ApiError::MissingScope { permission, .. }) => refused.push(permission),
                // A branch that is not there is no matter of permissions.
                Err(error) if error.is_not_found() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(refused)
    }
}
