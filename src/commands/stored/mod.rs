//! Which stored results a command means. Machine and environment are never guessed: where several
//! would do, the error lists them.

mod choice;
mod commit;
mod error;
mod folder;
mod place;

pub(super) use choice::Candidate;
pub(super) use commit::NamedCommit;
pub(super) use folder::Stored;
pub(super) use place::Place;
