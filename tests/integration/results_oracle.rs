//! The results room against real asv and against histories of real projects.

mod asv;
mod histories;
mod measured;
mod version_one;
