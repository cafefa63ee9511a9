//! `lcmbench pr`, `pr-comment` and `check` against a stateful stand-in for GitHub.

mod accepted;
mod answers;
mod cancelled;
mod check;
mod description;
mod doctor;
mod fake;
mod handoff;
mod hostile;
mod hostile_run;
mod measured;
mod old_script;
mod pr;
mod pr_comment;
mod prism;
mod queue;
mod races;
mod repository_answers;
mod secluded;
mod target;
mod workshop;

pub(crate) use fake::{ACTIONS_TOKEN, REPOSITORY};
pub(crate) use measured::{Measured, SETTINGS, SUITE};
pub(crate) use workshop::{BOT, Workshop};
