//! `lcmbench gpu probe`: is the GPU in its usual state?

use std::ffi::OsString;
use std::time::{Duration, Instant};

use clap::Args;
use rustix::process::Signal;

use crate::commands::{CommandError, Context, Exit};
use crate::gpu::{Figures, Judgement, ProbeHistory, Target, measure};
use crate::json::{Json, Object, parse, to_compact, to_pretty};
use crate::sys::env::Environment;
use crate::sys::process::{ExitStatus, Program, run as run_program};

use super::Format;
use super::turn::TurnArguments;

/// A probe takes about a second, and a cold driver some more.
const PATIENCE: Duration = Duration::from_mins(2);

/// Measure copying, arithmetic and launches on each GPU, and compare with its last probes.
///
/// A short process of its own measures: copies within the device, a chain of multiply-adds (whose time
/// tells the clock), the whole device's arithmetic, and the price of a launch. The last 20 probes of
/// each GPU are kept below ~/.local/state/lcmbench. The state is abnormal if a figure is off by more
/// than 1 % and by more than four robust standard deviations; the exit code is 1 then.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    turn: TurnArguments,
    /// The form of the report.
    #[arg(long, value_enum, default_value_t = Format::Table, value_name = "FORMAT")]
    format: Format,
    /// Measure in this process, and print the figures alone.
    #[arg(long, hide = true)]
    measure_here: bool,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    if arguments.measure_here {
        let (name, figures) = measure().map_err(CommandError::failed)?;
        let mut object = figures.to_object();
        object.insert("name".to_owned(), name.into());
        context.printer.out(&to_compact(&object.into()));
        return Ok(Exit::Done);
    }
    let printer = &context.printer;
    let selection = arguments.turn.select(context)?;
    if let Some(none) = &selection.none {
        return Err(CommandError::failed(anyhow::anyhow!(
            "there is nothing to probe: {none}"
        )));
    }
    let lease = arguments.turn.take("gpu probe", &selection, context)?;
    let mut exit = Exit::Done;
    let mut reports = Vec::new();
    for target in &selection.targets {
        let probed = probe(target, context)?;
        if matches!(probed.judgement, Judgement::Abnormal(_)) {
            exit = Exit::Gate;
        }
        match arguments.format {
            Format::Json => reports.push(Json::Object(probed.to_object())),
            Format::Table => {
                printer.foreign(&probed.text());
            }
        }
    }
    drop(lease);
    if arguments.format == Format::Json {
        printer.out(&to_pretty(&reports.into()));
    }
    Ok(exit)
}

/// The probe of one GPU.
pub(in crate::commands) struct Probed {
    label: String,
    uuid: String,
    figures: Figures,
    pub(in crate::commands) judgement: Judgement,
}

impl Probed {
    /// As the record keeps it.
    pub(in crate::commands) fn to_object(&self) -> Object {
        let mut object = self.figures.to_object();
        object.insert("uuid".to_owned(), self.uuid.clone().into());
        object.insert("state".to_owned(), self.judgement.word().into());
        object.insert("sentence".to_owned(), self.judgement.sentence().into());
        object
    }

    fn text(&self) -> String {
        let figures = &self.figures;
        format!(
            "{}: copies {:.0} GB/s, clock {:.0} MHz, arithmetic {:.1} TFLOP/s, launch {:.2} µs\n  {}",
            self.label,
            figures.copy,
            figures.clock,
            figures.throughput,
            figures.launch,
            self.judgement.sentence()
        )
    }
}

/// Probes one GPU in a process of its own, and keeps the figures.
pub(in crate::commands) fn probe(
    target: &Target,
    context: &Context,
) -> Result<Probed, CommandError> {
    let figures = in_own_process(target.uuid(), &context.environment)?;
    let mut history = ProbeHistory::load(target.uuid(), &context.environment);
    let judgement = history.judge(&figures);
    if let Err(error) = history.keep(figures) {
        context
            .printer
            .warn(&format!("the probe is not kept: {error}"));
    }
    Ok(Probed {
        label: target.label(),
        uuid: target.uuid().to_owned(),
        figures,
        judgement,
    })
}

fn in_own_process(uuid: &str, environment: &Environment) -> Result<Figures, CommandError> {
    let executable = std::env::current_exe()?.into_os_string();
    let arguments: Vec<OsString> = ["gpu", "probe", "--measure-here"].map(Into::into).into();
    let shown = [(OsString::from("CUDA_VISIBLE_DEVICES"), OsString::from(uuid))];
    let variables = environment
        .iter()
        .map(|(name, value)| (name.clone(), value.clone()));
    let environment: Environment = variables.chain(shown).collect();
    let finished = run_program(
        &Program {
            name: &executable,
            arguments: &arguments,
            environment: &environment,
            directory: None,
            inherited: &[],
            death_signal: Some(Signal::KILL),
            kept_bytes: 16 * 1024,
        },
        Some(Instant::now() + PATIENCE),
        None,
    )?;
    let ended_well = finished
        .exit
        .is_some_and(|exit| exit.status == ExitStatus::Code(0));
    let figures = parse(finished.stdout.trim())
        .ok()
        .and_then(|json| Figures::of_json(&json))
        .filter(|_| ended_well);
    figures.ok_or_else(|| {
        let said = finished.stderr.trim();
        let said = said.strip_prefix("error: ").unwrap_or(said);
        CommandError::failed(anyhow::anyhow!(
            "the probe of {uuid} came to nothing: {said}"
        ))
    })
}
