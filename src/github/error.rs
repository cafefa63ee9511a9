//! Why GitHub could not be asked or told.

/// A request got no answer.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct TransportError {
    pub message: String,
}

/// What went wrong, with the way out.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    #[error("GitHub could not be asked to {purpose}: {message}")]
    Unreachable {
        purpose: &'static str,
        message: String,
    },
    /// A request that must not be repeated blindly got no answer, or one of a broken server.
    #[error("it is unknown whether GitHub did {purpose}: {message}")]
    Unknown {
        purpose: &'static str,
        message: String,
    },
    #[error("GitHub does not accept the token (401): {message}")]
    Unauthorized { message: String },
    #[error(
        "the token may not {purpose} (403: {message}); in a workflow the job needs\n  \
         permissions:\n    {permission}\nand a personal token the same permission of the repository"
    )]
    MissingScope {
        purpose: &'static str,
        permission: &'static str,
        message: String,
    },
    #[error(
        "GitHub's rate limit does not allow to {purpose} before {until}, which is longer than \
         lcmbench waits"
    )]
    RateLimited {
        purpose: &'static str,
        until: jiff::Timestamp,
    },
    #[error(
        "GitHub has nothing at `{path}` (404), or the token may not see it; \
         to {purpose} in a workflow the job needs `permissions: {permission}`"
    )]
    NotFound {
        purpose: &'static str,
        path: String,
        permission: &'static str,
    },
    #[error("GitHub refused to {purpose} ({status}): {message}")]
    Refused {
        purpose: &'static str,
        status: u16,
        message: String,
    },
    #[error("GitHub's answer to the wish to {purpose} is not understood: {message}")]
    Malformed {
        purpose: &'static str,
        message: String,
    },
    #[error("the client for GitHub cannot be made: {message}")]
    Client { message: String },
}

impl ApiError {
    /// Whether what was asked for is not there.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::NotFound { .. })
    }

    /// Whether the request may have had its effect all the same.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown { .. })
    }
}
