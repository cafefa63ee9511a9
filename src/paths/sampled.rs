//! What all profiles have in common: where the picture goes, and how a loop under the profiler ends.

use std::path::PathBuf;

use super::bench::Trouble;
use super::picture::{Picture, file_word};
use super::py_spy::{Attached, PySpyError};
use super::reply::Failure;
use super::runner::RunnerError;

/// How to profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileOptions {
    /// Where the flame graph goes; `None` for `lcmbench-profile-<name>.svg` in `directory`.
    pub output: Option<PathBuf>,
    pub directory: PathBuf,
    /// Samples a second.
    pub rate: u32,
    /// Run the bare loop, for a profiler of the user's own.
    pub bare: bool,
}

impl ProfileOptions {
    /// The picture to be of what has this name.
    pub(super) fn picture(&self, name: &str) -> Result<Picture, Trouble> {
        let target = self.output.clone().unwrap_or_else(|| {
            let file = format!("lcmbench-profile-{}.svg", file_word(name));
            self.directory.join(file)
        });
        let picture = Picture::at(&target).map_err(PySpyError::from);
        picture.map_err(of_profiler)
    }
}

/// A finished flame graph.
pub(super) struct Graph {
    /// Samples that were taken, where the profiler tells.
    pub(super) samples: Option<u64>,
    pub(super) output: PathBuf,
}

/// Ends the profiler after a loop, and keeps its picture if both went well.
pub(super) fn finish<T>(
    attached: Box<dyn Attached>,
    picture: Picture,
    looped: Result<T, Trouble>,
) -> Result<(T, Graph), Trouble> {
    let written = attached.finish();
    let looped = looped?;
    let samples = written.map_err(of_profiler)?;
    let output = picture.keep().map_err(PySpyError::from);
    let output = output.map_err(of_profiler)?;
    Ok((looped, Graph { samples, output }))
}

pub(super) fn of_profiler(error: PySpyError) -> Trouble {
    match error {
        PySpyError::Interrupted(signal) => Trouble::Stop(RunnerError::Interrupted(signal)),
        other => Trouble::Failed(Failure::new(sentence(&other))),
    }
}

/// The error with its causes in one line.
fn sentence(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}
