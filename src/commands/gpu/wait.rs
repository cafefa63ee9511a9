//! `lcmbench gpu wait`: returns when nobody computes on the GPUs, for a step of a workflow.

use std::time::Duration;

use clap::Args;

use crate::commands::gpu_use::{of_gpu, of_lease};
use crate::commands::{CommandError, Context, Exit};
use crate::config::duration;
use crate::gpu::{Holder, Lease, Needs, Selection, Target, Waiting, Wanted};

/// How long to wait where nothing is said; the same as that of the measuring commands.
const USUAL_PATIENCE: &str = "2h";

/// Wait until the GPUs are free: until it would be our turn in the queue, and nobody else computes on
/// them.
///
/// Nothing is kept: who comes next may have them. `lcmbench run` waits by itself and keeps them. The
/// exit code is 2 when they are not free in time.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The GPUs: `auto` (those that CUDA shows), `all`, or a list of numbers and UUIDs.
    #[arg(
        long,
        env = "LCMBENCH_GPU",
        value_name = "WHICH",
        default_value = "auto"
    )]
    gpu: String,
    /// How long to wait: 30m, 2h.
    #[arg(long, env = "LCMBENCH_GPU_WAIT", value_name = "DURATION", value_parser = duration, default_value = USUAL_PATIENCE)]
    gpu_wait: Duration,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    let selection = Selection::of(Needs {
        wanted: &Wanted::parse(&arguments.gpu),
        own: &context.environment,
        benchmarks: &context.environment,
        packages: None,
        prefix: None,
    })
    .map_err(of_gpu)?;
    let printer = &context.printer;
    for warning in &selection.warnings {
        printer.warn(warning);
    }
    if let Some(none) = &selection.none {
        printer.note(&format!("there is nothing to wait for: {none}"));
        return Ok(Exit::Done);
    }
    let mut tell = |line: &str| printer.foreign_note(line);
    let mut waiting = Waiting {
        holder: Holder::of_process("gpu wait", &context.directory, &context.environment),
        patience: arguments.gpu_wait,
        environment: &context.environment,
        tell: &mut tell,
    };
    let lease = Lease::take(&selection.targets, &mut waiting).map_err(of_lease)?;
    let labels: Vec<String> = selection.targets.iter().map(Target::label).collect();
    printer.note(&format!(
        "free after {:.0} s: {}",
        lease.waited.as_secs_f64(),
        labels.join(", ")
    ));
    Ok(Exit::Done)
}
