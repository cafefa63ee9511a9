//! The arguments of `lcmbench continuous`, and those that other commands share with it.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::commands::CommandError;
use crate::commands::comparing::{Format, gates};
use crate::commands::measure::{MeasureArguments, SelectionArguments, WorkerArguments};
use crate::report::Gate;
use crate::report::order::Sort;

use super::sides::Form;

/// Measure base against head in one sitting, in pairs of processes, with a stated error rate.
///
/// Without arguments HEAD against the merge base with the main branch. See docs/paired.md.
#[derive(Debug, Args)]
pub(in crate::commands) struct Arguments {
    /// The earlier commit. Default: the merge base of HEAD and the main branch.
    #[arg(value_name = "BASE", conflicts_with_all = ["base_checkout", "head_checkout"])]
    base: Option<String>,
    /// The later commit. Default: HEAD.
    #[arg(value_name = "HEAD")]
    head: Option<String>,
    /// A folder with the base checked out, instead of a worktree made from a commit.
    #[arg(long, value_name = "FOLDER", requires = "head_checkout")]
    base_checkout: Option<PathBuf>,
    /// A folder with the head checked out.
    #[arg(long, value_name = "FOLDER", requires = "base_checkout")]
    head_checkout: Option<PathBuf>,
    /// The Python (or, as asv names it, the environment `existing:/path/to/python`) of the base. Without
    /// commits and checkouts two interpreters are compared on the tree as it is.
    #[arg(long, visible_alias = "base-environment", value_name = "COMMAND")]
    base_python: Option<String>,
    /// The Python of the head; `--python` names that of both.
    #[arg(long, visible_alias = "head-environment", value_name = "COMMAND")]
    head_python: Option<String>,
    #[command(flatten)]
    pub(super) selection: SelectionArguments,
    #[command(flatten)]
    pub(super) worker: WorkerArguments,
    #[command(flatten)]
    pub(super) measure: MeasureArguments,
    #[command(flatten)]
    pub(super) pairing: PairingArguments,
    /// Go on with an interrupted measurement of the same two sides.
    #[arg(long)]
    pub(super) resume: bool,
    /// Let each side run its own suite; benchmarks on one side alone are listed. Without it HEAD's suite
    /// runs on both.
    #[arg(long)]
    pub(super) own_suites: bool,
    /// Save nothing.
    #[arg(short = 'n', long)]
    pub(super) dry_run: bool,
    /// How to print it.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
    /// Order of the rows of the table.
    #[arg(long, value_enum, default_value_t)]
    pub(super) sort: Sort,
    /// Show only rows whose verdict is `slower` or `faster`, or with an alert; the others are counted.
    #[arg(long)]
    pub(super) only_changed: bool,
    /// End with exit code 1 if there is any of these. Separated by commas.
    #[arg(long, value_name = "VERDICTS", value_delimiter = ',', value_parser = gates())]
    pub(super) fail_on: Vec<Gate>,
}

/// How pairs are measured.
#[derive(Debug, Clone, Default, Args)]
pub(in crate::commands) struct PairingArguments {
    /// Time for everything, such as `20m`: shared out over the benchmarks in turn.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(in crate::commands) budget: Option<Duration>,
    /// Pairs of every benchmark before it is decided who needs more. Default: 8.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..))]
    pub(in crate::commands) pairs: Option<u16>,
    /// Pairs of a benchmark, at most. Default: 40.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..))]
    pub(in crate::commands) max_pairs: Option<u16>,
    /// Seed of the coin that decides the order of each pair; recorded. Default: from the clock.
    #[arg(long, value_name = "NUMBER")]
    pub(in crate::commands) seed: Option<u32>,
    /// Seconds that one sample should last. Default: 0.0005, and 0.002 where `device_sync` waits for a
    /// GPU.
    #[arg(long, value_name = "SECONDS", value_parser = positive)]
    pub(in crate::commands) sample_time: Option<f64>,
}

impl Arguments {
    /// Which two sides are asked for.
    pub(super) fn form(&self) -> Result<Form, CommandError> {
        let pythons = [self.base_python.clone(), self.head_python.clone()];
        if let (Some(base), Some(head)) = (&self.base_checkout, &self.head_checkout) {
            return Ok(Form::Checkouts {
                base: base.clone(),
                head: head.clone(),
                pythons,
            });
        }
        if self.base.is_none() && self.base_python.is_some() {
            return Ok(Form::OneTree { pythons });
        }
        if self.base.is_none() && self.head_python.is_some() {
            return Err(CommandError::usage(anyhow::anyhow!(
                "--head-python alone says nothing about the base; name its Python with --base-python"
            )));
        }
        Ok(Form::Commits {
            base: self.base.clone(),
            head: self.head.clone().unwrap_or_else(|| "HEAD".to_owned()),
            pythons,
        })
    }
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if seconds > 0.0 && f64::is_finite(seconds) => Ok(seconds),
        _ => Err("a number of seconds above 0 is needed".to_owned()),
    }
}

/// A time such as `90`, `90s`, `20m` or `1.5h`.
pub(in crate::commands) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no time such as 90s, 20m or 1.5h");
    let (number, unit) = match text.char_indices().last() {
        Some((at, 's')) => (&text[..at], 1.0),
        Some((at, 'm')) => (&text[..at], 60.0),
        Some((at, 'h')) => (&text[..at], 3600.0),
        _ => (text, 1.0),
    };
    let number: f64 = number.parse().map_err(|_| wrong())?;
    if number <= 0.0 {
        return Err(wrong());
    }
    Duration::try_from_secs_f64(number * unit).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("20m"), Ok(Duration::from_mins(20)));
        assert_eq!(duration("1.5h"), Ok(Duration::from_mins(90)));
        for wrong in ["", "m", "-3s", "0", "nan", "5d", "1e300h"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
