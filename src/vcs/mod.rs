//! Git: libgit2 for reading, the `git` executable for what depends on the user's configuration.

mod credentials;
mod error;
mod folder;
mod git;
mod history;
mod names;
mod remotes;
mod repository;
mod revision;
mod status;

#[cfg(test)]
mod testing;

pub use credentials::Kept;
pub use error::VcsError;
pub use folder::fetch_folder;
pub use git::{Git, without_passwords};
pub use history::FirstParents;
pub use remotes::Upstream;
pub use repository::{Head, Repository};
pub use revision::CommitInfo;
pub use status::Change;
