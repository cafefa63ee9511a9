//! What the checks of `doctor` look at.

use crate::commands::setup::{self, Overrides};
use crate::commands::{CommandError, Context};
use crate::config::{ConfigError, Loaded, Requirement, Settings};
use crate::vcs::{Repository, VcsError};

/// The project, opened once for all checks.
pub(super) struct Subject<'a> {
    pub(super) context: &'a Context,
    /// The configuration, or why it cannot be used.
    pub(super) loaded: Result<Loaded, ConfigError>,
    /// The repository of the project, or why it cannot be opened.
    pub(super) repository: Result<Repository, VcsError>,
}

impl<'a> Subject<'a> {
    pub(super) fn new(context: &'a Context, overrides: &Overrides) -> Self {
        let loaded = setup::load(context, overrides, Requirement::Project);
        let folder = match &loaded {
            Ok(loaded) => loaded.settings.repository_folder(),
            Err(_) => context.directory.clone(),
        };
        Self {
            context,
            loaded,
            repository: Repository::discover(&folder),
        }
    }

    /// The settings; `None` where the configuration cannot be used, which its own check says.
    pub(super) fn settings(&self) -> Option<&Settings> {
        self.loaded.as_ref().ok().map(|loaded| &loaded.settings)
    }
}

/// The sentence of an error with its causes.
pub(super) fn sentence(error: impl Into<CommandError>) -> String {
    error.into().sentence()
}
