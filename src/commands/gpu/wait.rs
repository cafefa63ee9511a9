//! `lcmbench gpu wait`: returns when nobody computes on the GPUs, for a step of a workflow.

use clap::Args;

use crate::commands::{CommandError, Context, Exit};
use crate::gpu::Target;

use super::turn::TurnArguments;

/// Wait until the GPUs are free: until it would be our turn in the queue, and nobody else computes on
/// them.
///
/// Nothing is kept: who comes next may have them. `lcmbench run` waits by itself and keeps them. The
/// exit code is 2 when they are not free in time.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    turn: TurnArguments,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    let selection = arguments.turn.select(context)?;
    let printer = &context.printer;
    if let Some(none) = &selection.none {
        printer.note(&format!("there is nothing to wait for: {none}"));
        return Ok(Exit::Done);
    }
    let lease = arguments.turn.take("gpu wait", &selection, context)?;
    let labels: Vec<String> = selection.targets.iter().map(Target::label).collect();
    printer.note(&format!(
        "free after {:.0} s: {}",
        lease.waited.as_secs_f64(),
        labels.join(", ")
    ));
    Ok(Exit::Done)
}
