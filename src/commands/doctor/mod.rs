//! `lcmbench doctor`: is everything there that measuring and reporting need?

mod checkout;
mod configuration;
mod finding;
mod github;
mod gpu;
mod noise;
mod place;
mod rule;
mod subject;
mod suite;
mod token;

use clap::Args;

use super::measure::WorkerArguments;
use super::{CommandError, Context, Exit};

use finding::{Finding, Level};
use subject::Subject;

/// Look for what would stop a measurement or a report, and say how to mend it.
///
/// Prints a line for each thing that was looked at, `OK`, `warning` or `error`, and below it the way
/// out. Nothing is measured, saved or posted. GitHub is asked what the token may do and whether the main
/// branch requires the status; without a network that is left out. The exit code is 3 if there is an error.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    worker: WorkerArguments,
}

/// Looks at one thing and says what it found.
type Check = fn(&Subject<'_>) -> Vec<Finding>;

/// All checks by what they look at, in the order of the report. A check may say nothing where there
/// is nothing to look at.
const CHECKS: &[(&str, Check)] = &[
    ("configuration", configuration::examine),
    ("git", checkout::examine),
    ("GitHub", github::examine),
    ("suite", suite::examine),
    ("results", place::results),
    ("machine", place::machine),
    ("disk", place::disk),
    ("noise", noise::examine),
    ("GPU", gpu::examine),
];

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    let subject = Subject::new(context, &arguments.worker.overrides()?);
    let mut counts = [0_usize; 3];
    for (name, check) in CHECKS {
        for finding in check(&subject) {
            counts[finding.level as usize] += 1;
            context.printer.foreign(&finding.lines(name));
        }
    }
    let [_, warnings, errors] = counts;
    context.printer.note(&format!(
        "{}, {}",
        counted(errors, "error"),
        counted(warnings, "warning")
    ));
    Ok(if counts[Level::Error as usize] > 0 {
        Exit::Usage
    } else {
        Exit::Done
    })
}

fn counted(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        many => format!("{many} {what}s"),
    }
}
