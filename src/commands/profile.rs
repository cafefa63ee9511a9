//! `lcmbench profile`: where a benchmark of the suite spends its time.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::measure::{Session, WorkerArguments};
use super::paths::{duration, tell_details};
use super::progress::plain;
use super::{CommandError, Context, Exit};
use crate::config::Settings;
use crate::paths::{
    Format, Length, Problem, ProfileOptions, PythonRunner, Runner, RunnerError, RunnerOptions,
    SuiteBenchmark, SuiteProfile, profile_benchmark, render, suite_profile,
};
use crate::report::grid::plain_line;
use crate::suite::Selected;
use crate::sys::printer::Printer;
use crate::sys::signals::Signals;

/// How many of several benchmarks an error names.
const NAMED: usize = 20;

/// Run one benchmark in a loop under py-spy, and write a flame graph.
///
/// It is set up and warmed as in a run, in a process of its own; the profiler is attached after that.
/// Nothing is saved but the graph.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The benchmark: its name, its name(parameters), or a regular expression that is found in those
    /// of one alone.
    #[arg(value_name = "BENCH")]
    bench: String,
    /// Where the flame graph goes. Default: lcmbench-profile-<benchmark>.svg.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Samples a second.
    #[arg(long, value_name = "HZ", default_value_t = 500, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..))]
    rate: u32,
    /// Run the bare loop, for a profiler of your own.
    #[arg(long, conflicts_with_all = ["output", "rate"])]
    no_py_spy: bool,
    /// How long the loop goes on; at least one call is made.
    #[arg(long, value_name = "SECONDS", default_value = "10", allow_negative_numbers = true,
        value_parser = duration)]
    seconds: Duration,
    /// Calls of the loop, however long they take.
    #[arg(long, value_name = "CALLS", conflicts_with = "seconds", allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..))]
    calls: Option<u32>,
    /// Limit of each step in seconds of wall-clock time: the set-up with its warm-up, and the loop.
    #[arg(long, value_name = "SECONDS", default_value = "900", allow_negative_numbers = true,
        value_parser = duration)]
    timeout: Duration,
    #[command(flatten)]
    worker: WorkerArguments,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    let printer = &context.printer;
    let settings = super::setup::settings(context, &arguments.worker.overrides()?)?;
    let session = Session::start(&settings, context, None)?;
    let (selected, combination) = only_one(arguments, &session, printer)?;
    let folder = tempfile::Builder::new()
        .prefix("lcmbench-profile-")
        .tempdir_in(temporary(context))?;
    let benchmark = SuiteBenchmark {
        suite: unicode(&settings.asv.benchmark_dir)?,
        folder: unicode(folder.path())?,
        name: selected.benchmark.name().to_owned(),
        shown: selected.benchmark.record.display_name(combination),
        combination: selected.benchmark.parameterised().then_some(combination),
        setup_scope: settings.setup_scope,
        device_sync: settings.device_sync,
    };
    let words = session.python_words();
    // The process that imported the suite may hold a device, or memory.
    drop(session);
    let mut runner = runner(words, &settings, context)?;
    let length = arguments
        .calls
        .map_or(Length::Lasting(arguments.seconds), Length::Calls);
    let options = ProfileOptions {
        output: arguments
            .output
            .as_ref()
            .map(|output| context.directory.join(output)),
        directory: context.directory.clone(),
        rate: arguments.rate,
        bare: arguments.no_py_spy,
    };
    let shown = plain_line(&benchmark.shown);
    let mut tell = |line: &str| printer.foreign_note(&format!("{shown}: {line}"));
    let (result, stopped) = profile_benchmark(
        &mut runner,
        arguments.timeout,
        &benchmark,
        length,
        &options,
        &mut tell,
    );
    runner.end();
    let interrupted = match stopped {
        None => None,
        Some(RunnerError::Interrupted(signal)) => Some(signal),
        Some(error) => return Err(CommandError::usage(error)),
    };
    let format = Format::Table {
        color: printer.color,
    };
    printer.foreign(&render(&suite_profile(&result), format));
    if let Some(Problem::Failed { details, reason }) = &result.problem
        && plain(details).trim() != reason.trim()
    {
        tell_details(details, printer);
    }
    Ok(exit(&result, interrupted))
}

/// A benchmark that was asked for by name and could not be profiled is no success, whatever the reason.
fn exit(result: &SuiteProfile, interrupted: Option<i32>) -> Exit {
    match (interrupted, &result.problem) {
        (Some(signal), _) => Exit::Interrupted(signal),
        (None, Some(_)) => Exit::Failed,
        (None, None) => Exit::Done,
    }
}

/// The one benchmark, and the one combination of its parameters, that is meant.
fn only_one(
    arguments: &Arguments,
    session: &Session,
    printer: &Printer,
) -> Result<(Selected, usize), CommandError> {
    let pattern = &arguments.bench;
    let mut selected = session
        .select(std::slice::from_ref(pattern), printer)
        .map_err(|error| session.of_selection(error))?;
    // A name is no expression that other names happen to contain.
    if selected.iter().any(|one| one.benchmark.name() == pattern) {
        selected.retain(|one| one.benchmark.name() == pattern);
    }
    if let [only] = selected.as_slice()
        && let [combination] = only.combinations[..]
    {
        return Ok((only.clone(), combination));
    }
    let names: Vec<String> = selected
        .iter()
        .flat_map(|one| {
            let places = one.combinations.iter();
            places.map(|place| one.benchmark.record.display_name(*place))
        })
        .collect();
    let mut listed: Vec<String> = names
        .iter()
        .take(NAMED)
        .map(|name| format!("\n  {}", plain_line(name)))
        .collect();
    if names.len() > NAMED {
        listed.push(format!("\n  and {} more", names.len() - NAMED));
    }
    Err(CommandError::usage(anyhow::anyhow!(
        "one benchmark is profiled at a time, and `{}` means {}:{}",
        plain_line(pattern),
        names.len(),
        listed.concat()
    )))
}

fn runner(
    python: Vec<String>,
    settings: &Settings,
    context: &Context,
) -> Result<PythonRunner, CommandError> {
    let options = RunnerOptions {
        python,
        directory: settings.directory.clone(),
        fixture: None,
        examples: None,
        package: None,
        environment: context.environment.clone(),
        benchmark_env: settings.benchmark_env.clone(),
    };
    let signals = Signals::install()?;
    Ok(PythonRunner::new(options, Some(Arc::new(signals)))?)
}

fn temporary(context: &Context) -> PathBuf {
    let named = context.environment.path("TMPDIR");
    named.unwrap_or_else(|| PathBuf::from("/tmp"))
}

fn unicode(path: &Path) -> Result<String, CommandError> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| {
        CommandError::usage(anyhow::anyhow!(
            "`{}` is not valid UTF-8; use another path",
            path.display()
        ))
    })
}
