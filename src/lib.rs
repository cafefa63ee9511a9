//! lcmbench runs a project's benchmarks on the machine that matters and says, with a stated error
//! rate, whether a change made them slower.
//!
//! The crate is one library and one thin binary. Each module is a room with one job; imports run
//! downward in this list, never up (`docs/architecture.md`).

pub mod commands;

pub mod continuous;
pub mod pair;
pub mod paths;

pub mod compare;
pub mod github;
pub mod history;
pub mod preview;
pub mod publish;
pub mod report;
pub mod run;
pub mod site;
pub mod suite;
pub mod worker;

pub mod results;
pub mod stats;

pub mod config;
pub mod gpu;
pub mod machine;
pub mod vcs;

pub mod json;
pub mod sys;
