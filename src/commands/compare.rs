//! `lcmbench compare`: two stored commits side by side.

use clap::Args;

use crate::config::Settings;
use crate::report::Gate;
use crate::report::order::Sort;
use crate::report::terminal::TableOptions;

use super::comparing::{Format, How, Measured, comparison, gated, gates, show};
use super::setup::{Overrides, settings};
use super::stored::{NamedCommit, Place, Stored};
use super::{CommandError, Context, Exit};

/// Compare the stored results of two commits.
///
/// Starts no Python and opens no GPU library: everything is taken from the files. The exit code is 0
/// whatever the verdicts are, unless `--fail-on` names some of them.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The earlier commit: anything that git understands, or the beginning of a measured commit's
    /// hash.
    base: String,
    /// The later commit.
    head: String,
    #[command(flatten)]
    place: Place,
    /// Ratio from which asv's marks `+` and `-` are given.
    #[arg(short, long, value_name = "RATIO", default_value_t = 1.1, value_parser = factor)]
    factor: f64,
    /// Give asv's marks by the factor alone, without asking whether the change is significant.
    #[arg(long)]
    no_stats: bool,
    /// Compare although machine, driver or the way of timing differ.
    #[arg(long)]
    force: bool,
    /// How to print it.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Order of the rows of the table.
    #[arg(long, value_enum, default_value_t)]
    sort: Sort,
    /// Show only rows with a mark, a verdict `slower` or `faster`, or an alert; the others are counted.
    #[arg(long, overrides_with = "no_only_changed")]
    only_changed: bool,
    /// Show all rows (the default).
    #[arg(long, hide = true, overrides_with = "only_changed")]
    no_only_changed: bool,
    /// One table each for what improved, stayed the same, got worse, is not comparable, has no verdict.
    #[arg(short, long)]
    split: bool,
    /// End with exit code 1 if there is any of these. Separated by commas.
    #[arg(
        long,
        value_name = "VERDICTS",
        value_delimiter = ',',
        value_parser = gates()
    )]
    fail_on: Vec<Gate>,
}

impl Arguments {
    fn table(&self) -> TableOptions {
        TableOptions {
            sort: self.sort,
            only_changed: self.only_changed,
            split: self.split,
            ..TableOptions::default()
        }
    }
}

fn factor(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(factor) if factor >= 1.0 && f64::is_finite(factor) => Ok(factor),
        _ => Err("a ratio of at least 1 is needed, such as 1.1".to_owned()),
    }
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    let settings = settings(context, &Overrides::default())?;
    let stored = Stored::open(&settings, &context.printer);
    let base = stored.commit(&arguments.base);
    let head = stored.commit(&arguments.head);
    let (base_side, head_side) = match stored.pair(&base, &head, &arguments.place) {
        Ok(sides) => sides,
        Err(error) => {
            // A slip in a name is no baseline that nobody measured yet.
            if base.hash.is_some() && stored.candidates(&base, &arguments.place).is_err() {
                show_head(&stored, &head, &settings, arguments, context);
            }
            return Err(error);
        }
    };
    if base_side.loaded.file.path == head_side.loaded.file.path {
        let commit = base_side
            .loaded
            .set
            .commit_hash
            .get(..8)
            .unwrap_or_default();
        context.printer.warn(&format!(
            "both sides are the results of {commit} in {}: every row compares a result with itself, \
             so no verdict is possible; name two commits",
            base_side.loaded.file.path.display()
        ));
    }
    let how = How {
        factor: arguments.factor,
        use_stats: !arguments.no_stats,
        force: arguments.force,
    };
    let comparison = comparison(
        Measured {
            stored: &stored,
            commit: &head,
            candidate: &head_side,
        },
        Some(Measured {
            stored: &stored,
            commit: &base,
            candidate: &base_side,
        }),
        &settings,
        context,
        how,
    );
    show(
        &comparison,
        &settings,
        arguments.format,
        arguments.table(),
        context,
    );
    Ok(gated(&comparison, &arguments.fail_on, context))
}

/// The report without a baseline: HEAD's values, if they can be told. That nothing was compared is an
/// error all the same, which the caller says.
fn show_head(
    stored: &Stored<'_>,
    head: &NamedCommit,
    settings: &Settings,
    arguments: &Arguments,
    context: &Context,
) {
    let Ok(candidate) = stored.single(head, &arguments.place) else {
        return;
    };
    let measured = Measured {
        stored,
        commit: head,
        candidate: &candidate,
    };
    let comparison = comparison(measured, None, settings, context, How::default());
    show(
        &comparison,
        settings,
        arguments.format,
        arguments.table(),
        context,
    );
}
