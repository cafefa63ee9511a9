//! Which stored results a command means. Machine and environment are never guessed: where several
//! would do, the error lists them.

mod choice;
mod commit;
mod error;
mod place;

pub(super) use choice::{Candidate, Stored};
pub(super) use commit::NamedCommit;
pub(super) use place::Place;
