//! The commands: one file each, with its arguments and one `run(args, context)`.

mod allow_list;
mod branch;
mod changes;
mod check;
mod compare;
mod comparing;
mod continuous;
mod doctor;
mod error;
mod gpu;
mod gpu_use;
mod handoff;
mod init;
mod list;
mod machine;
mod main_branch;
mod measure;
mod pages;
mod pair;
mod paths;
mod pr;
mod pr_comment;
mod preview;
mod profile;
mod progress;
mod publish;
mod pull_request;
mod quick;
mod report;
mod reporting;
mod run;
mod selftest;
mod setup;
mod show;
mod stopping;
mod stored;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::sys::env::Environment;
use crate::sys::printer::Printer;
use crate::sys::seclusion::seclude;

pub use error::{CommandError, Exit};

/// What every command is given: the world, read once.
#[derive(Debug, Clone)]
pub struct Context {
    pub environment: Environment,
    pub printer: Printer,
    /// The folder that the command was started in.
    pub directory: PathBuf,
    /// `--config FILE`.
    pub config: Option<PathBuf>,
}

/// Run benchmarks, compare commits and report, on the machine that matters.
#[derive(Debug, Parser)]
#[command(
    name = "lcmbench",
    version,
    propagate_version = true,
    arg_required_else_help = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// The configuration file instead of `asv.conf.json` or `asv.conf.jsonc` in this folder.
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// One variant a command; each is a file of this folder with `Arguments` and `run`.
#[derive(Debug, Subcommand)]
enum Command {
    Changes(changes::Arguments),
    Check(check::Arguments),
    Compare(compare::Arguments),
    Continuous(Box<continuous::Arguments>),
    Doctor(doctor::Arguments),
    Gpu(gpu::Arguments),
    Init(init::Arguments),
    List(list::Arguments),
    Machine(machine::Arguments),
    Pair(Box<pair::Arguments>),
    Main(main_branch::Arguments),
    Paths(paths::Arguments),
    Preview(preview::Arguments),
    Publish(publish::Arguments),
    Pr(pr::Arguments),
    PrComment(pr_comment::Arguments),
    Profile(profile::Arguments),
    Quick(quick::Arguments),
    Report(report::Arguments),
    Run(run::Arguments),
    Selftest(Box<selftest::Arguments>),
    Show(show::Arguments),
}

/// Parses the arguments, runs the command and turns its outcome into an exit code.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let environment = Environment::of_process();
    let printer = Printer::of_process(&environment);
    if let Err(error) = seclude() {
        printer.warn(&format!(
            "benchmarks may be able to read the variables of lcmbench, tokens among them: {error}"
        ));
    }
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return error::usage(&error),
    };
    let exit = match dispatch(cli, environment, &printer) {
        Ok(exit) => exit,
        Err(error) => error.report(&printer),
    };
    match printer.lost() {
        Some(error) => {
            printer.note(&format!(
                "error: what was printed is incomplete, since standard output cannot be written: \
                 {error}"
            ));
            exit.worse(Exit::Usage).into()
        }
        None => exit.into(),
    }
}

fn dispatch(cli: Cli, environment: Environment, printer: &Printer) -> Result<Exit, CommandError> {
    let directory = std::env::current_dir().map_err(CommandError::usage)?;
    let context = Context {
        environment,
        printer: printer.clone(),
        directory,
        config: cli.config,
    };
    match cli.command {
        Command::Changes(arguments) => changes::run(&arguments, &context),
        Command::Check(arguments) => check::run(&arguments, &context),
        Command::Compare(arguments) => compare::run(&arguments, &context),
        Command::Continuous(arguments) => continuous::run(&arguments, &context),
        Command::Doctor(arguments) => doctor::run(&arguments, &context),
        Command::Gpu(arguments) => gpu::run(&arguments, &context),
        Command::Init(arguments) => init::run(&arguments, &context),
        Command::List(arguments) => list::run(&arguments, &context),
        Command::Main(arguments) => main_branch::run(&arguments, &context),
        Command::Machine(arguments) => machine::run(&arguments, &context),
        Command::Pair(arguments) => pair::run(&arguments, &context),
        Command::Paths(arguments) => paths::run(&arguments, &context),
        Command::Preview(arguments) => preview::run(&arguments, &context),
        Command::Publish(arguments) => publish::run(&arguments, &context),
        Command::Pr(arguments) => pr::run(&arguments, &context),
        Command::PrComment(arguments) => pr_comment::run(&arguments, &context),
        Command::Profile(arguments) => profile::run(&arguments, &context),
        Command::Quick(arguments) => quick::run(&arguments, &context),
        Command::Report(arguments) => report::run(&arguments, &context),
        Command::Run(arguments) => run::run(&arguments, &context),
        Command::Selftest(arguments) => selftest::run(&arguments, &context),
        Command::Show(arguments) => show::run(&arguments, &context),
    }
}
