//! `lcmbench continuous`: base against head in one sitting.

mod arguments;
mod flow;
mod plan;
mod prepare;
mod saving;
mod sides;
mod verdicts;

use crate::report::terminal::TableOptions;

use super::comparing::{gated, show};
use super::{CommandError, Context, Exit};
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
    let table = TableOptions {
        sort: arguments.sort,
        only_changed: arguments.only_changed,
        ..TableOptions::default()
    };
    show(
        &paired.comparison,
        &settings,
        arguments.format,
        table,
        context,
    );
    let gate = gated(&paired.comparison, &arguments.fail_on, context);
    Ok(paired.exit.worse(gate))
}
