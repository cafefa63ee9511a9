//! A comparison on standard output, and the exit code that goes with it.

use clap::ValueEnum;

use crate::commands::{Context, Exit};
use crate::config::Settings;
use crate::report::terminal::{self, TableOptions};
use crate::report::{Comparison, Gate, json, markdown};

/// How a comparison is printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::commands) enum Format {
    /// A table for terminals, with asv's columns.
    #[default]
    Table,
    /// The comment on a pull request.
    Markdown,
    /// For programs (`docs/json.md`).
    Json,
}

/// Prints a comparison. `table` counts for [`Format::Table`]; its colour is that of the printer.
pub(in crate::commands) fn show(
    comparison: &Comparison,
    settings: &Settings,
    format: Format,
    table: TableOptions,
    context: &Context,
) {
    let text = match format {
        Format::Json => json::comparison(comparison, &settings.report),
        Format::Markdown => markdown::comment(comparison, &settings.report),
        Format::Table => {
            let color = context.printer.color;
            terminal::table(comparison, TableOptions { color, ..table })
        }
    };
    context.printer.out(text.trim_end());
}

/// Exit code 1 where one of the gates objects, with the reason.
pub(in crate::commands) fn gated(
    comparison: &Comparison,
    gates: &[Gate],
    context: &Context,
) -> Exit {
    let objections = gates
        .iter()
        .map(|gate| (gate.objections(comparison), gate.word()));
    Exit::of_objections(objections, &context.printer)
}
