//! `lcmbench init`: configuration, ignored folders and workflows for a project.

mod first_suite;
mod ignored;
mod manager;
mod plan;
mod project;
mod protection;
mod settings_file;
mod tables;
mod workflows;

use clap::{Args, ValueEnum};

use super::{CommandError, Context, Exit};

use plan::Plan;
use project::Project;

/// Write configuration, `.gitignore` lines and workflows for this project.
///
/// Takes what it finds: an `asv.conf.json`, pixi or uv, the package, the main branch. Nothing that is
/// there is overwritten; what is there already is said and left as it is. At the end the steps are
/// printed that only GitHub's pages can do.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Show what would be written, and write nothing.
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// Import name of the package that is measured. Default: found from pyproject.toml and folders.
    #[arg(long, value_name = "NAME")]
    package: Option<String>,
    /// The Python of the benchmarks. Default: that of pixi or uv, where the project has one.
    #[arg(long, value_name = "COMMAND")]
    python: Option<String>,
    /// Label of the self-hosted runner that measures.
    #[arg(long, value_name = "LABEL", default_value = "gpu-benchmark", value_parser = runner_label)]
    runner: String,
    /// Further workflows: pull requests from forks, a merge queue, measuring on demand. Separated by
    /// commas.
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    with: Vec<Extra>,
    /// Write no workflows.
    #[arg(long, conflicts_with = "with")]
    no_workflows: bool,
}

/// Workflows that not every project wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Extra {
    Forks,
    Queue,
    OnDemand,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    let project = Project::find(arguments, context)?;
    let mut plan = Plan::default();
    first_suite::plan(&project, &mut plan);
    settings_file::plan(&project, &mut plan);
    ignored::plan(&project, &mut plan);
    if !arguments.no_workflows {
        workflows::plan(&project, arguments, &mut plan);
    }
    let printer = &context.printer;
    if arguments.dry_run {
        printer.out(plan.preview(&project.top).trim_end());
    } else {
        for line in plan.carry_out(&project.top)? {
            printer.out(&line);
        }
    }
    for line in protection::steps(&project, !arguments.no_workflows) {
        printer.out(&line);
    }
    Ok(Exit::Done)
}

/// A label of a runner, which goes into a list of YAML.
fn runner_label(text: &str) -> Result<String, String> {
    let valid = !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
    if valid {
        Ok(text.to_owned())
    } else {
        Err("a label has letters, digits, `-`, `_` and `.`".to_owned())
    }
}
