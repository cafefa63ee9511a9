//! `lcmbench paths`: evaluators of one model against each other.

mod arguments;
mod filing;
mod python;

use crate::gpu::{Journal, Watch};
use crate::paths::{
    Format, MeasureError, PythonRunner, Report, Runner, RunnerError, document, list, listing,
    listing_json, measure_all, measure_one, render, report_json,
};
use crate::report::grid::plain_line;
use crate::sys::printer::Printer;

use super::gpu_use::GpuUse;
use super::progress::plain;
use super::{CommandError, Context, Exit};
use filing::{Filing, Known};

use arguments::OutputFormat;
pub(super) use arguments::{Arguments, duration};

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    let printer = &context.printer;
    let number = arguments.example()?;
    let options = arguments.options(&context.directory);
    let mut settings = super::setup::settings_or_defaults(context, &arguments.overrides())?;
    // What can be refused is refused before Python starts.
    let filing = arguments
        .save
        .then(|| Filing::open(&settings, context))
        .transpose()?;
    let mut gpu = GpuUse::choose(&mut settings, context)?;
    let mut runner = python::runner(arguments, &settings, context)?;
    if arguments.list {
        let entries =
            list(&mut runner, options.deadline).map_err(|error| refusal(error, printer))?;
        printer.foreign(&match arguments.format {
            OutputFormat::Json => listing_json(&entries),
            format => render(&listing(&entries), people(format, printer)),
        });
        return Ok(Exit::Done);
    }
    let on_gpu = gpu.is_possible(context);
    if filing.is_some() || on_gpu {
        // Starts Python, which knows where the package lies, and what could use a GPU.
        list(&mut runner, options.deadline).map_err(|error| refusal(error, printer))?;
    }
    if let Some(filing) = &filing {
        filing.check_package(&settings, &runner)?;
    }
    if on_gpu {
        gpu.take("paths", &settings, context, Some(&interpreter(&runner)))?;
        if arguments.gpu.probe {
            gpu.probe("before", context);
        }
    }
    let watch = match gpu.targets() {
        [] => None,
        targets => Some(Watch::begin(targets)?),
    };
    let mut tell = |line: &str| printer.foreign_note(&plain_line(line));
    let report = match number {
        0 => measure_all(&mut runner, &options, &mut tell),
        number => measure_one(&mut runner, number, &options, &mut tell),
    }
    .map_err(|error| refusal(error, printer))?;
    runner.end();
    let mut seen = Journal::default();
    if let Some(observation) = watch.map(Watch::end) {
        let flags: Vec<String> = observation.flags().into_iter().map(str::to_owned).collect();
        seen.add(&observation, &flags);
        for flag in &flags {
            printer.warn(&format!(
                "the GPU was disturbed while the paths were measured: {flag}"
            ));
        }
    }
    if arguments.gpu.probe {
        gpu.probe("after", context);
    }
    let known = Known {
        gpu: gpu.record(&seen),
        fingerprint: gpu.fingerprint(),
    };
    // The next in the queue may begin.
    drop(gpu);
    show(&report, arguments.format, printer);
    if let Some(filing) = filing {
        filing.save(&report, &settings, &runner, known, printer)?;
    }
    Ok(exit(&report))
}

fn show(report: &Report, format: OutputFormat, printer: &Printer) {
    let text = match format {
        OutputFormat::Json => report_json(report),
        format => render(&document(report), people(format, printer)),
    };
    printer.foreign(&text);
    for (what, details) in report.details() {
        printer.foreign_note(&plain_line(&what));
        tell_details(details, printer);
    }
}

fn people(format: OutputFormat, printer: &Printer) -> Format {
    match format {
        OutputFormat::Markdown => Format::Markdown,
        OutputFormat::Table | OutputFormat::Json => Format::Table {
            color: printer.color,
        },
    }
}

fn exit(report: &Report) -> Exit {
    let exit = if report.has_failures() {
        Exit::Failed
    } else {
        Exit::Done
    };
    match report.interrupted {
        Some(signal) => exit.worse(Exit::Interrupted(signal)),
        None => exit,
    }
}

/// What could not even begin.
fn refusal(error: MeasureError, printer: &Printer) -> CommandError {
    match error {
        MeasureError::Runner(RunnerError::Interrupted(signal)) => CommandError::interrupted(signal),
        MeasureError::Runner(RunnerError::Died { ending, output }) => {
            tell_details(&output, printer);
            CommandError::failed(RunnerError::Died { ending, output })
        }
        MeasureError::Runner(RunnerError::NoPython {
            command,
            ending,
            output,
        }) => {
            tell_details(&output, printer);
            CommandError::usage(RunnerError::NoPython {
                command,
                ending,
                output,
            })
        }
        MeasureError::Failed { reason, details } => {
            if details.trim() != reason.trim() {
                tell_details(&details, printer);
            }
            CommandError::usage(MeasureError::Failed { reason, details })
        }
        other => CommandError::usage(other),
    }
}

/// A traceback or the last lines of a process, indented.
pub(super) fn tell_details(details: &str, printer: &Printer) {
    for line in plain(details).lines() {
        printer.foreign_note(format!("    {line}").trim_end());
    }
}

/// The Python of a runner, once it has answered.
fn interpreter(runner: &PythonRunner) -> crate::worker::Interpreter {
    runner.interpreter().cloned().unwrap_or_default()
}
