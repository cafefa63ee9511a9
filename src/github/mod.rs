//! GitHub: what the run knows about itself, the client, the comment, the summary and the status.

mod access;
mod action;
mod branch_rules;
mod check_run;
mod client;
mod clock;
pub mod comment;
mod context;
mod credentials;
mod endpoints;
mod error;
pub mod ladder;
mod marker;
mod models;
pub mod outputs;
mod plan;
mod repository_name;
mod request;
mod retry;
mod status;
pub mod summary;
#[cfg(test)]
mod testing;
mod transport;

pub use access::Access;
pub use action::{ACTION, ACTION_TAG};
pub use branch_rules::{ACTIONS_APP, Required};
pub use check_run::{CheckRun, Conclusion};
pub use client::Client;
pub use clock::{Clock, StoppableClock, SystemClock};
pub use context::{ActionsContext, ContextError, Event, Run, queued_pull_request};
pub use credentials::{Credentials, NoToken, PUBLIC_API, api_url};
pub use endpoints::Remote;
pub use error::{ApiError, TransportError};
pub use marker::{ACCEPTED, Block, DEFAULT_KEY, Marks, is_key};
pub use models::{
    ChangedFile, Comment, CommitName, CommitStatus, Compared, Pull, PullSide, Repo, User,
};
pub use plan::{Draft, Mode};
pub use repository_name::{BadRepository, RepositoryName};
pub use request::{Method, Request, Response, Transport};
pub use status::{STATUS_CONTEXT, State, Status, StatusOutcome};
pub use transport::{OctocrabTransport, Patience};
