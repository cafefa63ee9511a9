//! `lcmbench machine`: describes this machine in asv's file.

use clap::Args;

use super::{CommandError, Context, Exit};

/// Describe this machine in `~/.asv-machine.json`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Take what is detected without asking. No question is ever asked; accepted because asv has it.
    #[arg(long)]
    yes: bool,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    let _ = arguments.yes;
    let settings =
        super::setup::settings_or_defaults(context, &super::setup::Overrides::default())?;
    context
        .printer
        .note(&format!("machine: {:?}", settings.machine));
    Ok(Exit::Done)
}
