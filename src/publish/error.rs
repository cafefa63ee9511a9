//! Why nothing was published. The local results are as they were, so a repetition is safe.

use std::path::PathBuf;

use crate::history::HistoryError;
use crate::vcs::VcsError;

/// Why the pages could not be drawn; the rooms above know how.
pub type DrawError = Box<dyn std::error::Error + Send + Sync>;

#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    #[error(transparent)]
    History(#[from] HistoryError),
    /// git failed on this machine.
    #[error("the clone of the site cannot be prepared")]
    Clone(#[source] VcsError),
    /// A folder cannot be made or removed.
    #[error("cannot prepare {}", path.display())]
    Folder {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("the dashboard cannot be drawn")]
    Draw(#[source] DrawError),
    /// The site's folder would lie outside its repository.
    #[error("`site.subdir` is `{0}`; it must be a folder inside the site repository")]
    Subdir(String),
    /// The remote does not answer.
    #[error("the site repository cannot be reached")]
    Unreachable(#[source] VcsError),
    /// The remote does not take the commit, and nobody else has pushed.
    #[error("the site repository does not take the commit")]
    Refused(#[source] VcsError),
    /// Others were faster every time.
    #[error("others pushed to the site {attempts} times in a row; try again later")]
    Overtaken { attempts: u32 },
}

impl PublishError {
    /// Whether the remote is to blame, so that a later try may work.
    pub fn is_remote(&self) -> bool {
        matches!(
            self,
            Self::Unreachable(_) | Self::Refused(_) | Self::Overtaken { .. }
        )
    }
}
