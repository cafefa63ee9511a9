//! `lcmbench machine`: describes this machine in asv's file.

use clap::Args;

use crate::machine::{self, Detected, FIELDS, Fields, Registry, stated};

use super::setup::{Overrides, settings_or_defaults};
use super::{CommandError, Context, Exit};

/// Describe this machine in `~/.asv-machine.json`, and print the description.
///
/// Without single facts, everything is taken as detected; memory in whole gigabytes, and kept as it
/// stands when it is within one gigabyte of that. With single facts only these change, and what the
/// entry lacks is filled. No question is ever asked.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Take what is detected. This is what happens in any case; accepted because asv has it.
    #[arg(long)]
    yes: bool,
    /// Name of the machine. Default: the key `machine`, `LCMBENCH_MACHINE`, or the host name.
    #[arg(long, value_name = "NAME")]
    machine: Option<String>,
    /// Name and version of the operating system.
    #[arg(long, value_name = "TEXT", value_parser = stated::words)]
    os: Option<String>,
    /// Architecture of the processors, such as `x86_64`.
    #[arg(long, value_name = "TEXT", value_parser = stated::words)]
    arch: Option<String>,
    /// Model of the processors.
    #[arg(long, value_name = "TEXT", value_parser = stated::words)]
    cpu: Option<String>,
    /// Number of processors.
    #[arg(long = "num_cpu", alias = "num-cpu", value_name = "N", value_parser = stated::processors)]
    num_cpu: Option<String>,
    /// Physical memory, such as `64GB`.
    #[arg(long, value_name = "SIZE", value_parser = stated::memory)]
    ram: Option<String>,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    let overrides = Overrides {
        machine: arguments.machine.clone(),
        ..Overrides::default()
    };
    let settings = settings_or_defaults(context, &overrides)?;
    let fields = Fields {
        arch: arguments.arch.clone(),
        cpu: arguments.cpu.clone(),
        num_cpu: arguments.num_cpu.clone(),
        os: arguments.os.clone(),
        ram: arguments.ram.clone(),
    };
    let described = machine::register(
        settings.machine.as_deref(),
        &fields,
        &context.environment,
        &Detected::of_host(),
    )?;
    let line = |key: &str, value: &str| context.printer.out(&format!("{key:<8} {value}"));
    line("machine", &described.name);
    for key in FIELDS {
        line(key, described.facts.get(key).map_or("", String::as_str));
    }
    for (key, value) in &described.facts {
        if !FIELDS.contains(&key.as_str()) {
            line(key, value);
        }
    }
    let path = Registry::open(&context.environment)?
        .path()
        .display()
        .to_string();
    context.printer.note(&format!("stored in {path}"));
    if !arguments.yes {
        context.printer.note(
            "lcmbench asks no questions; change single facts with --os, --arch, --cpu, --num_cpu \
             and --ram",
        );
    }
    Ok(Exit::Done)
}
