//! What every command does first: find the configuration, resolve the settings, say what is worth
//! saying.

use crate::config::{self, ConfigError, Loaded, Requirement, Settings, Start};
use crate::suite::Pattern;

use super::{CommandError, Context};

pub(super) use crate::config::Overrides;

/// The settings of a project; an error (exit code 3) where there is none. Prints the warnings and
/// notes of the configuration.
pub(super) fn settings(context: &Context, overrides: &Overrides) -> Result<Settings, CommandError> {
    told(context, overrides, Requirement::Project)
}

/// The settings of a project if this is one, else the defaults.
pub(super) fn settings_or_defaults(
    context: &Context,
    overrides: &Overrides,
) -> Result<Settings, CommandError> {
    told(context, overrides, Requirement::Nothing)
}

fn told(
    context: &Context,
    overrides: &Overrides,
    requirement: Requirement,
) -> Result<Settings, CommandError> {
    let loaded = load(context, overrides, requirement)?;
    for warning in &loaded.warnings {
        context.printer.warn(warning);
    }
    for note in &loaded.notes {
        context.printer.note(&format!("note: {note}"));
    }
    Ok(loaded.settings)
}

/// The settings with what is to be said about them, which nobody has said yet.
pub(super) fn load(
    context: &Context,
    overrides: &Overrides,
    requirement: Requirement,
) -> Result<Loaded, ConfigError> {
    let start = Start {
        directory: &context.directory,
        config: context.config.as_deref(),
        environment: &context.environment,
    };
    config::load(start, overrides, requirement, &check_pattern)
}

/// A pattern of benchmarks in the configuration must be a regular expression, or the literal
/// `name(params)` of one combination.
fn check_pattern(text: &str) -> Result<(), String> {
    match Pattern::new(text).complaint() {
        Some(complaint) if !text.ends_with(')') => Err(complaint.to_string()),
        _ => Ok(()),
    }
}
