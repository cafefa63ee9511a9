//! `lcmbench pair`: evidence for one change against one exact base.

mod arguments;
mod options;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::config::Settings;
use crate::pair::{
    Backend, Checkout, PairError, PairOptions, PairSummary, Probe, Progress, Python, Raw, Role,
    Run, ScenarioEntry, State, Status, agree, check_apart, check_output, document, judge,
    run_pairs,
};
use crate::paths::{Format, render};
use crate::sys::printer::Printer;
use crate::sys::signals::Signals;

use super::measure::require_trusted;
use super::setup::{Overrides, settings_or_defaults};
use super::{CommandError, Context, Exit};
pub(super) use arguments::Arguments;
use arguments::PairCommand;

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    if let Some(PairCommand::Report(report)) = &arguments.command {
        let (raw, run) = Raw::open(&context.directory.join(&report.folder)).map_err(of_pair)?;
        let summary = judge(&raw, &run).map_err(of_pair)?;
        show(&summary, report.format, &context.printer);
        return Ok(Exit::Done);
    }
    let overrides = Overrides {
        fork_code_is_allowed: arguments.allow_fork_code_on_self_hosted_runner,
        ..Overrides::default()
    };
    let settings = settings_or_defaults(context, &overrides)?;
    require_trusted(&settings, context)?;
    let signals = Arc::new(Signals::install()?);
    let python = Python::new(&context.environment, &settings.benchmark_env, Some(signals));
    let mut python = python.map_err(of_pair)?;
    if arguments.list {
        return list(arguments, &settings, context, &mut python);
    }
    let (raw, run) = match &arguments.resume {
        Some(folder) => resume(&context.directory.join(folder), &mut python)?,
        None => begin(arguments, &settings, context, &mut python)?,
    };
    measure(&raw, &run, &mut python, arguments, &context.printer)
}

/// Checks everything, in the order of its cost, and makes the output folder.
fn begin(
    arguments: &Arguments,
    settings: &Settings,
    context: &Context,
    python: &mut Python,
) -> Result<(Raw, Run), CommandError> {
    let output = arguments.output(&context.directory)?;
    let mut asked = options::options(arguments, settings, context)?;
    let checked = check(&asked)?;
    let output = check_output(&output, &[&checked.base, &checked.head, &checked.harness])
        .map_err(of_pair)?;
    let (entries, base, head) = probe(&asked, &checked, python)?;
    let chosen = options::choose(&entries, &arguments.scenario, asked.backend).map_err(of_pair)?;
    asked.scenarios = chosen.iter().map(|entry| entry.name.clone()).collect();
    let run = Run {
        version: 1,
        options: asked,
        scenarios: chosen,
        base,
        head,
    };
    let raw = Raw::create(&output, &run).map_err(of_pair)?;
    Ok((raw, run))
}

/// Takes revisions and options from the folder, and checks them again.
fn resume(folder: &Path, python: &mut Python) -> Result<(Raw, Run), CommandError> {
    let (raw, run) = Raw::open(folder).map_err(of_pair)?;
    let checked = check(&run.options)?;
    let (entries, base, head) = probe(&run.options, &checked, python)?;
    let same = |old: &Probe, new: &Probe| {
        (&old.python, &old.jax, &old.jaxlib) == (&new.python, &new.jax, &new.jaxlib)
    };
    if !same(&run.base, &base) || !same(&run.head, &head) {
        return Err(CommandError::usage(anyhow::anyhow!(
            "the interpreter, jax or jaxlib of a side is another than when {} was begun; begin anew \
             with another --output",
            folder.display()
        )));
    }
    let known = |entry: &ScenarioEntry| entries.contains(entry);
    if let Some(changed) = run.scenarios.iter().find(|entry| !known(entry)) {
        return Err(CommandError::usage(anyhow::anyhow!(
            "scenario `{}` is not the one that {} was begun with; begin anew with another --output",
            changed.name,
            folder.display()
        )));
    }
    Ok((raw, run))
}

struct Checked {
    base: Checkout,
    head: Checkout,
    harness: Checkout,
}

fn check(asked: &PairOptions) -> Result<Checked, CommandError> {
    let open = |role, folder: &Path, revision: &str| {
        Checkout::open(role, folder, revision).map_err(of_pair)
    };
    let checked = Checked {
        base: open(Role::Base, &asked.base_checkout, &asked.base_revision)?,
        head: open(Role::Head, &asked.head_checkout, &asked.head_revision)?,
        harness: open(
            Role::Harness,
            &asked.harness_checkout,
            &asked.harness_revision,
        )?,
    };
    check_apart(&checked.base, &checked.head, &checked.harness).map_err(of_pair)?;
    let others = [&checked.base, &checked.head];
    agree(&checked.harness, others, &asked.lock_files, &asked.sources).map_err(of_pair)?;
    Ok(checked)
}

/// Asks both interpreters who they are and what they would import, and which scenarios there are.
fn probe(
    asked: &PairOptions,
    checked: &Checked,
    python: &mut Python,
) -> Result<(Vec<ScenarioEntry>, Probe, Probe), CommandError> {
    let [base_side, head_side] = options::sides(asked);
    let quiet = BTreeMap::from([("PYTHONDONTWRITEBYTECODE".to_owned(), "1".to_owned())]);
    let base = python.probe(&base_side, &quiet).map_err(of_pair)?;
    let head = python.probe(&head_side, &quiet).map_err(of_pair)?;
    for (side, probe, checkout) in [
        (&base_side, &base, &checked.base),
        (&head_side, &head, &checked.head),
    ] {
        options::check_package(side, probe, checkout).map_err(of_pair)?;
    }
    options::check_jax(&base, &head, asked.allow_different_jaxlib).map_err(of_pair)?;
    let entries = python
        .scenarios(&head_side, asked.precision.bits())
        .map_err(of_pair)?;
    let wanted = |entry: &&ScenarioEntry| {
        asked.scenarios.is_empty() || asked.scenarios.contains(&entry.name)
    };
    let on_gpu = entries
        .iter()
        .filter(wanted)
        .any(|entry| entry.backend(asked.backend) == Backend::Gpu);
    if on_gpu {
        for side in [&base_side, &head_side] {
            python
                .check_backend(side, Backend::Gpu, &quiet)
                .map_err(of_pair)?;
        }
    }
    Ok((entries, base, head))
}

fn measure(
    raw: &Raw,
    run: &Run,
    python: &mut Python,
    arguments: &Arguments,
    printer: &Printer,
) -> Result<Exit, CommandError> {
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
    let outcome = run_pairs(python, [&base, &head], raw, run, &mut tell);
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

fn list(
    arguments: &Arguments,
    settings: &Settings,
    context: &Context,
    python: &mut Python,
) -> Result<Exit, CommandError> {
    let side = options::harness_side(arguments, settings, context)?;
    let entries = python
        .scenarios(&side, arguments.precision().bits())
        .map_err(of_pair)?;
    let lines: Vec<String> = entries
        .iter()
        .map(|entry| {
            let place = match entry.cpu_devices {
                Some(devices) => format!("{devices} CPU devices"),
                None => options::words(&entry.backends),
            };
            format!("{}  ({place})", entry.name)
        })
        .collect();
    context.printer.out(&lines.join("\n"));
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
        other => CommandError::usage(other),
    }
}
