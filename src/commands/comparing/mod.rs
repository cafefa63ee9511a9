//! The stored results of two commits to a comparison, for every command that shows one.

mod selection;
mod shown;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::compare::{self, Cache, History, HistoryRequest, Input, Options};
use crate::config::Settings;
use crate::report::{Comparison, Gate};
use crate::results::BenchmarkIndex;

use super::Context;
use super::stored::{Candidate, NamedCommit, Stored};
use selection::Selection;
pub(super) use shown::{Format, gated, show};

/// A commit with its results and where they lie.
#[derive(Clone, Copy)]
pub(super) struct Measured<'a> {
    pub(super) stored: &'a Stored<'a>,
    pub(super) commit: &'a NamedCommit,
    pub(super) candidate: &'a Candidate,
}

/// What the user can say about a comparison.
#[derive(Debug, Clone, Copy)]
pub(super) struct How {
    /// asv's factor.
    pub(super) factor: f64,
    pub(super) use_stats: bool,
    pub(super) force: bool,
}

impl Default for How {
    fn default() -> Self {
        let Options {
            factor,
            use_stats,
            force,
            ..
        } = Options::default();
        Self {
            factor,
            use_stats,
            force,
        }
    }
}

/// Compares HEAD with the base, if there is one.
pub(super) fn comparison(
    head: Measured<'_>,
    base: Option<Measured<'_>>,
    settings: &Settings,
    context: &Context,
    how: How,
) -> Comparison {
    let head_set = &head.candidate.loaded.set;
    let index = head
        .stored
        .store
        .load_benchmarks()
        .unwrap_or_else(|problem| {
            head.stored.warn(&[problem]);
            BenchmarkIndex::default()
        });
    let history = base.map_or_else(History::default, |base| {
        history(
            base.stored,
            head.stored,
            base.candidate,
            head.candidate,
            context,
        )
    });
    let selection = Selection::new(head_set, &index, settings);
    let selected = |name: &str| selection.is_for_pull_requests(name);
    let in_suite = |name: &str| selection.is_in_suite(name);
    let name = |side: &Measured<'_>| {
        let set = &side.candidate.loaded.set;
        side.commit
            .display_name(set, head.stored.repository.as_ref())
    };
    let base_name = base.as_ref().and_then(name);
    let head_name = name(&head);
    let input = Input {
        base: base.as_ref().map(|base| &base.candidate.loaded.set),
        head: head_set,
        base_name: base_name.as_deref(),
        head_name: head_name.as_deref(),
        index: &index,
        history: &history,
        limits: &settings.limits,
    };
    let options = Options {
        factor: how.factor,
        use_stats: how.use_stats,
        force: how.force,
        selected: Some(&selected),
        in_suite: Some(&in_suite),
        ..Options::default()
    };
    let mut comparison = compare::compare(&input, &options);
    accept(&mut comparison, settings);
    comparison
}

/// Applies the regressions that the project accepts today.
pub(super) fn accept(comparison: &mut Comparison, settings: &Settings) {
    let today = TimeZone::UTC.to_datetime(Timestamp::now()).date();
    compare::accept(comparison, &settings.accepted, today);
}

/// The results before the base on its machine and in its environment.
fn history(
    stored: &Stored<'_>,
    project: &Stored<'_>,
    base: &Candidate,
    head: &Candidate,
    context: &Context,
) -> History {
    let request = HistoryRequest {
        folder: &base.folder,
        files: stored.files_in(&base.folder),
        environments: &base.environments,
        base: &base.loaded,
        head: &head.loaded.set.commit_hash,
    };
    let walk = project
        .repository
        .iter()
        .filter_map(|repository| {
            let base = &base.loaded.set.commit_hash;
            repository.first_parents(base).ok()
        })
        .flatten()
        .map_while(Result::ok)
        .map(|commit| commit.hash);
    let cache = Cache::for_results(&context.environment, stored.store.root());
    History::load(&stored.store, &request, walk, cache.as_ref())
}

/// Reads the words of `--fail-on`.
pub(super) fn gates() -> impl TypedValueParser<Value = Gate> {
    PossibleValuesParser::new(Gate::words())
        .try_map(|word| Gate::of_word(&word).ok_or_else(|| format!("there is no verdict `{word}`")))
}
