//! Why nothing can be measured, each with its own sentence.

use std::path::PathBuf;

use crate::sys::files::FileError;
use crate::vcs::{Change, VcsError};

use super::checkout::Role;

/// What is wrong with the request or with one of the checkouts.
#[derive(Debug, thiserror::Error)]
pub enum PairError {
    #[error(
        "{option} takes the full hash of a commit, 40 hexadecimal digits in small letters, not \
         `{text}`; `git rev-parse` prints it"
    )]
    NotAFullHash { option: &'static str, text: String },
    #[error("the folder of the {role} checkout, {}, does not exist", .folder.display())]
    NoFolder { role: Role, folder: PathBuf },
    #[error(
        "{} is no checkout of its own: it lies inside the repository {}; give the top folder of the \
         {role} checkout",
        .folder.display(), .root.display()
    )]
    NotTheTop {
        role: Role,
        folder: PathBuf,
        root: PathBuf,
    },
    #[error("the {role} checkout {} has no commit {revision}; is it a clone of the same repository, with its history?", .folder.display())]
    UnknownRevision {
        role: Role,
        folder: PathBuf,
        revision: String,
    },
    #[error("the {role} checkout {} is at {found}, not at {revision}", .folder.display())]
    OtherRevision {
        role: Role,
        folder: PathBuf,
        found: String,
        revision: String,
    },
    #[error("the {role} checkout {} is not clean:{}", .folder.display(), listed(.changes))]
    Dirty {
        role: Role,
        folder: PathBuf,
        changes: Vec<Change>,
    },
    #[error(
        "the submodules of the {role} checkout {} are not at their commits:\n{lines}",
        .folder.display()
    )]
    Submodules {
        role: Role,
        folder: PathBuf,
        lines: String,
    },
    #[error("the {first} and the {second} checkout are the same folder, {}", .folder.display())]
    SameFolder {
        first: Role,
        second: Role,
        folder: PathBuf,
    },
    #[error(
        "the {inner} checkout {} lies inside the {outer} checkout {}; they must be apart",
        .inner_folder.display(), .outer_folder.display()
    )]
    Nested {
        inner: Role,
        inner_folder: PathBuf,
        outer: Role,
        outer_folder: PathBuf,
    },
    #[error("the output folder {} exists already; name a new one, or go on with `pair --resume`", .folder.display())]
    OutputExists { folder: PathBuf },
    #[error(
        "the output folder {} lies inside the {role} checkout {}{}",
        .folder.display(), .checkout.display(), through_link(.folder, .real)
    )]
    OutputInside {
        folder: PathBuf,
        real: PathBuf,
        role: Role,
        checkout: PathBuf,
    },
    #[error(
        "{what} `{path}` is missing in the {role} checkout and is there in another one; all three must agree"
    )]
    Missing {
        what: &'static str,
        path: String,
        role: Role,
    },
    #[error("the {what} `{path}` differs between the harness and the {role} checkout:\n{lines}")]
    Differs {
        what: &'static str,
        path: String,
        role: Role,
        lines: String,
    },
    #[error("`{path}`, which the scenarios own, is in none of the checkouts")]
    NoSource { path: String },
    #[error(
        "no file of scenarios was found: name it with --scenarios or `scenarios` in [tool.lcmbench.pair]"
    )]
    NoScenarios,
    #[error("there is no scenario `{name}`; there are: {known}")]
    UnknownScenario { name: String, known: String },
    #[error("--scenario {name} was given twice")]
    TwiceNamed { name: String },
    #[error("scenario `{name}` cannot run on the backend {backend}; it can on {allowed}")]
    OtherBackend {
        name: String,
        backend: &'static str,
        allowed: String,
    },
    #[error(
        "{role}: the package `{package}` is imported from {found}, not from the {role} checkout {}",
        .checkout.display()
    )]
    ImportedElsewhere {
        role: Role,
        package: String,
        found: String,
        checkout: PathBuf,
    },
    #[error("base has jax {base} and head has jax {head}: both sides need it, or neither")]
    JaxOnOneSide { base: String, head: String },
    #[error(
        "base has jaxlib {base} and head has jaxlib {head}, so a difference would be the compiler's; \
         --allow-different-jaxlib measures all the same"
    )]
    OtherJaxlib { base: String, head: String },
    #[error("the backend {backend} is not there on the side of {role}: {reason}")]
    NoBackend {
        role: Role,
        backend: &'static str,
        reason: String,
    },
    #[error("{role}: {command}: {message}")]
    Refused {
        role: Role,
        command: String,
        message: String,
    },
    #[error("{role}: cannot start Python with `{command}`")]
    Start {
        role: Role,
        command: String,
        source: std::io::Error,
    },
    #[error("cannot prepare the processes")]
    Prepare(#[source] std::io::Error),
    #[error(
        "{gpu} is lost: it fell off the bus. What was measured before is kept; `pair --resume` goes on when it is back"
    )]
    GpuLost { gpu: String },
    #[error(
        "the run was begun with {before} as its {what}, and now that is {now}; begin anew with another \
         --output, or choose the same GPU with --gpu"
    )]
    OtherGpu {
        what: String,
        before: String,
        now: String,
    },
    #[error("interrupted by signal {0}")]
    Interrupted(i32),
    #[error("{} is no folder of `lcmbench pair`: {reason}", .folder.display())]
    NoRun { folder: PathBuf, reason: String },
    #[error(transparent)]
    Vcs(#[from] VcsError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

fn listed(changes: &[Change]) -> String {
    let mut text = String::new();
    for change in changes.iter().take(20) {
        text = format!("{text}\n  {change}");
    }
    let more = changes.len().saturating_sub(20);
    if more > 0 {
        text = format!("{text}\n  and {more} more");
    }
    text
}

fn through_link(folder: &std::path::Path, real: &std::path::Path) -> String {
    if folder == real {
        String::new()
    } else {
        format!(", since it is {} when links are followed", real.display())
    }
}
