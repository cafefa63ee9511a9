//! From two sides to saved results and a comparison.

use std::path::PathBuf;

use crate::commands::gpu_use::GpuUse;
use crate::commands::measure::Place;
use crate::commands::progress::one_line;
use crate::commands::{CommandError, Context, Exit};
use crate::config::Settings;
use crate::continuous::{Bench, Notice, Stage};
use crate::gpu::Journal as SeenByGpu;
use crate::machine::HostFacts;
use crate::report::{Absence, AbsentBenchmark, Comparison};
use crate::run::{
    Attributes, Clock, CompileCaches, GpuWatch, Plan, PlanOptions, Planned, SystemClock, count,
    short,
};
use crate::suite::Selected;
use crate::sys::printer::Printer;
use crate::worker::Executor;

use super::arguments::PairingArguments;
use super::plan::{cache_plan, facts, identity, options};
use super::prepare::Ready;
use super::saving::{Known, save};
use super::sides::{Form, Sides};
use super::verdicts::{conclude, done, exit};

/// What is asked for.
pub(in crate::commands) struct Request<'a> {
    pub(in crate::commands) form: Form,
    pub(in crate::commands) selection: &'a [String],
    pub(in crate::commands) attributes: Attributes,
    pub(in crate::commands) pairing: &'a PairingArguments,
    pub(in crate::commands) save: bool,
    pub(in crate::commands) resume: bool,
    pub(in crate::commands) own_suites: bool,
    /// Probe the GPUs before and after.
    pub(in crate::commands) probe: bool,
}

/// What was found.
pub(in crate::commands) struct Paired {
    pub(in crate::commands) comparison: Comparison,
    pub(in crate::commands) exit: Exit,
    /// Benchmarks that were measured, of those that were to be.
    pub(in crate::commands) done: (usize, usize),
    /// Full hash of the base.
    pub(in crate::commands) base: String,
    /// When it began, milliseconds since 1970.
    pub(in crate::commands) started: i64,
}

/// Called before the first pair, with the number of benchmarks; an error of it ends everything.
pub(in crate::commands) type BeforePairs<'a> = &'a mut dyn FnMut(usize) -> Result<(), CommandError>;

/// Prepares both sides, measures, saves, compares.
pub(in crate::commands) fn measure_pairs(
    request: &Request<'_>,
    settings: &Settings,
    context: &Context,
    before: BeforePairs<'_>,
) -> Result<Paired, CommandError> {
    let printer = &context.printer;
    let clock = SystemClock::start();
    let sides = Sides::find(&request.form, settings, context)?;
    let place = Place::find(settings, context)?;
    let mut settings = settings.clone();
    let mut gpu = GpuUse::choose(&mut settings, context)?;
    let settings = &settings;
    let [mut base, mut head] = ready(&sides, request, settings, context)?;
    let (selected, absent) = select(request, &base, &head, printer)?;
    let plan = Plan::new(
        &selected,
        &PlanOptions {
            attributes: request.attributes.clone(),
            default_timeout: settings.asv.default_benchmark_timeout,
            share_setup: settings.share_setup,
        },
    );
    printer.note(&head.session.sentence());
    printer.note(&format!(
        "{} of base {} and head {}, in pairs",
        count(selected.len(), "benchmark"),
        short(&base.tree.commit.hash),
        short(&head.tree.commit.hash)
    ));
    let path = sides.folder.join("pairs.jsonl");
    let options = options(request, settings, &path)?;
    printer.note(&format!("seed {}", options.seed));
    before(selected.len())?;
    gpu.take(
        "continuous",
        settings,
        context,
        Some(&head.session.discovery.interpreter),
    )?;
    if request.probe {
        gpu.probe("before", context);
    }
    let caches = cache_plan(settings, &selected);
    let temporary = context.environment.temporary_folder();
    let mut seen = [SeenByGpu::default(), SeenByGpu::default()];
    let started = clock.unix_millis();
    let on_host = HostFacts::now();
    let (ended, broken) = {
        let identity = identity(&base, &head, &options, request);
        let facts = |planned: &Planned| facts(planned, settings);
        let [of_base, of_head] = &mut seen;
        let mut base_watch = GpuWatch::new(&mut base.session.worker, gpu.targets(), of_base);
        let mut head_watch = GpuWatch::new(&mut head.session.worker, gpu.targets(), of_head);
        let mut base_side = CompileCaches::new(&mut base_watch, caches.clone(), &temporary)
            .filled_by_the_first_run();
        let mut head_side = CompileCaches::new(&mut head_watch, caches.clone(), &temporary)
            .filled_by_the_first_run();
        let executors: [&mut dyn Executor; 2] = [&mut base_side, &mut head_side];
        let mut bench = Bench::new(
            &plan,
            executors,
            &request.attributes,
            &clock,
            options,
            &facts,
        );
        if request.resume {
            let known = bench.resume(&path, &identity)?;
            printer.note(&format!("going on behind {}", count(known, "pair")));
        } else {
            bench.begin(&path, &identity)?;
        }
        bench.run(&mut |notice| tell(printer, &notice))
    };
    if let Some(error) = broken {
        printer.warn(&format!(
            "the pairs could not be kept, so they cannot be gone on with: {error}"
        ));
    }
    if request.probe {
        gpu.probe("after", context);
    }
    let known = Known {
        before: on_host,
        fingerprint: gpu.fingerprint(),
        records: seen.map(|seen| gpu.record(&seen)),
        regime: caches.regime.word(),
    };
    // Nothing is measured any more: the next in the queue may begin.
    drop(gpu);
    let mut comparison = conclude(
        &place,
        &sides,
        [&base, &head],
        &ended,
        settings,
        request,
        &known,
    );
    comparison.absent = absent;
    if request.save {
        save(
            &place,
            &sides,
            [&base, &head],
            &ended,
            request,
            &known,
            printer,
        )?;
    }
    Ok(Paired {
        exit: exit(&ended, &comparison),
        done: (done(&ended), selected.len()),
        base: base.tree.commit.hash.clone(),
        comparison,
        started,
    })
}

fn ready(
    sides: &Sides,
    request: &Request<'_>,
    settings: &Settings,
    context: &Context,
) -> Result<[Ready; 2], CommandError> {
    let top = crate::run::Tree::open(settings)?.root().to_owned();
    let inside = settings
        .asv
        .benchmark_dir
        .strip_prefix(&top)
        .map(PathBuf::from);
    let suite = |at: usize| match &inside {
        Ok(inside) => sides.trees[at].root.join(inside),
        // A suite outside of the repository is the same for both.
        Err(_) => settings.asv.benchmark_dir.clone(),
    };
    let affinity = request.attributes.cpu_affinity.clone();
    let of = |at: usize, suite_of: usize| {
        Ready::new(
            &sides.trees[at],
            settings,
            context,
            &suite(suite_of),
            &sides.folder,
            affinity.clone(),
        )
    };
    let base = of(0, usize::from(!request.own_suites))?;
    let mut head = of(1, 1)?;
    for side in [&base, &head] {
        side.tree.require_clean().or_else(
            |error| {
                if request.save { Err(error) } else { Ok(()) }
            },
        )?;
    }
    if sides.one_tree && base.session.python_path() != head.session.python_path() {
        // One name for two interpreters would mix their results.
        head.settings.environment.name = None;
    }
    Ok([base, head])
}

/// What both sides have, and what only one of them has.
fn select(
    request: &Request<'_>,
    base: &Ready,
    head: &Ready,
    printer: &Printer,
) -> Result<(Vec<Selected>, Vec<AbsentBenchmark>), CommandError> {
    let chosen = head.session.select(request.selection, printer);
    let mut chosen = chosen.map_err(|error| head.session.of_selection(error))?;
    let has =
        |side: &Ready, name: &str| side.session.benchmarks.iter().any(|one| one.name() == name);
    let absent = base
        .session
        .select(request.selection, printer)
        .unwrap_or_default()
        .iter()
        .filter(|one| !has(head, one.benchmark.name()))
        .map(|one| AbsentBenchmark {
            benchmark: one.benchmark.name().to_owned(),
            absence: Absence::Gone,
        })
        .collect();
    chosen.retain(|one| has(base, one.benchmark.name()));
    if chosen.is_empty() {
        return Err(CommandError::failed(anyhow::anyhow!(
            "no benchmark can be measured on both sides: the suite of one side lacks what the other has"
        )));
    }
    Ok((chosen, absent))
}

fn tell(printer: &Printer, notice: &Notice<'_>) {
    match notice {
        Notice::Stage(stage, benchmarks) => {
            let what = match stage {
                Stage::First => "first pairs of",
                Stage::Candidates => "more pairs for what looks changed:",
                Stage::Open => "the rest of the budget for what is open:",
            };
            printer.note(&format!("{what} {}", count(*benchmarks, "benchmark")));
        }
        Notice::Pair { name, pair } => {
            if printer.progress {
                printer.note(&format!("  pair {pair}: {}", one_line(name)));
            }
        }
        Notice::Void { name, reason } => {
            printer.note(&format!("a pair of {} is void: {reason}", one_line(name)));
        }
        Notice::Failed { name, side, reason } => {
            printer.warn(&format!(
                "{} fails on {}: {}",
                one_line(name),
                side.word(),
                one_line(reason)
            ));
        }
        Notice::BudgetSpent => printer.note("the time is used up"),
    }
}
