//! Why the dashboard could not be drawn.

use std::path::PathBuf;

/// What was not reached yet is as it was; a repetition goes on from there.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// A file or folder of the dashboard cannot be written, listed or removed.
    #[error("cannot write {}", path.display())]
    Folder {
        path: PathBuf,
        source: std::io::Error,
    },
    /// Somebody else's page is where the dashboard would go.
    #[error(
        "{} is a page of something else; set `site.subdir` to a folder for the dashboard",
        path.display()
    )]
    Foreign { path: PathBuf },
}
