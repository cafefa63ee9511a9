//! `lcmbench changes`: where the results of a branch changed for good.

mod convert;
mod day;

use clap::{Args, ValueEnum};

use crate::compare::minimum_effect;
use crate::history::{self, Criteria, FileValues, Wanted};
use crate::report::changes::{ChangesReport, markdown, text};
use crate::report::{Verdict, json};
use crate::results::{BenchmarkIndex, Detail, problem_lines};
use crate::suite::Pattern;
use crate::vcs::Repository;

use super::branch::branch_commits;
use super::setup::{Overrides, settings};
use super::stored::{Place, Stored};
use super::{CommandError, Context, Exit};

use convert::{Selection, report};
use day::Day;

/// Find where the results of a branch changed for good.
///
/// Looks at every benchmark's results along the first parents of the branch. A change is reported
/// once five commits have the new level. A new machine, driver or jaxlib is a border: nothing is
/// compared across it. Starts no Python; changes no file. The exit code is 0 unless `--fail-on` says
/// otherwise.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The branch, or anything that git understands. Default: the main branch.
    #[arg(long, value_name = "BRANCH")]
    branch: Option<String>,
    #[command(flatten)]
    place: Place,
    /// Only benchmarks in whose name, or `name(p1, p2)`, this regular expression is found. Repeatable.
    #[arg(short, long, value_name = "REGEX")]
    bench: Vec<String>,
    /// Only changes on this day or later (2026-09-30, in UTC, by the date of the commit).
    #[arg(long, value_name = "DAY")]
    since: Option<Day>,
    /// Only changes on this day or earlier.
    #[arg(long, value_name = "DAY")]
    until: Option<Day>,
    /// How to print it.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// End with exit code 1 if there is any such change that is not one of the benchmark itself.
    /// Separated by commas.
    #[arg(long, value_enum, value_name = "VERDICTS", value_delimiter = ',')]
    fail_on: Vec<FailOn>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table for terminals.
    #[default]
    Text,
    Markdown,
    /// For programs (`docs/json.md`).
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// For the worse, whatever the metric.
    Slower,
    /// For the better.
    Faster,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    let settings = settings(context, &Overrides::default())?;
    let patterns: Vec<Pattern> = arguments
        .bench
        .iter()
        .map(|text| Pattern::new(text))
        .collect();
    if let Some(complaint) = patterns.iter().find_map(Pattern::complaint) {
        return Err(CommandError::usage(anyhow::anyhow!("--bench: {complaint}")));
    }
    let stored = Stored::open(&settings, &context.printer);
    let folders = stored.files(arguments.place.machine.as_deref())?;
    let branch = arguments.branch.as_deref().unwrap_or(&settings.main_branch);
    let repository = Repository::discover(&settings.repository_folder())?;
    let commits = branch_commits(&repository, branch)?;
    let wanted = Wanted {
        settings: &settings.history,
        environment: &settings.environment,
        details: false,
        read: &|file| {
            let (loaded, _) = stored.store.load(file, Detail::Values)?;
            let is_wanted = stored.is_wanted_set(&loaded.set, &arguments.place);
            Ok(is_wanted.then(|| FileValues::of(&loaded.set, settings.history.rules)))
        },
    };
    let set = history::load(&folders, commits, &wanted);
    for line in problem_lines(&set.problems) {
        context.printer.warn(&line);
    }
    let index = stored.store.load_benchmarks().unwrap_or_else(|problem| {
        stored.warn(&[problem]);
        BenchmarkIndex::default()
    });
    let limits = &settings.limits;
    let criteria = Criteria {
        minimum_effect: &|benchmark| minimum_effect(limits, benchmark),
        rules: settings.history.rules,
    };
    let changes = history::changes(&set, &criteria);
    let selection = Selection {
        branch,
        patterns: &patterns,
        since: arguments.since.map(Day::start),
        until: arguments.until.map(Day::end),
    };
    let report = report(&set, &changes, &selection, limits, &index);
    let shown = match arguments.format {
        Format::Text => text(&report, context.printer.color),
        Format::Markdown => markdown(&report),
        Format::Json => json::changes(&report),
    };
    context.printer.out(&shown);
    Ok(gated(&report, &arguments.fail_on, context))
}

/// Exit code 1 where `--fail-on` objects, with the reason. A step of a benchmark that was itself
/// changed is no verdict on the project.
fn gated(report: &ChangesReport, fail_on: &[FailOn], context: &Context) -> Exit {
    let count = |verdict: Verdict| {
        let of = report
            .changes
            .iter()
            .filter(|change| change.versions.is_none());
        of.filter(|change| change.verdict == verdict).count()
    };
    let objections = fail_on.iter().map(|word| {
        let verdict = match word {
            FailOn::Slower => Verdict::Slower,
            FailOn::Faster => Verdict::Faster,
        };
        (count(verdict), verdict.words())
    });
    Exit::of_objections(objections, &context.printer)
}
