//! `lcmbench list`: what would run, and how long it took before.

mod listing;

use clap::{Args, ValueEnum};

use super::measure::{SelectionArguments, Session, WorkerArguments};
use super::{CommandError, Context, Exit};

pub(super) use listing::Listing;

/// List the benchmarks that would run, with their parameters and how long they may take.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    selection: SelectionArguments,
    #[command(flatten)]
    worker: WorkerArguments,
    /// The form of the list.
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// Runs the command. Modules that cannot be imported are named, and the exit code says so.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    let settings = super::setup::settings(context, &arguments.worker.overrides()?)?;
    let session = Session::start(&settings, context, None)?;
    let selected = session
        .select(&arguments.selection.bench, &context.printer)
        .map_err(|error| session.of_selection(error))?;
    let durations = super::measure::durations(&settings, &selected);
    let listing = Listing {
        discovery: &session.discovery,
        selected: &selected,
        durations: &durations,
    };
    match arguments.format {
        Format::Json => context.printer.out(&listing.json()),
        Format::Text => {
            for line in listing.text() {
                context.printer.foreign(&line);
            }
        }
    }
    for line in listing.jax_imports() {
        context.printer.note(&format!("note: {line}"));
    }
    Ok(session.exit())
}
