//! `lcmbench selftest`: what this machine can tell apart.

use std::time::Duration;

use clap::{Args, Subcommand};
use fs_err as fs;

use crate::config::{LaunchMethod, Settings};
use crate::continuous::{
    Bench, Ended, Limits, Notice, Options, Track, false_alarms, judge, smallest_found,
};
use crate::report::MetricKind;
use crate::report::units::percent;
use crate::run::{Attributes, Clock, Plan, PlanOptions, Planned, Sampling, SystemClock};
use crate::stats::{LowEstimator, PairedVerdict, Random, Rule, conclude, paired_evidence};
use crate::worker::Executor;

use super::continuous::duration;
use super::measure::{Session, WorkerArguments};
use super::{CommandError, Context, Exit};

/// The suite that is measured: plain Python, so that it runs everywhere.
const SUITE: &str = include_str!("selftest/suite.py");

/// Variable that says how much work a side has.
const WORK: &str = "LCMBENCH_SELFTEST_WORK";

/// Work of a side without a planted slow-down.
const UNIT: f64 = 1.0;

/// Show what this machine can tell apart: false alarms between two equal sides, or a planted slow-down.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Base against base: the false-alarm rate that was seen, and the smallest slow-down that could have
    /// been found.
    Aa(AaArguments),
    /// Plant a slow-down and say whether it is found.
    Power(PowerArguments),
}

#[derive(Debug, Args)]
struct AaArguments {
    /// Time to measure.
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = duration)]
    budget: Duration,
    /// Pairs of each benchmark, at most.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(10..))]
    pairs: u16,
    #[command(flatten)]
    worker: WorkerArguments,
}

#[derive(Debug, Args)]
struct PowerArguments {
    /// The slow-down, such as `2%`.
    #[arg(long, value_name = "PERCENT", default_value = "5%", value_parser = share)]
    inject: f64,
    /// Time to measure.
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = duration)]
    budget: Duration,
    #[command(flatten)]
    worker: WorkerArguments,
}

/// `2%` or `0.02`.
fn share(text: &str) -> Result<f64, String> {
    let wrong = || format!("`{text}` is no slow-down such as 2%");
    let value = match text.strip_suffix('%') {
        Some(number) => number.trim().parse::<f64>().map_err(|_| wrong())? / 100.0,
        None => text.parse().map_err(|_| wrong())?,
    };
    if value > 0.0 && value <= 10.0 {
        Ok(value)
    } else {
        Err(wrong())
    }
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    match &arguments.command {
        What::Aa(aa) => {
            let limits = Limits {
                first: usize::from(aa.pairs),
                most: usize::from(aa.pairs),
                budget: Some(aa.budget),
            };
            let ended = measure(&aa.worker, UNIT, limits, context)?;
            context.printer.out(&equal_sides(&ended));
            Ok(exit(&ended))
        }
        What::Power(power) => {
            let limits = Limits {
                budget: Some(power.budget),
                ..Limits::default()
            };
            let ended = measure(&power.worker, UNIT + power.inject, limits, context)?;
            let (text, found) = planted(&ended, power.inject);
            context.printer.out(&text);
            let exit = exit(&ended);
            Ok(if found { exit } else { exit.worse(Exit::Gate) })
        }
    }
}

fn exit(ended: &Ended) -> Exit {
    ended.interrupted.map_or(Exit::Done, Exit::Interrupted)
}

fn measure(
    worker: &WorkerArguments,
    work: f64,
    limits: Limits,
    context: &Context,
) -> Result<Ended, CommandError> {
    let folder = tempfile::Builder::new()
        .prefix("lcmbench-selftest-")
        .tempdir()?;
    let suite = folder.path().join("selftest_suite");
    fs::create_dir(&suite)?;
    fs::write(suite.join("__init__.py"), "")?;
    fs::write(suite.join("work.py"), SUITE)?;
    let mut settings = super::setup::settings_or_defaults(context, &worker.overrides()?)?;
    settings.launch = LaunchMethod::Spawn;
    settings.package = None;
    folder.path().clone_into(&mut settings.directory);
    settings.asv.benchmark_dir = suite;
    let side = |work: f64| -> Result<Session, CommandError> {
        let mut settings: Settings = settings.clone();
        settings
            .benchmark_env
            .insert(WORK.to_owned(), work.to_string());
        Session::start(&settings, context, None)
    };
    let (mut base, mut head) = (side(UNIT)?, side(work)?);
    let selected = base
        .select(&[], &context.printer)
        .map_err(|error| base.of_selection(error))?;
    let plan = Plan::new(
        &selected,
        &PlanOptions {
            default_timeout: 60.0,
            ..PlanOptions::default()
        },
    );
    let clock = SystemClock::start();
    let seed = Random::new(clock.unix_millis().cast_unsigned()).bits() >> 32;
    context.printer.note(&base.sentence());
    context.printer.note(&format!("seed {seed}"));
    let attributes = Attributes::default();
    let executors: [&mut dyn Executor; 2] = [&mut base.worker, &mut head.worker];
    let facts = |_: &Planned| (MetricKind::Time, Rule::default(), false);
    let options = Options {
        limits,
        sampling: Sampling::default(),
        estimator: LowEstimator::Minimum,
        seed,
    };
    let bench = Bench::new(&plan, executors, &attributes, &clock, options, &facts);
    let printer = &context.printer;
    let (ended, _) = bench.run(&mut |notice| match notice {
        Notice::Failed { name, reason, .. } => printer.warn(&format!("{name} fails: {reason}")),
        Notice::Void { reason, .. } => printer.note(&format!("a pair is void: {reason}")),
        _ => {}
    });
    if ended
        .tracks
        .iter()
        .all(|track| track.differences.is_empty())
        && ended.interrupted.is_none()
    {
        return Err(CommandError::failed(anyhow::anyhow!(
            "not a single pair could be measured in that time"
        )));
    }
    Ok(ended)
}

/// Two equal sides: false alarms, and what could have been found.
fn equal_sides(ended: &Ended) -> String {
    let rule = Rule::default();
    let mut lines = Vec::new();
    let (mut windows, mut alarms) = (0, 0);
    for track in measured(ended) {
        let test = false_alarms(&track.differences, 40, &rule);
        windows += test.windows;
        alarms += test.false_alarms;
        let spread = paired_evidence(&track.differences, &rule).map_or(0.0, |found| found.spread);
        let smallest = match smallest_found(&track.differences, test.size, &rule) {
            Some(effect) => format!("{} would have been found", percent(effect)),
            None => "too few pairs to find anything; measure longer".to_owned(),
        };
        lines.push(format!(
            "{}: {} pairs, spread of a pair {}; {} of {} windows of {} pairs raised a false alarm; within \
             as many pairs {smallest}",
            track.benchmark,
            track.pairs,
            percent(spread.exp_m1()),
            test.false_alarms,
            test.windows,
            test.size,
        ));
    }
    lines.push(format!(
        "false alarms: {alarms} of {windows} overlapping windows, {} (the limit is 1 % of benchmarks; \
         few windows cannot show that)",
        percent(share_of(alarms, windows))
    ));
    lines.join("\n")
}

/// A planted slow-down: whether each benchmark shows it.
fn planted(ended: &Ended, injected: f64) -> (String, bool) {
    let mut lines = Vec::new();
    let mut found_all = true;
    let rule = Rule::default();
    for (track, (_, survives)) in ended.tracks.iter().zip(judge(&ended.tracks)) {
        let Some(evidence) = track.evidence() else {
            found_all = false;
            continue;
        };
        let conclusion = conclude(&evidence, &rule);
        let found = conclusion.shown > 0 && survives;
        found_all &= found;
        let word = match (found, conclusion.verdict) {
            (true, PairedVerdict::Slower) => "found".to_owned(),
            (true, _) => "found, and below the limit for a verdict".to_owned(),
            (false, _) => match conclusion.more_pairs {
                Some(more) => format!("NOT found; about {more} more pairs would be needed"),
                None => "NOT found".to_owned(),
            },
        };
        lines.push(format!(
            "{}: {} planted, {} measured over {} pairs: {word}",
            track.benchmark,
            percent(injected),
            percent(evidence.estimate.exp_m1()),
            evidence.pairs,
        ));
    }
    (lines.join("\n"), found_all)
}

fn measured(ended: &Ended) -> impl Iterator<Item = &Track> {
    ended
        .tracks
        .iter()
        .filter(|track| !track.differences.is_empty())
}

#[expect(clippy::cast_precision_loss, reason = "numbers of windows are small")]
fn share_of(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_downs_are_shares_or_per_cent() {
        assert_eq!(share("2%"), Ok(0.02));
        assert_eq!(share("0.05"), Ok(0.05));
        for wrong in ["", "%", "0", "-1%", "x", "5000%"] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
    }
}
