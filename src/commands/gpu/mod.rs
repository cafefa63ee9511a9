//! `lcmbench gpu`: the GPUs of this host, their state, and who has them.

mod probe;
mod show;
mod turn;
mod wait;

use clap::{Args, Subcommand, ValueEnum};

use super::{CommandError, Context, Exit};

pub(super) use probe::probe;

/// Show the GPUs of this host: their state, who has them, and who waits.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
    /// The form of the report.
    #[arg(long, value_enum, default_value_t = Format::Table, value_name = "FORMAT")]
    format: Format,
}

#[derive(Debug, Subcommand)]
enum Action {
    Probe(probe::Arguments),
    Wait(wait::Arguments),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Table,
    Json,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    match &arguments.action {
        None => show::run(arguments.format, context),
        Some(Action::Probe(arguments)) => probe::run(arguments, context),
        Some(Action::Wait(arguments)) => wait::run(arguments, context),
    }
}
