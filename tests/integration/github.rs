//! `lcmbench pr`, `pr-comment` and `check` against a stateful stand-in for GitHub.

mod answers;
mod cancelled;
mod check;
mod fake;
mod handoff;
mod hostile;
mod measured;
mod pr;
mod pr_comment;
mod prism;
mod races;
mod target;
mod workshop;

pub(crate) use fake::{ACTIONS_TOKEN, REPOSITORY};
pub(crate) use measured::Measured;
pub(crate) use workshop::{BOT, Workshop};
