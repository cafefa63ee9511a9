//! The GPUs that a command of `lcmbench gpu` means, and its turn at them.

use std::time::Duration;

use clap::Args;

use crate::commands::gpu_use::{of_gpu, of_lease};
use crate::commands::{CommandError, Context};
use crate::config::duration;
use crate::gpu::{Holder, Lease, Needs, Selection, Waiting, Wanted};

/// Which GPUs, and how long to wait for them.
#[derive(Debug, Args)]
pub(super) struct TurnArguments {
    /// The GPUs: `auto` (those that CUDA shows), `all`, or a list of numbers and UUIDs.
    #[arg(
        long,
        env = "LCMBENCH_GPU",
        value_name = "WHICH",
        default_value = "auto"
    )]
    gpu: String,
    /// How long to wait for a GPU that somebody else has: 30m, 2h.
    #[arg(long, env = "LCMBENCH_GPU_WAIT", value_name = "DURATION", value_parser = duration, default_value = "2h")]
    gpu_wait: Duration,
}

impl TurnArguments {
    /// The GPUs that are meant; what is odd about the choice is said.
    pub(super) fn select(&self, context: &Context) -> Result<Selection, CommandError> {
        let selection = Selection::of(Needs {
            wanted: &Wanted::parse(&self.gpu),
            own: &context.environment,
            benchmarks: &context.environment,
            packages: None,
            prefix: None,
        })
        .map_err(of_gpu)?;
        for warning in &selection.warnings {
            context.printer.warn(warning);
        }
        Ok(selection)
    }

    /// Waits for our turn at them. `command` is what others are told who waits.
    pub(super) fn take(
        &self,
        command: &str,
        selection: &Selection,
        context: &Context,
    ) -> Result<Lease, CommandError> {
        let mut tell = |line: &str| context.printer.foreign_note(line);
        let mut waiting = Waiting {
            holder: Holder::of_process(command, &context.directory, &context.environment),
            patience: self.gpu_wait,
            environment: &context.environment,
            tell: &mut tell,
        };
        Lease::take(&selection.targets, &mut waiting).map_err(of_lease)
    }
}
