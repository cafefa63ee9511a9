//! From two sides to saved results and a comparison.

use std::path::PathBuf;

use crate::commands::comparing::accept;
use crate::commands::gpu_use::GpuUse;
use crate::commands::measure::Place;
use crate::commands::progress::one_line;
use crate::commands::{CommandError, Context, Exit};
use crate::compare::{self, History, Input, better_of, metric_of, minimum_effect};
use crate::config::{Better, CacheRegime, Settings, estimator_of};
use crate::continuous::{Bench, Ended, Journal, Limits, Notice, Options, Stage, with_verdicts};
use crate::gpu::Journal as SeenByGpu;
use crate::json::{Json, Object};
use crate::report::{Absence, AbsentBenchmark, Comparison, MetricKind, Verdict};
use crate::results::{BenchmarkIndex, LeftOut, problem_lines};
use crate::run::{
    Attributes, CachePlan, Clock, CompileCaches, GpuWatch, Outcome, Plan, PlanOptions, Planned,
    Sampling, SystemClock, count, short,
};
use crate::stats::{LowEstimator, Random, Rule};
use crate::suite::{Benchmark, Selected};
use crate::sys::printer::Printer;
use crate::worker::Executor;

use super::arguments::PairingArguments;
use super::prepare::Ready;
use super::sides::{Form, Sides};

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
        fingerprint: gpu.fingerprint(),
        records: seen.map(|seen| gpu.record(&seen)),
        regime: caches.regime.word(),
    };
    // Nothing is measured any more: the next in the queue may begin.
    drop(gpu);
    let mut comparison = conclude(&place, &sides, [&base, &head], &ended, settings, request);
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

/// What is kept of the GPUs and of the caches of compiled programs.
struct Known {
    fingerprint: Object,
    /// Of base and head.
    records: [Object; 2],
    regime: &'static str,
}

/// A warm cache for each side, and cold ones for what measures compiling, unless the user says otherwise.
fn cache_plan(settings: &Settings, selected: &[Selected]) -> CachePlan {
    let compiling = selected
        .iter()
        .map(|one| &one.benchmark)
        .filter(|one| {
            let metric = metric_of(one.name(), Some(&one.record));
            metric.kind == MetricKind::Compile
        })
        .map(|one| one.name().to_owned());
    CachePlan::new(settings.gpu.compile_cache, CacheRegime::Warm, compiling)
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

fn options(
    request: &Request<'_>,
    settings: &Settings,
    path: &std::path::Path,
) -> Result<Options, CommandError> {
    let pairing = request.pairing;
    let usual = Limits::default();
    let first = pairing.pairs.map_or(usual.first, usize::from);
    let most = pairing.max_pairs.map_or(usual.most.max(first), usize::from);
    if most < first {
        return Err(CommandError::usage(anyhow::anyhow!(
            "--max-pairs {most} is below the {first} pairs that every benchmark gets"
        )));
    }
    let recorded = request.resume.then(|| Journal::seed_of(path)).flatten();
    let seed = match (recorded, pairing.seed) {
        (Some(recorded), _) => recorded.cast_unsigned(),
        (None, Some(seed)) => u64::from(seed),
        (None, None) => {
            let now = SystemClock::start().unix_millis().cast_unsigned();
            // Short enough to be typed again.
            Random::new(now ^ u64::from(std::process::id())).bits() >> 32
        }
    };
    let on_gpu = settings.device_sync && std::path::Path::new("/dev/nvidiactl").exists();
    let usual_time = if on_gpu {
        0.002
    } else {
        Sampling::default().sample_time
    };
    let estimator = settings
        .continuous
        .estimator
        .as_deref()
        .and_then(estimator_of);
    Ok(Options {
        limits: Limits {
            first,
            most,
            budget: pairing.budget,
        },
        sampling: Sampling {
            sample_time: pairing.sample_time.unwrap_or(usual_time),
            ..Sampling::default()
        },
        estimator: match estimator {
            Some(share) if share > 0.0 => LowEstimator::Quantile(share),
            _ => LowEstimator::Minimum,
        },
        seed,
    })
}

/// What later pairs must have in common with earlier ones.
fn identity(base: &Ready, head: &Ready, options: &Options, request: &Request<'_>) -> String {
    let side = |ready: &Ready| {
        format!(
            "{} {} {}",
            ready.tree.commit.hash,
            ready.session.python_path().display(),
            ready.session.discovery.interpreter.version
        )
    };
    format!(
        "{} | {} | {:?} {:?} {:?}",
        side(base),
        side(head),
        options.sampling,
        options.estimator,
        request.attributes.for_jobs()
    )
}

/// Kind, limits and direction of a benchmark.
fn facts(planned: &Planned, settings: &Settings) -> (MetricKind, Rule, bool) {
    let record = &planned.benchmark.record;
    let metric = metric_of(&record.name, Some(record));
    let better = better_of(&settings.limits, &record.name, &metric);
    let rule = Rule {
        minimum_effect: minimum_effect(&settings.limits, &record.name),
        ..Rule::default()
    };
    (metric.kind, rule, better == Better::Higher)
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

fn conclude(
    place: &Place,
    sides: &Sides,
    [base, head]: [&Ready; 2],
    ended: &Ended,
    settings: &Settings,
    request: &Request<'_>,
) -> Comparison {
    let set = |ready: &Ready, outcome: &Outcome| {
        place.result_set(
            &ready.settings,
            &ready.session,
            &ready.tree,
            &request.attributes,
            outcome,
        )
    };
    let (base_set, head_set) = (set(base, &ended.base), set(head, &ended.head));
    let index = BenchmarkIndex {
        benchmarks: head
            .session
            .benchmarks
            .iter()
            .map(|one| (one.name().to_owned(), one.record.clone()))
            .collect(),
    };
    let [base_name, head_name] = [0, 1].map(|at| sides.trees[at].name.as_deref());
    let comparison = compare::compare(
        &Input {
            base: Some(&base_set),
            head: &head_set,
            base_name,
            head_name,
            index: &index,
            history: &History::default(),
            limits: &settings.limits,
        },
        &compare::Options {
            same_session: true,
            force: true,
            ..compare::Options::default()
        },
    );
    let mut comparison = with_verdicts(comparison, &ended.tracks);
    accept(&mut comparison, settings);
    // What was said about the history does not matter here.
    comparison.remarks.clear();
    let has = |name: &str| base.session.benchmarks.iter().any(|one| one.name() == name);
    let only_head: Vec<&str> = head
        .session
        .benchmarks
        .iter()
        .map(Benchmark::name)
        .filter(|name| !has(name))
        .collect();
    if !only_head.is_empty() {
        let names = only_head.join(", ");
        comparison.remarks.push(format!(
            "only HEAD has these, so they were not measured: {names}"
        ));
    }
    comparison.remarks.push(
        "base and head were measured alternately in one sitting: at most 1 % of benchmarks that did \
         not change are called changed at any time, and at most 5 % of all that are called changed are \
         not"
            .to_owned(),
    );
    if ended.waits.are_usual() {
        comparison.remarks.push(format!(
            "the host was busy: in {} of {} pairs a process waited longer for a processor than it ran; that \
             is usual here, so that it made no pair void",
            ended.waits.long, ended.waits.pairs
        ));
    }
    if ended.budget_spent {
        comparison
            .remarks
            .push("the time was used up before everything was settled".to_owned());
    }
    comparison
}

fn save(
    place: &Place,
    sides: &Sides,
    [base, head]: [&Ready; 2],
    ended: &Ended,
    request: &Request<'_>,
    known: &Known,
    printer: &Printer,
) -> Result<(), CommandError> {
    let same_file = sides.one_tree && base.session.python_path() == head.session.python_path();
    for (ready, outcome) in [(base, &ended.base), (head, &ended.head)] {
        if same_file && std::ptr::eq(ready, base) {
            // Two equal sides are one result.
            continue;
        }
        let filing = place.filing(&ready.settings, &ready.session, &ready.tree)?;
        if std::ptr::eq(ready, head) {
            for line in problem_lines(&filing.describe(&ready.session.benchmarks)?) {
                printer.warn(&line);
            }
        }
        let mut provenance = place.provenance(
            &ready.settings,
            &ready.session,
            &ready.tree,
            &request.attributes,
            &LeftOut::default(),
        );
        provenance.environment.extend(known.fingerprint.clone());
        let regime = Json::from(known.regime);
        provenance.worker.insert("compile_cache".to_owned(), regime);
        let mut opened = filing.open(provenance)?;
        opened.note_gpu(known.records[usize::from(std::ptr::eq(ready, head))].clone());
        for finished in &outcome.finished {
            opened.keep(finished);
        }
        if let Some(saved) = opened.save(outcome)? {
            for line in problem_lines(&saved.problems) {
                printer.warn(&line);
            }
            printer.note(&format!("saved in {}", saved.path.display()));
        }
    }
    Ok(())
}

fn done(ended: &Ended) -> usize {
    ended.tracks.iter().filter(|track| track.pairs > 0).count()
}

fn exit(ended: &Ended, comparison: &Comparison) -> Exit {
    let failed = comparison
        .rows
        .iter()
        .any(|row| row.verdict == Verdict::Failed);
    let exit = if failed || comparison.rows.is_empty() {
        Exit::Failed
    } else {
        Exit::Done
    };
    match ended.interrupted {
        Some(signal) => exit.worse(Exit::Interrupted(signal)),
        None => exit,
    }
}
