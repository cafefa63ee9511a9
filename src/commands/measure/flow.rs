//! From arguments to measured results: the one flow behind `run` and `quick`.

use crate::commands::progress::reporter;
use crate::commands::{CommandError, Context, Exit};
use crate::config::Settings;
use crate::results::{ResultSet, Saved, problem_lines};
use crate::run::{
    Attributes, Clock, Durations, Engine, EngineOptions, Finished, Opened, Outcome, Plan,
    PlanOptions, SampleOptions, SkipExisting, SystemClock, Tree, TreeError, count, short,
    take_out_existing, unimportable,
};
use crate::suite::{Selected, SelectionError};
use crate::sys::printer::Printer;

use super::arguments::{MeasureArguments, SelectionArguments, WorkerArguments};
use super::conclusion::conclude;
use super::history::durations;
use super::place::Place;
use super::session::Session;
use super::show_tables::{durations_table, results_table};

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub(in crate::commands) struct Request<'a> {
    pub(in crate::commands) selection: &'a SelectionArguments,
    pub(in crate::commands) worker: &'a WorkerArguments,
    pub(in crate::commands) measure: &'a MeasureArguments,
    /// Call every function once.
    pub(in crate::commands) quick: bool,
    /// File the results under the commit.
    pub(in crate::commands) save: bool,
    /// What to do with a worktree that differs from its commit.
    pub(in crate::commands) dirty: Dirty,
    pub(in crate::commands) samples: SampleOptions,
    pub(in crate::commands) skip: SkipExisting,
    /// Do nothing if the commit has results of this machine already.
    pub(in crate::commands) skip_commits: bool,
    pub(in crate::commands) set_commit_hash: Option<&'a str>,
}

/// What to do with a worktree that differs from its commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::commands) enum Dirty {
    /// Refuse it.
    Refuse,
    /// Measure it; it is never filed.
    Measure,
}

/// Runs the benchmarks that are asked for.
pub(in crate::commands) fn measure(
    request: &Request<'_>,
    context: &Context,
) -> Result<Exit, CommandError> {
    let clock = SystemClock::start();
    let printer = &context.printer;
    let settings = crate::commands::setup::settings(context, &request.worker.overrides()?)?;
    let mut attributes = request.measure.attributes()?;
    if request.quick {
        attributes.quick();
    }
    let most_durations = request.measure.durations()?;

    // What can be refused is refused before Python starts.
    let tree = open_tree(request, &settings)?;
    let place = match &tree {
        Some(tree) if request.save && !tree.is_dirty() => Some(Place::find(&settings, context)?),
        _ => None,
    };
    let mut session = Session::start(&settings, context, attributes.cpu_affinity.clone())?;
    check_package(&settings, tree.as_ref(), &session)?;
    let filing = match (&place, &tree) {
        (Some(place), Some(tree)) => Some(place.filing(&settings, &session, tree)?),
        _ => None,
    };

    let just_discover = is_just_discover(&request.selection.bench);
    let mut selected = match session.select(&request.selection.bench) {
        Err(error) if !just_discover || !matches!(error, SelectionError::NoMatch { .. }) => {
            return Err(session.of_selection(error));
        }
        selected => selected.unwrap_or_default(),
    };
    let mut lost = Vec::new();
    if let Some(filing) = &filing {
        lost = unimportable(
            &filing.known_benchmarks(),
            &session.benchmarks,
            &session.discovery.module_errors,
            &request.selection.bench,
            clock.unix_millis(),
        );
        let problems = filing.describe(&session.benchmarks)?;
        tell(printer, problem_lines(&problems));
    }
    let left_out = place
        .as_ref()
        .map(|place| place.left_out(&session, &selected));
    if selected.is_empty() {
        printer.note("the suite was discovered; nothing is measured");
        return Ok(session.exit());
    }

    let mut existing = None;
    if let Some(filing) = &filing {
        if request.skip_commits && filing.has_commit() {
            printer.note("the commit has results of this machine already; nothing is measured");
            return Ok(session.exit());
        }
        if request.samples.append || request.skip != SkipExisting::default() {
            let (set, problems) = filing.existing();
            tell(printer, problem_lines(&problems));
            existing = set;
        }
    }
    if let Some(existing) = &existing {
        let taken = take_out_existing(&mut selected, existing, request.skip);
        if !taken.is_empty() {
            printer.note(&format!(
                "{} passed over: they have results already",
                count(taken.len(), "benchmark")
            ));
        }
        if selected.is_empty() {
            return Ok(session.exit());
        }
    }

    printer.note(&session.sentence());
    printer.note(&what_is_measured(&selected, tree.as_ref(), &settings));
    let opened = match (filing, &place, &tree) {
        (Some(filing), Some(place), Some(tree)) => {
            let left_out = left_out.unwrap_or_default();
            let provenance = place.provenance(&settings, &session, tree, &attributes, &left_out);
            Some(filing.open(provenance)?)
        }
        _ => None,
    };
    let work = Work {
        request,
        settings: &settings,
        selected: &selected,
        attributes,
        existing: existing.as_ref(),
        lost,
    };
    let (outcome, saved) = work.execute(&mut session, opened, printer, &clock)?;
    if let Some(most) = most_durations {
        printer.out(&durations_table(&outcome, most));
    }
    if place.is_none() {
        printer.out(&results_table(&outcome));
        if request.save {
            printer.note("nothing is saved, since the worktree has uncommitted changes");
        }
    }
    Ok(conclude(
        printer,
        &session,
        &outcome,
        saved.as_ref(),
        &clock,
        tree.as_ref(),
    ))
}

/// Everything that is settled before the first benchmark.
struct Work<'a> {
    request: &'a Request<'a>,
    settings: &'a Settings,
    selected: &'a [Selected],
    attributes: Attributes,
    existing: Option<&'a ResultSet>,
    /// Benchmarks that failed before they could be run.
    lost: Vec<Finished>,
}

impl Work<'_> {
    /// Measures, and saves what was measured.
    fn execute(
        self,
        session: &mut Session,
        mut opened: Option<Opened>,
        printer: &Printer,
        clock: &SystemClock,
    ) -> Result<(Outcome, Option<Saved>), CommandError> {
        let plan = Plan::new(
            self.selected,
            &PlanOptions {
                attributes: self.attributes.clone(),
                default_timeout: self.settings.asv.default_benchmark_timeout,
                share_setup: self.settings.share_setup,
            },
        );
        let options = EngineOptions {
            attributes: self.attributes,
            samples: self.request.samples,
            profile: self.request.measure.profile,
        };
        let history = if printer.progress {
            durations(self.settings, self.selected)
        } else {
            Durations::default()
        };
        let mut reporter = reporter(printer, history, self.request.measure.show_stderr);
        let mut keep = |finished: &Finished| {
            if let Some(opened) = &mut opened {
                opened.keep(finished);
            }
        };
        let engine = Engine {
            executor: &mut session.worker,
            clock,
            reporter: reporter.as_mut(),
            keep: &mut keep,
        };
        let mut outcome = engine.run(&plan, self.existing, &options);
        for finished in self.lost {
            keep(&finished);
            outcome.finished.push(finished);
        }
        let Some(opened) = opened else {
            return Ok((outcome, None));
        };
        if let Some(error) = opened.broken() {
            printer.warn(&format!("the journal could not be kept: {error}"));
        }
        let saved = opened.save(&outcome)?;
        if let Some(saved) = &saved {
            tell(printer, problem_lines(&saved.problems));
        }
        Ok((outcome, saved))
    }
}

/// asv's way to ask for nothing but `benchmarks.json`.
fn is_just_discover(patterns: &[String]) -> bool {
    matches!(patterns, [only] if only == "just-discover")
}

/// The tree, checked as the request wants it. Where nothing is filed there need be none.
fn open_tree(request: &Request<'_>, settings: &Settings) -> Result<Option<Tree>, CommandError> {
    let tree = match Tree::open(settings) {
        Ok(tree) => tree,
        Err(TreeError::Vcs(_)) if !request.save && request.set_commit_hash.is_none() => {
            return Ok(None);
        }
        Err(error) => return Err(of_tree(error)),
    };
    if request.dirty == Dirty::Refuse {
        tree.require_clean().map_err(of_tree)?;
    }
    if let Some(revision) = request.set_commit_hash {
        tree.require_commit(revision).map_err(of_tree)?;
    }
    Ok(Some(tree))
}

fn of_tree(error: TreeError) -> CommandError {
    let hint = error.hint();
    let error = CommandError::usage(error);
    match hint {
        Some(hint) => error.hint(hint),
        None => error,
    }
}

/// Refuses to measure a package that is not the one that is checked out.
fn check_package(
    settings: &Settings,
    tree: Option<&Tree>,
    session: &Session,
) -> Result<(), CommandError> {
    let (Some(package), Some(tree)) = (&settings.package, tree) else {
        return Ok(());
    };
    let file = session.discovery.package_file.as_deref();
    let prefix = &session.discovery.interpreter.prefix;
    tree.check_imported(package, file, prefix).map_err(|error| {
        let hint = error.hint();
        CommandError::usage(error).hint(hint)
    })
}

fn what_is_measured(selected: &[Selected], tree: Option<&Tree>, settings: &Settings) -> String {
    let combinations: usize = selected.iter().map(|one| one.combinations.len()).sum();
    let benchmarks = count(selected.len(), "benchmark");
    let what = if combinations == selected.len() {
        benchmarks
    } else {
        format!("{benchmarks} with {}", count(combinations, "combination"))
    };
    let of = match tree {
        Some(tree) if tree.is_dirty() => format!(
            "{} and {} on top of it",
            short(&tree.commit.hash),
            count(tree.changes.len(), "uncommitted change")
        ),
        Some(tree) => short(&tree.commit.hash).to_owned(),
        None => settings.asv.project.clone(),
    };
    format!("measuring {what} of {of}")
}

fn tell(printer: &Printer, problems: Vec<String>) {
    for problem in problems {
        printer.warn(&problem);
    }
}
