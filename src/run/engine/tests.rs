mod earlier;
mod outcomes;

use std::path::PathBuf;
use std::time::Duration;

use super::*;
use crate::json::Json;
use crate::results::{BenchmarkResult, FailureKind, Value};
use crate::run::plan::PlanOptions;
use crate::run::testing::{Behaviour, LogReporter, MockExecutor, StepClock, axis, selected};
use crate::suite::{Benchmark, Selected};
use crate::worker::Ending;

/// A run of `selected` with everything at hand.
#[derive(Default)]
struct Trial {
    executor: MockExecutor,
    reporter: LogReporter,
    plan: PlanOptions,
    options: EngineOptions,
    earlier: Option<ResultSet>,
    kept: Vec<String>,
}

impl Trial {
    fn new(executor: MockExecutor) -> Self {
        Self {
            executor,
            plan: PlanOptions {
                default_timeout: 60.0,
                ..PlanOptions::default()
            },
            ..Self::default()
        }
    }

    fn run(&mut self, selected: &[Selected]) -> Outcome {
        let plan = Plan::new(selected, &self.plan);
        let kept = &mut self.kept;
        let mut keep = |finished: &Finished| kept.push(finished.benchmark.name().to_owned());
        let engine = Engine {
            executor: &mut self.executor,
            clock: &StepClock::default(),
            reporter: &mut self.reporter,
            keep: &mut keep,
        };
        engine.run(&plan, self.earlier.as_ref(), &self.options)
    }
}

fn only(outcome: &Outcome) -> &Finished {
    assert_eq!(outcome.finished.len(), 1);
    &outcome.finished[0]
}

fn one_value(outcome: &Outcome) -> (Value, Option<(FailureKind, String)>) {
    let finished = only(outcome);
    assert_eq!(finished.result.values.len(), 1);
    let failure = finished.provenance.failures.first().cloned().flatten();
    (
        finished.result.values[0].clone(),
        failure.map(|failure| (failure.kind, failure.message)),
    )
}

fn does(behaviour: Behaviour) -> (Value, Option<(FailureKind, String)>) {
    let mut trial = Trial::new(MockExecutor::default().on("b", &[behaviour]));
    one_value(&trial.run(&[selected("b", |_| {})]))
}

fn failed(kind: FailureKind, message: &str) -> (Value, Option<(FailureKind, String)>) {
    (Value::Failed, Some((kind, message.to_owned())))
}

fn rounds(count: usize) -> impl Fn(&mut Benchmark) {
    move |benchmark| benchmark.rounds = count
}

fn parameters(values: &'static [&'static str]) -> impl Fn(&mut Benchmark) {
    move |benchmark| benchmark.record.params = vec![axis(values)]
}

fn numbers(result: &BenchmarkResult) -> Vec<Option<f64>> {
    result.values.iter().map(Value::as_f64).collect()
}

fn samples(rounds: &[&[f64]], number: i64) -> Behaviour {
    Behaviour::Samples(rounds.iter().map(|round| round.to_vec()).collect(), number)
}

#[test]
fn early_rounds_of_all_run_before_anything_that_has_one_round() {
    let mut trial = Trial::new(MockExecutor::default());
    let outcome = trial.run(&[
        selected("a.track", |_| {}),
        selected("b.time", rounds(2)),
        selected("c.time", |b| {
            b.rounds = 3;
            b.setup_cache_key = Some("m:1".to_owned());
            b.record.params = vec![axis(&["x", "y"])];
        }),
        selected("d.time", rounds(2)),
    ]);
    assert_eq!(
        trial.executor.log,
        [
            "cache c.time",
            "c.time-0",
            "c.time-1",
            // Round 2 begins: the group without a cache appeared first.
            "b.time",
            "d.time",
            "c.time-0",
            "c.time-1",
            "a.track",
            "b.time",
            "d.time",
            "c.time-0",
            "c.time-1",
        ]
    );
    // In order of first completion, as asv files them.
    let names: Vec<&str> = outcome
        .finished
        .iter()
        .map(|finished| finished.benchmark.name())
        .collect();
    assert_eq!(names, ["c.time", "b.time", "d.time", "a.track"]);
    assert_eq!(
        outcome.durations.get("<setup_cache m:1>").copied(),
        Some(1.0)
    );
    assert_eq!(trial.kept.len(), 8);
    assert_eq!(outcome.interrupted, None);
}

#[test]
fn events_tell_what_happens_between_jobs() {
    let mut trial = Trial::new(MockExecutor::default());
    trial.run(&[selected("a", rounds(2)), selected("b", |_| {})]);
    assert_eq!(
        trial.reporter.log,
        [
            "started 3",
            "round 1/2: 1",
            "a-0 1/2",
            "end",
            "round 2/2: 2",
            "a-0 2/2",
            "end",
            "finished a",
            "b-0 1/1",
            "end",
            "finished b",
            "over None"
        ]
    );
}

#[test]
fn the_cache_folder_lives_from_the_first_to_the_last_user() {
    let cached = |rounds| {
        move |b: &mut Benchmark| {
            b.rounds = rounds;
            b.setup_cache_key = Some("m:1".to_owned());
        }
    };
    let mut trial = Trial::new(MockExecutor::default());
    trial.run(&[selected("a", cached(2)), selected("b", cached(1))]);
    let folders: Vec<Option<PathBuf>> = trial
        .executor
        .jobs
        .iter()
        .map(|job| job.cache.clone())
        .collect();
    assert_eq!(folders.len(), 4);
    assert!(folders[0].is_some());
    assert!(folders.iter().all(|folder| *folder == folders[0]));
    assert!(!folders[0].as_ref().unwrap().exists());
}

#[test]
fn samples_of_all_rounds_make_one_value_and_the_first_number_is_forced() {
    let executor = MockExecutor::default().on("b", &[samples(&[&[3.0, 1.0], &[2.0, 8.0]], 40)]);
    let mut trial = Trial::new(executor);
    trial.options.samples.record = true;
    let outcome = trial.run(&[selected("b", rounds(2))]);
    let finished = only(&outcome);
    assert_eq!(numbers(&finished.result), [Some(2.5)]);
    let stats = finished.result.stats[0].clone().unwrap();
    assert_eq!((stats.number, stats.repeat), (40, 4));
    assert_eq!(finished.result.samples, [Some(vec![3.0, 1.0, 2.0, 8.0])]);
    assert_eq!(finished.provenance.process_sizes, [vec![2, 2]]);
    assert_eq!(finished.result.duration, Some(2.0));
    // The start of the last round.
    assert_eq!(finished.result.started_at, Some(2000));
    let forced: Vec<Option<i64>> = trial
        .executor
        .jobs
        .iter()
        .map(|job| {
            job.attributes_by_benchmark
                .get("b")?
                .get("number")?
                .as_i64()
        })
        .collect();
    assert_eq!(forced, [None, Some(40)]);
}

#[test]
fn samples_are_dropped_unless_asked_for() {
    let executor = MockExecutor::default().on("b", &[samples(&[&[3.0]], 1)]);
    let outcome = Trial::new(executor).run(&[selected("b", |_| {})]);
    assert!(only(&outcome).result.samples.is_empty());
    assert!(only(&outcome).provenance.process_sizes.is_empty());
    assert_eq!(only(&outcome).result.stats.len(), 1);
}

#[test]
fn an_interruption_keeps_what_is_done() {
    let mut trial = Trial::new(MockExecutor {
        interrupt_at: Some((3, libc::SIGTERM)),
        ..MockExecutor::default()
    });
    let outcome = trial.run(&[
        selected("a", rounds(2)),
        selected("b", parameters(&["1", "2", "3"])),
        selected("c", |_| {}),
    ]);
    assert_eq!(outcome.interrupted, Some(libc::SIGTERM));
    assert_eq!(trial.executor.log, ["a", "a", "b-0"]);
    let names: Vec<&str> = outcome
        .finished
        .iter()
        .map(|finished| finished.benchmark.name())
        .collect();
    assert_eq!(names, ["a", "b"]);
    let partly = &outcome.finished[1];
    assert_eq!(numbers(&partly.result), [Some(1.0), None, None]);
    assert_eq!(partly.result.values[1], Value::Failed);
    let failure = partly.provenance.failures[1].as_ref().unwrap();
    assert_eq!(
        (failure.kind, failure.message.as_str()),
        (
            FailureKind::Interrupted,
            "interrupted by SIGTERM before it was done"
        )
    );
    assert_eq!(trial.reporter.log.last().unwrap(), "over Some(15)");
}

#[test]
fn deadlines_and_isolation_reach_the_job() {
    let mut trial = Trial::new(MockExecutor::default());
    trial.options.profile = true;
    trial.run(&[
        selected("a.peakmem", |b| b.kind = crate::suite::Kind::PeakMemory),
        selected("b", |b| b.timeout = Some(1.5)),
        selected("c", |b| b.timeout = Some(f64::INFINITY)),
    ]);
    let jobs = &trial.executor.jobs;
    assert!(jobs[0].isolated && !jobs[1].isolated);
    assert_eq!(jobs[0].deadline, Duration::from_mins(1));
    assert_eq!(jobs[1].deadline, Duration::from_millis(1500));
    assert_eq!(jobs[1].timeout, Some(1.5));
    assert!(jobs[2].deadline > Duration::from_hours(24 * 365));
    assert!(jobs.iter().all(|job| job.profile));
    assert!(jobs.iter().all(|job| job.combination.is_none()));
}

fn in_class(b: &mut Benchmark) {
    b.class = Some("A".to_owned());
}

#[test]
fn a_shared_set_up_is_one_process_and_a_crash_in_it_costs_only_its_own() {
    let executor = MockExecutor::default()
        .on(
            "A.b",
            &[Behaviour::EndsWith(Ending::Signaled(libc::SIGSEGV))],
        )
        .on("A.c", &[samples(&[&[4.0]], 1)]);
    let mut trial = Trial::new(executor);
    trial.plan.share_setup = true;
    let outcome = trial.run(&[
        selected("A.a", in_class),
        selected("A.b", in_class),
        selected("A.c", |b| {
            in_class(b);
            b.rounds = 2;
            let repeat = ("repeat".to_owned(), Json::Int(0));
            b.record.raw.extend([repeat]);
        }),
    ]);
    assert_eq!(trial.executor.log, ["A.a+A.b+A.c", "A.c"]);
    let values: Vec<Value> = outcome
        .finished
        .iter()
        .map(|finished| finished.result.values[0].clone())
        .collect();
    assert_eq!(
        values,
        [
            Value::Number(Json::Int(1)),
            Value::Failed,
            Value::Number(Json::Float(4.0))
        ]
    );
    // The time of the process is shared out among those that ran in it.
    assert_eq!(outcome.finished[0].result.duration, Some(0.5));
    assert_eq!(trial.executor.jobs[0].deadline, Duration::from_mins(3));
    // One round instead of two takes the samples of both.
    let forced = &trial.executor.jobs[0].attributes_by_benchmark["A.c"];
    assert_eq!(
        forced["repeat"],
        Json::Array(vec![Json::Int(1), Json::Int(10), Json::Float(20.0)])
    );
}
