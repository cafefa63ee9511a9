//! `lcmbench show`: what was measured, and the results of one commit.

mod convert;

use clap::{Args, ValueEnum};

use crate::report::listing::{CommitResults, Series};
use crate::report::{json, show};
use crate::results::{BenchmarkIndex, Detail};
use crate::suite::Pattern;

use super::setup::{Overrides, settings};
use super::stored::{Place, Stored};
use super::{CommandError, Context, Exit};

/// Show the measured commits or, with a commit, its results.
///
/// Starts no Python and opens no GPU library: what is shown is what the files hold.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The commit: anything that git understands, or the beginning of a measured commit's hash.
    commit: Option<String>,
    #[command(flatten)]
    place: Place,
    /// Only benchmarks in whose name, or `name(p1, p2)`, this regular expression is found. Repeatable.
    #[arg(short, long, value_name = "REGEX")]
    bench: Vec<String>,
    /// Add repeat, number, confidence interval and samples.
    #[arg(long)]
    details: bool,
    /// Show how long each benchmark, build and cache set-up took instead of its results.
    #[arg(long, conflicts_with = "details")]
    durations: bool,
    /// How to print it.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    #[default]
    Table,
    /// For programs; always with all details and durations.
    Json,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    let settings = settings(context, &Overrides::default())?;
    let stored = Stored::open(&settings, &context.printer);
    let shown = match &arguments.commit {
        None => {
            let series = measured(&stored, &arguments.place)?;
            match arguments.format {
                Format::Table => show::commits(&series, settings.asv.hash_length),
                Format::Json => json::series(&series),
            }
        }
        Some(commit) => {
            let results = results(&stored, commit, arguments)?;
            match arguments.format {
                Format::Json => json::results(&results),
                Format::Table if arguments.durations => show::durations(&results),
                Format::Table => show::results(&results, arguments.details),
            }
        }
    };
    context.printer.out(&shown);
    Ok(Exit::Done)
}

/// The measured commits of each machine and environment, by the name that the environment counts
/// under.
fn measured(stored: &Stored<'_>, place: &Place) -> Result<Vec<Series>, CommandError> {
    let mut series: Vec<Series> = Vec::new();
    for (folder, files) in stored.files(place.machine.as_deref())? {
        for file in files {
            let Some(loaded) = stored.load(file, Detail::Values) else {
                continue;
            };
            if stored.is_wanted(&loaded, place) {
                let commit = convert::measured_commit(&loaded.set);
                let environment = stored.counts_as(&loaded.set.env_name);
                let known = series.iter_mut().find(|series| {
                    series.machine == folder.machine.name && series.environment == environment
                });
                match known {
                    Some(series) => series.commits.push(commit),
                    None => series.push(Series {
                        machine: folder.machine.name.clone(),
                        environment: environment.to_owned(),
                        commits: vec![commit],
                    }),
                }
            }
        }
    }
    for series in &mut series {
        series.commits.sort_by_key(|commit| commit.date);
    }
    Ok(series)
}

/// The results of one commit on all machines and in all environments that are wanted.
fn results(
    stored: &Stored<'_>,
    commit: &str,
    arguments: &Arguments,
) -> Result<Vec<CommitResults>, CommandError> {
    let named = stored.commit(commit);
    let candidates = stored.candidates(&named, &arguments.place)?;
    let index = stored.store.load_benchmarks().unwrap_or_else(|problem| {
        stored.warn(&[problem]);
        BenchmarkIndex::default()
    });
    let patterns: Vec<Pattern> = arguments
        .bench
        .iter()
        .map(|text| Pattern::new(text))
        .collect();
    let mut results = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let candidate = stored.complete(candidate)?;
        let set = &candidate.loaded.set;
        let mut shown = convert::commit_results(set, &candidate.folder.machine.name, &index);
        shown.side.name = named.display_name(set, stored.repository.as_ref());
        keep_matching(&mut shown, &patterns)?;
        results.push(shown);
    }
    Ok(results)
}

/// Drops the combinations that no pattern finds; without patterns none.
fn keep_matching(results: &mut CommitResults, patterns: &[Pattern]) -> Result<(), CommandError> {
    if patterns.is_empty() {
        return Ok(());
    }
    let names: Vec<Vec<String>> = results
        .benchmarks
        .iter()
        .map(convert::display_names)
        .collect();
    for (benchmark, names) in results.benchmarks.iter_mut().zip(&names) {
        let mut keep = Vec::with_capacity(names.len());
        for name in names {
            keep.push(is_meant(name, patterns)?);
        }
        let mut keep = keep.into_iter();
        benchmark.results.retain(|_| keep.next().unwrap_or(false));
    }
    results
        .benchmarks
        .retain(|benchmark| !benchmark.results.is_empty());
    if results.benchmarks.is_empty() {
        let texts: Vec<&str> = patterns.iter().map(Pattern::text).collect();
        return Err(CommandError::usage(anyhow::anyhow!(
            "no benchmark with results matches `{}`",
            texts.join("` or `")
        )));
    }
    Ok(())
}

fn is_meant(name: &str, patterns: &[Pattern]) -> Result<bool, CommandError> {
    for pattern in patterns {
        if pattern.is_literally(name) || pattern.found_in(name)? {
            return Ok(true);
        }
    }
    Ok(false)
}
