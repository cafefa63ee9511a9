//! `lcmbench pair`: evidence for one change against one exact base.

mod arguments;
mod begin;
mod checks;
mod options;

use std::sync::Arc;

use crate::gpu::Journal;
use crate::json::Json;
use crate::machine::{HostFacts, host_record};
use crate::pair::{
    Backend, PairError, PairSummary, PairWatch, Progress, Python, Raw, Run, State, Status,
    document, judge, run_pairs,
};
use crate::paths::{Format, render};
use crate::sys::printer::Printer;
use crate::sys::signals::Signals;

use super::gpu_use::GpuUse;
use super::measure::require_trusted;
use super::setup::{Overrides, settings_or_defaults};
use super::{CommandError, Context, Exit};
pub(super) use arguments::Arguments;
use arguments::PairCommand;
use begin::{Host, begin, resume};

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    if let Some(PairCommand::Report(report)) = &arguments.command {
        let (raw, run) = Raw::open(&context.directory.join(&report.folder)).map_err(of_pair)?;
        let summary = judge(&raw, &run).map_err(of_pair)?;
        show(&summary, report.format, &context.printer);
        return Ok(Exit::Done);
    }
    let mut overrides = Overrides {
        fork_code_is_allowed: arguments.allow_fork_code_on_self_hosted_runner,
        ..Overrides::default()
    };
    arguments.gpu.add_to(&mut overrides);
    let mut settings = settings_or_defaults(context, &overrides)?;
    require_trusted(&settings, context)?;
    let begun = match &arguments.resume {
        Some(folder) => Some(Raw::open(&context.directory.join(folder)).map_err(of_pair)?),
        None => None,
    };
    let backend = match &begun {
        Some((_, run)) => run.options.backend,
        None => arguments.backend(),
    };
    // Before Python, which is told which GPUs there are.
    let gpu = if backend == Backend::Gpu && !arguments.list {
        GpuUse::choose(&mut settings, context)?
    } else {
        GpuUse::default()
    };
    let signals = Arc::new(Signals::install()?);
    let python = Python::new(&context.environment, &settings.benchmark_env, Some(signals));
    let mut host = Host {
        python: python.map_err(of_pair)?,
        gpu,
        settings: &settings,
        context,
    };
    if arguments.list {
        return list(arguments, &mut host);
    }
    let (raw, run) = match begun {
        Some((raw, run)) => resume(raw, run, &mut host)?,
        None => begin(arguments, &mut host)?,
    };
    measure(&raw, &run, host, arguments)
}

fn measure(
    raw: &Raw,
    run: &Run,
    host: Host<'_>,
    arguments: &Arguments,
) -> Result<Exit, CommandError> {
    let Host {
        mut python,
        mut gpu,
        context,
        ..
    } = host;
    let printer = &context.printer;
    if !run.options.balanced() {
        printer.warn(&format!(
            "{} repeats are unbalanced: base runs first once more than head",
            run.options.repeats
        ));
    }
    let [base, head] = options::sides(&run.options);
    let mut tell = |progress: Progress<'_>| {
        printer.note(&match progress {
            Progress::Pair {
                scenario,
                repeat,
                repeats,
            } => format!("pair {} of {repeats}: {scenario}", repeat + 1),
            Progress::Void {
                scenario,
                reason,
                again,
            } => format!(
                "this pair of {scenario} does not count: {reason}; {}",
                if again {
                    "it is measured again"
                } else {
                    "it is not measured any more"
                }
            ),
            Progress::Failed {
                scenario,
                side,
                reason,
            } => format!("{scenario} failed in {side}: {reason}"),
        });
    };
    // Who looks in meanwhile finds a summary that says that it is not finished.
    let save = || -> Result<PairSummary, CommandError> {
        let summary = judge(raw, run).map_err(of_pair)?;
        raw.save(&summary).map_err(of_pair)?;
        Ok(summary)
    };
    save()?;
    if arguments.gpu.probe {
        gpu.probe("before", context);
    }
    let before = HostFacts::now();
    let mut seen = [Journal::default(), Journal::default()];
    let outcome = {
        let mut watch = PairWatch::new(gpu.targets(), &mut seen);
        run_pairs(&mut python, [&base, &head], raw, run, &mut watch, &mut tell)
    };
    if arguments.gpu.probe {
        gpu.probe("after", context);
    }
    let [of_base, of_head] = seen.map(|seen| Json::Object(gpu.record(&seen)));
    // Nothing is measured any more: the next in the queue may begin.
    drop(gpu);
    let host = host_record(&before, &HostFacts::now());
    let sitting = [
        ("host", host.into()),
        ("gpu_base", of_base),
        ("gpu_head", of_head),
    ];
    let sitting = sitting.map(|(key, value)| (key.to_owned(), value));
    raw.keep_sitting(sitting.into_iter().collect())
        .map_err(of_pair)?;
    let summary = save()?;
    show(&summary, arguments.format, printer);
    printer.note(&format!("the evidence is in {}", raw.folder().display()));
    let exit = exit(&summary);
    match outcome {
        Ok(()) => Ok(exit),
        Err(PairError::Interrupted(signal)) => Ok(exit.worse(Exit::Interrupted(signal))),
        Err(error) => Err(of_pair(error)),
    }
}

fn exit(summary: &PairSummary) -> Exit {
    let any = |status| {
        summary
            .scenarios
            .iter()
            .any(|scenario| scenario.status == status)
    };
    let mut exit = Exit::Done;
    if any(Status::Failed) {
        exit = exit.worse(Exit::Failed);
    }
    if any(Status::Rejected) {
        exit = exit.worse(Exit::Gate);
    }
    if summary.state == State::Unfinished {
        exit = exit.worse(Exit::Failed);
    }
    exit
}

fn list(arguments: &Arguments, host: &mut Host<'_>) -> Result<Exit, CommandError> {
    let side = options::harness_side(arguments, host.settings, host.context)?;
    let entries = host
        .python
        .scenarios(&side, arguments.precision().bits())
        .map_err(of_pair)?;
    let lines: Vec<String> = entries
        .iter()
        .map(|entry| {
            let place = match entry.cpu_devices {
                Some(devices) => format!("{devices} CPU devices"),
                None => checks::words(&entry.backends),
            };
            format!("{}  ({place})", entry.name)
        })
        .collect();
    host.context.printer.out(&lines.join("\n"));
    Ok(Exit::Done)
}

fn show(summary: &PairSummary, format: arguments::OutputFormat, printer: &Printer) {
    let text = match format {
        arguments::OutputFormat::Json => serde_json::to_string_pretty(summary).unwrap_or_default(),
        arguments::OutputFormat::Markdown => render(&document(summary), Format::Markdown),
        arguments::OutputFormat::Table => render(
            &document(summary),
            Format::Table {
                color: printer.color,
            },
        ),
    };
    printer.out(&text);
}

fn of_pair(error: PairError) -> CommandError {
    match error {
        PairError::Interrupted(signal) => CommandError::interrupted(signal),
        lost @ PairError::GpuLost { .. } => CommandError::failed(lost),
        other => CommandError::usage(other),
    }
}
