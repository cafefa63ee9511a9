//! What every command does first: find the configuration, resolve the settings, say what is worth
//! saying.

use crate::config::{self, Requirement, Settings};

use super::{CommandError, Context};

pub(super) use crate::config::Overrides;

/// The settings of a project; an error (exit code 3) where there is none. Prints the warnings and
/// notes of the configuration.
#[expect(dead_code, reason = "the commands that need a project use it")]
pub(super) fn settings(context: &Context, overrides: &Overrides) -> Result<Settings, CommandError> {
    load(context, overrides, Requirement::Project)
}

/// The settings of a project if this is one, else the defaults.
pub(super) fn settings_or_defaults(
    context: &Context,
    overrides: &Overrides,
) -> Result<Settings, CommandError> {
    load(context, overrides, Requirement::Nothing)
}

fn load(
    context: &Context,
    overrides: &Overrides,
    requirement: Requirement,
) -> Result<Settings, CommandError> {
    let loaded = config::load(
        &context.directory,
        context.config.as_deref(),
        &context.environment,
        overrides,
        requirement,
    )?;
    for warning in &loaded.warnings {
        context.printer.warn(warning);
    }
    for note in &loaded.notes {
        context.printer.note(&format!("note: {note}"));
    }
    Ok(loaded.settings)
}
