//! Why a history could not be written.

use crate::results::SaveError;
use crate::sys::files::FileError;

/// What was not reached yet is as it was; a repetition goes on from there.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    #[error(transparent)]
    Save(#[from] SaveError),
    #[error(transparent)]
    File(#[from] FileError),
}
