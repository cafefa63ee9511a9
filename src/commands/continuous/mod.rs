//! `lcmbench continuous`: base against head in one sitting.

mod arguments;
mod flow;
mod prepare;
mod sides;

use crate::report::json;
use crate::report::markdown;
use crate::report::terminal::{self, TableOptions};
use crate::report::{Comparison, Gate};

use super::{CommandError, Context, Exit};
use arguments::Format;
pub(super) use arguments::{Arguments, PairingArguments, duration};
pub(super) use flow::{Request, measure_pairs};
pub(super) use sides::Form;

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    let mut overrides = arguments.worker.overrides()?;
    arguments.measure.add_to(&mut overrides);
    let settings = super::setup::settings(context, &overrides)?;
    let request = Request {
        form: arguments.form()?,
        selection: &arguments.selection.bench,
        attributes: arguments.measure.attributes()?,
        pairing: &arguments.pairing,
        save: !arguments.dry_run,
        resume: arguments.resume,
        own_suites: arguments.own_suites,
        probe: arguments.measure.probe(),
    };
    let paired = measure_pairs(&request, &settings, context, &mut |_| Ok(()))?;
    context
        .printer
        .out(rendered(&paired.comparison, &settings, arguments, context).trim_end());
    let objections = arguments
        .fail_on
        .iter()
        .map(|gate: &Gate| (gate.objections(&paired.comparison), gate.word()));
    let gate = Exit::of_objections(objections, &context.printer);
    Ok(paired.exit.worse(gate))
}

fn rendered(
    comparison: &Comparison,
    settings: &crate::config::Settings,
    arguments: &Arguments,
    context: &Context,
) -> String {
    match arguments.format {
        Format::Json => json::comparison(comparison, &settings.report),
        Format::Markdown => markdown::comment(comparison, &settings.report),
        Format::Table => terminal::table(
            comparison,
            TableOptions {
                sort: arguments.sort,
                only_changed: arguments.only_changed,
                split: false,
                color: context.printer.color,
            },
        ),
    }
}
