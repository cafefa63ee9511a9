//! From arguments to measured results: the one flow behind `run` and `quick`.

use crate::commands::gpu_use::GpuUse;
use crate::commands::progress::reporter;
use crate::commands::setup::settings;
use crate::commands::{CommandError, Context, Exit};
use crate::compare::metric_of;
use crate::config::{CacheRegime, Settings};
use crate::github::outputs;
use crate::gpu::Journal;
use crate::json::Json;
use crate::report::MetricKind;
use crate::results::{LeftOut, ResultSet, Saved, problem_lines};
use crate::run::{
    Attributes, CachePlan, Clock, CompileCaches, Durations, Engine, EngineOptions, Filing,
    Finished, GpuWatch, Opened, Outcome, Plan, PlanOptions, SkipExisting, SystemClock, Tree, count,
    expected_seconds, short, take_out_existing, unimportable,
};
use crate::suite::{Selected, SelectionError};
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
    let done = (outcome.finished.len().min(wanted), wanted);
    Ok(Measured { exit, place, done })
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
    session: Session,
    gpu: GpuUse,
}

/// What is going to be measured.
struct Choice {
    selected: Vec<Selected>,
    /// What the result file has already, where that matters.
    existing: Option<ResultSet>,
    /// Benchmarks that failed before they could be run.
    lost: Vec<Finished>,
    left_out: LeftOut,
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
        let filed = tree
            .as_ref()
            .filter(|tree| request.save && !tree.is_dirty());
        let place = match filed {
            Some(_) => Some(Place::find(&settings, context)?),
            None => None,
        };
        let gpu = GpuUse::choose(&mut settings, context)?;
        if let Some(tree) = &tree {
            warn_of_credentials(tree.repository(), context);
        }
        let session = Session::start(&settings, context, attributes.cpu_affinity.clone())?;
        check_package(&settings, tree.as_ref(), &session)?;
        let filing = match (&place, &tree) {
            (Some(place), Some(tree)) => Some(place.filing(&settings, &session, tree)?),
            _ => None,
        };
        Ok(Self {
            settings,
            attributes,
            tree,
            place,
            filing,
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

    /// Selects benchmarks and passes over what need not be measured; `None` if nothing is left.
    fn choose(
        &self,
        request: &Request<'_>,
        clock: &SystemClock,
        printer: &Printer,
    ) -> Result<Option<Choice>, CommandError> {
        let patterns = &request.selection.bench;
        let selected = match self.session.select(patterns, printer) {
            Err(SelectionError::NoMatch { .. }) if is_just_discover(patterns) => Vec::new(),
            Err(error) => return Err(self.session.of_selection(error)),
            Ok(selected) => selected,
        };
        let mut choice = Choice {
            selected,
            existing: None,
            lost: Vec::new(),
            left_out: LeftOut::default(),
        };
        if let Some(filing) = &self.filing {
            choice.lost = unimportable(
                &filing.known_benchmarks(),
                &self.session.benchmarks,
                &self.session.discovery.module_errors,
                patterns,
                clock.unix_millis(),
            );
            let problems = filing.describe(&self.session.benchmarks)?;
            tell(printer, problem_lines(&problems));
        }
        if choice.selected.is_empty() {
            printer.note("the suite was discovered; nothing is measured");
            return Ok(None);
        }
        if let Some(place) = &self.place {
            choice.left_out = place.left_out(&self.session, &choice.selected);
        }
        if let Some(filing) = &self.filing {
            choice.pass_over_existing(request, filing, printer);
        }
        Ok((!choice.selected.is_empty()).then_some(choice))
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

    /// The cache of compiled programs for each benchmark.
    fn cache_plan(&self, selected: &[Selected]) -> CachePlan {
        let compiling = selected
            .iter()
            .map(|one| &one.benchmark)
            .filter(|one| metric_of(one.name(), Some(&one.record)).kind == MetricKind::Compile)
            .map(|one| one.name().to_owned());
        let stated = self.settings.gpu.compile_cache;
        CachePlan::new(stated, CacheRegime::Shared, compiling)
    }

    fn open_filing(&mut self, choice: &Choice) -> Result<Option<Opened>, CommandError> {
        let (Some(filing), Some(place), Some(tree)) = (self.filing.take(), &self.place, &self.tree)
        else {
            return Ok(None);
        };
        let mut provenance = place.provenance(
            &self.settings,
            &self.session,
            tree,
            &self.attributes,
            &choice.left_out,
        );
        provenance.environment.extend(self.gpu.fingerprint());
        let caches = self.cache_plan(&choice.selected);
        let regime = Json::from(caches.regime.word());
        provenance.worker.insert("compile_cache".to_owned(), regime);
        Ok(Some(filing.open(provenance)?))
    }

    /// Measures, and saves what was measured.
    fn execute(
        &mut self,
        request: &Request<'_>,
        context: &Context,
        choice: Choice,
        mut opened: Option<Opened>,
        clock: &SystemClock,
    ) -> Result<(Outcome, Option<Saved>), CommandError> {
        let printer = &context.printer;
        let plan = Plan::new(
            &choice.selected,
            &PlanOptions {
                attributes: self.attributes.clone(),
                default_timeout: self.settings.asv.default_benchmark_timeout,
                share_setup: self.settings.share_setup,
            },
        );
        let options = EngineOptions {
            attributes: self.attributes.clone(),
            samples: request.samples,
            profile: request.measure.profile,
        };
        let history = if printer.progress {
            durations(&self.settings, &choice.selected)
        } else {
            Durations::default()
        };
        let mut reporter = reporter(printer, history, request.measure.show_stderr);
        let mut keep = |finished: &Finished| {
            if let Some(opened) = &mut opened {
                opened.keep(finished);
            }
        };
        let caches = self.cache_plan(&choice.selected);
        let temporary = context.environment.temporary_folder();
        let mut journal = Journal::default();
        let mut watched = GpuWatch::new(&mut self.session.worker, self.gpu.targets(), &mut journal);
        let engine = Engine {
            executor: &mut CompileCaches::new(&mut watched, caches, &temporary),
            clock,
            reporter: reporter.as_mut(),
            keep: &mut keep,
        };
        let mut outcome = engine.run(&plan, choice.existing.as_ref(), &options);
        for finished in choice.lost {
            keep(&finished);
            outcome.finished.push(finished);
        }
        if request.measure.probe() {
            self.gpu.probe("after", context);
        }
        let gpu = self.gpu.record(&journal);
        // Nothing is measured any more: the next in the queue may begin.
        self.gpu = GpuUse::default();
        let Some(mut opened) = opened else {
            return Ok((outcome, None));
        };
        if let Some(error) = opened.broken() {
            printer.warn(&format!("the journal could not be kept: {error}"));
        }
        opened.note_gpu(gpu);
        let saved = opened.save(&outcome)?;
        if let Some(saved) = &saved {
            tell(printer, problem_lines(&saved.problems));
        }
        Ok((outcome, saved))
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

impl Choice {
    /// Takes out what has results already, as far as that is asked for, and loads them where the
    /// run adds to them.
    fn pass_over_existing(&mut self, request: &Request<'_>, filing: &Filing, printer: &Printer) {
        if request.skip_commits && filing.has_commit() {
            printer.note("the commit has results of this machine already; nothing is measured");
            self.selected.clear();
            return;
        }
        if !request.samples.append && request.skip == SkipExisting::default() {
            return;
        }
        let (existing, problems) = filing.existing();
        tell(printer, problem_lines(&problems));
        let Some(existing) = existing else {
            return;
        };
        let taken = take_out_existing(&mut self.selected, &existing, request.skip);
        if !taken.is_empty() {
            printer.note(&format!(
                "{} passed over: they have results already",
                count(taken.len(), "benchmark")
            ));
        }
        self.existing = Some(existing);
    }
}

/// asv's way to ask for nothing but `benchmarks.json`.
fn is_just_discover(patterns: &[String]) -> bool {
    matches!(patterns, [only] if only == "just-discover")
}

fn tell(printer: &Printer, problems: Vec<String>) {
    for problem in problems {
        printer.warn(&problem);
    }
}
