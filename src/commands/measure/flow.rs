//! From arguments to measured results: the one flow behind `run` and `quick`.

mod choice;
mod execution;

use crate::commands::gpu_use::GpuUse;
use crate::commands::setup::settings;
use crate::commands::{CommandError, Context, Exit};
use crate::config::Settings;
use crate::github::outputs;
use crate::results::FailureKind;
use crate::run::{
    Attributes, Filing, Finished, SystemClock, Tree, cells, count, expected_seconds, short,
};
use crate::suite::Selected;
use crate::sys::printer::Printer;

use super::checks::{check_package, open_tree};
use super::conclusion::conclude;
use super::history::durations;
use super::place::{Place, environment_names};
use super::request::Request;
use super::session::Session;
use super::show_tables::{durations_table, results_table};
use super::trust::warn_of_credentials;

/// What is about to be measured.
#[derive(Debug, Clone, Copy)]
pub(in crate::commands) struct Start {
    pub(in crate::commands) benchmarks: usize,
    /// Seconds that the benchmarks of known duration may take, and how many others there are.
    pub(in crate::commands) expected: (f64, usize),
}

/// How measuring ended.
#[derive(Debug, Clone)]
pub(in crate::commands) struct Measured {
    pub(in crate::commands) exit: Exit,
    /// Machine and environment that the results are filed under; `None` where nothing is filed.
    pub(in crate::commands) place: Option<(String, String)>,
    /// Benchmarks that ran, of those that were to run.
    pub(in crate::commands) done: (usize, usize),
}

/// Runs the benchmarks that are asked for.
pub(in crate::commands) fn measure(
    request: &Request<'_>,
    context: &Context,
) -> Result<Exit, CommandError> {
    let mut overrides = request.worker.overrides()?;
    request.measure.add_to(&mut overrides);
    let settings = settings(context, &overrides)?;
    measure_and_tell(request, settings, context, None).map(|measured| measured.exit)
}

/// Called before the first benchmark; an error of it ends the run.
pub(in crate::commands) type BeforeTheFirst<'a> =
    &'a mut dyn FnMut(&Start) -> Result<(), CommandError>;

/// The same with settings that are known already. `before` is called when all is ready but for GPUs,
/// for which somebody else may have to be waited for.
pub(in crate::commands) fn measure_and_tell(
    request: &Request<'_>,
    settings: Settings,
    context: &Context,
    before: Option<BeforeTheFirst<'_>>,
) -> Result<Measured, CommandError> {
    let clock = SystemClock::start();
    let printer = &context.printer;
    let most_durations = request.measure.durations()?;
    let mut prepared = Prepared::new(request, settings, context)?;
    let place = prepared.filed_under();
    let Some(choice) = prepared.choose(request, &clock, printer)? else {
        let exit = prepared.session.exit();
        let done = (0, 0);
        return Ok(Measured { exit, place, done });
    };
    printer.note(&prepared.session.sentence());
    printer.note(&prepared.what_is_measured(&choice.selected));
    if let Some(withheld) = prepared.session.withheld() {
        printer.note(&withheld);
    }
    if let Some(before) = before {
        let durations = durations(&prepared.settings, &choice.selected);
        before(&Start {
            benchmarks: choice.selected.len(),
            expected: expected_seconds(&choice.selected, &durations),
        })?;
    }
    prepared.take_gpu(request, context)?;
    let opened = prepared.open_filing(&choice)?;
    let wanted = choice.selected.len();
    let (outcome, saved) = prepared.execute(request, context, choice, opened, &clock)?;
    if let Some(most) = most_durations {
        printer.out(&durations_table(&outcome, most));
    }
    if prepared.place.is_none() {
        printer.out(&results_table(&outcome));
        if request.save {
            printer.note("nothing is saved, since the worktree has uncommitted changes");
        }
    }
    let exit = conclude(
        printer,
        &prepared.session,
        &outcome,
        saved.as_ref(),
        &clock,
        prepared.tree.as_ref(),
    );
    if prepared.place.is_some() {
        let folder = prepared.settings.asv.results_dir.to_string_lossy();
        outputs::write(&context.environment, &[("results-dir", &folder)], printer);
    }
    // What failed at import counts among the finished, and was not selected.
    let done = outcome.finished.iter().filter(|one| was_done(one)).count();
    let done = (done.min(wanted), wanted);
    Ok(Measured { exit, place, done })
}

/// Whether an interruption left out none of its combinations.
fn was_done(finished: &Finished) -> bool {
    cells(finished)
        .all(|(_, failure)| failure.is_none_or(|failure| failure.kind != FailureKind::Interrupted))
}

/// Everything that is settled before a benchmark is chosen.
struct Prepared {
    settings: Settings,
    attributes: Attributes,
    /// `None` outside a repository, where nothing can be filed.
    tree: Option<Tree>,
    /// `None` where nothing is filed.
    place: Option<Place>,
    filing: Option<Filing>,
    /// What is there already, where nothing is filed but existing results are asked for.
    stored: Option<Filing>,
    session: Session,
    gpu: GpuUse,
}

impl Prepared {
    /// Checks the tree and the results folder, and imports the suite, in the
    /// order of their cost.
    fn new(
        request: &Request<'_>,
        mut settings: Settings,
        context: &Context,
    ) -> Result<Self, CommandError> {
        let mut attributes = request.measure.attributes()?;
        if request.quick {
            attributes.quick();
        }
        let tree = open_tree(request, &settings, &context.printer)?;
        let is_clean = tree.as_ref().is_some_and(|tree| !tree.is_dirty());
        let place = if is_clean && request.save {
            Some(Place::find(&settings, context)?)
        } else {
            None
        };
        let looked_at = if is_clean && !request.save && request.looks_at_existing() {
            Some(Place::look(&settings, context)?)
        } else {
            None
        };
        let gpu = GpuUse::choose(&mut settings, context)?;
        if let Some(tree) = &tree {
            warn_of_credentials(tree.repository(), context);
        }
        let session = Session::start(&settings, context, attributes.cpu_affinity.clone())?;
        check_package(&settings, tree.as_ref(), &session)?;
        let filing = |place: Option<&Place>| match (place, &tree) {
            (Some(place), Some(tree)) => place.filing(&settings, &session, tree).map(Some),
            _ => Ok(None),
        };
        let (filing, stored) = (filing(place.as_ref())?, filing(looked_at.as_ref())?);
        Ok(Self {
            settings,
            attributes,
            tree,
            place,
            filing,
            stored,
            session,
            gpu,
        })
    }

    /// Machine and environment of the results.
    fn filed_under(&self) -> Option<(String, String)> {
        let place = self.place.as_ref()?;
        let python = self.session.python_path();
        let names = environment_names(&self.settings, &python);
        Some((place.machine().name.clone(), names.name))
    }

    /// Waits for the GPUs that the benchmarks use, if they use any.
    fn take_gpu(&mut self, request: &Request<'_>, context: &Context) -> Result<(), CommandError> {
        let command = if request.save { "run" } else { "quick" };
        let interpreter = &self.session.discovery.interpreter;
        self.gpu
            .take(command, &self.settings, context, Some(interpreter))?;
        if request.measure.probe() {
            self.gpu.probe("before", context);
        }
        Ok(())
    }

    fn what_is_measured(&self, selected: &[Selected]) -> String {
        let combinations: usize = selected.iter().map(|one| one.combinations.len()).sum();
        let benchmarks = count(selected.len(), "benchmark");
        let what = if combinations == selected.len() {
            benchmarks
        } else {
            format!("{benchmarks} with {}", count(combinations, "combination"))
        };
        let of = match &self.tree {
            Some(tree) if tree.is_dirty() => format!(
                "{} and {} on top of it",
                short(&tree.commit.hash),
                count(tree.changes.len(), "uncommitted change")
            ),
            Some(tree) => short(&tree.commit.hash).to_owned(),
            None => self.settings.asv.project.clone(),
        };
        format!("measuring {what} of {of}")
    }
}

fn tell(printer: &Printer, problems: Vec<String>) {
    for problem in problems {
        printer.warn(&problem);
    }
}
