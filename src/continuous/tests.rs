//! The schedule and its verdicts with stand-ins for Python and the clock.

use std::cell::Cell;
use std::time::Duration;

use crate::json::{Json, Object};
use crate::report::MetricKind;
use crate::results::BenchmarkRecord;
use crate::run::{Attributes, Clock, Plan, PlanOptions, Sampling};
use crate::stats::{LowEstimator, PairedVerdict, Random, Rule};
use crate::suite::{Benchmark, Kind, Selected};
use crate::worker::{
    Discovery, Ending, Executor, Job, JobOutcome, JobReport, Launch, PythonError, WorkerError,
};

use super::*;

/// A side whose benchmarks take what they are told, with a little noise.
struct Fake {
    side: Side,
    random: Random,
    jobs: Vec<(String, Job)>,
    variables: Vec<String>,
    interrupt_at: Option<usize>,
    /// Share of its time that the process of a job waits for a processor.
    delay: fn(usize) -> f64,
}

impl Fake {
    fn new(side: Side) -> Self {
        Self {
            random: Random::new(if side == Side::Base { 1 } else { 2 }),
            side,
            jobs: Vec::new(),
            variables: Vec::new(),
            interrupt_at: None,
            delay: |_| 0.1,
        }
    }

    fn report(&mut self, name: &str) -> JobReport {
        let head = self.side == Side::Head;
        let value = |value: Json| JobReport::Value {
            benchmark: name.to_owned(),
            value,
            flags: Vec::new(),
            profile: None,
            facts: Object::new(),
        };
        let seconds = match name {
            "time_slower" if head => 1.05,
            "time_noisy" => 1.0 + 0.3 * self.random.uniform(),
            "track_calls" => return value(Json::Int(if head { 8 } else { 7 })),
            "track_hash" => return value("abc".into()),
            "peakmem_grown" => {
                let bytes = if head { 1.2e8 } else { 1e8 };
                return value(Json::Float(bytes * (1.0 + 0.001 * self.random.uniform())));
            }
            "time_fails" if head => {
                return JobReport::Failed {
                    benchmark: name.to_owned(),
                    kind: "exception".to_owned(),
                    error: PythonError {
                        class: "ValueError".to_owned(),
                        message: "no".to_owned(),
                        traceback: String::new(),
                    },
                };
            }
            _ => 1.0,
        };
        let floor = seconds * (1.0 + 0.001 * self.random.normal());
        JobReport::Samples {
            benchmark: name.to_owned(),
            samples: vec![2.0 * floor, floor],
            number: 3,
            flags: Vec::new(),
            profile: None,
            facts: Object::new(),
        }
    }
}

impl Executor for Fake {
    fn discover(&mut self) -> Result<Discovery, WorkerError> {
        Ok(Discovery::default())
    }

    fn execute(&mut self, job: &Job) -> Result<JobOutcome, WorkerError> {
        if self.interrupt_at == Some(self.jobs.len()) {
            return Err(WorkerError::Interrupted(2));
        }
        self.jobs.push((job.benchmarks[0].clone(), job.clone()));
        let reports = job
            .benchmarks
            .iter()
            .map(|name| self.report(name))
            .collect();
        Ok(JobOutcome {
            reports,
            ending: Ending::Exited(0),
            started_at: 0,
            wall: Duration::from_secs(1),
            stdout: String::new(),
            stderr: String::new(),
            max_rss: None,
            launch: Launch::Spawn,
            leftovers: 0,
            run_queue_delay: Some((self.delay)(self.jobs.len() - 1)),
            flags: Vec::new(),
        })
    }

    fn set_variable(&mut self, name: &str, value: &str) {
        self.variables.push(format!("{name}={value}"));
    }
}

/// A clock that moves by a second whenever it is read.
#[derive(Default)]
struct StepClock(Cell<u64>);

impl Clock for StepClock {
    fn unix_millis(&self) -> i64 {
        0
    }

    fn elapsed(&self) -> Duration {
        self.0.set(self.0.get() + 1);
        Duration::from_secs(self.0.get())
    }
}

fn plan(names: &[&str]) -> Plan {
    let selected: Vec<Selected> = names
        .iter()
        .map(|name| {
            let (kind, word) = match name.split('_').next() {
                Some("time") => (Kind::Time, "time"),
                Some("peakmem") => (Kind::PeakMemory, "peakmemory"),
                _ => (Kind::Track, "track"),
            };
            Selected {
                benchmark: Benchmark {
                    record: BenchmarkRecord {
                        name: (*name).to_owned(),
                        kind: word.to_owned(),
                        ..BenchmarkRecord::default()
                    },
                    kind,
                    rounds: 1,
                    ..Benchmark::default()
                },
                combinations: vec![0],
            }
        })
        .collect();
    Plan::new(&selected, &PlanOptions::default())
}

fn options(limits: Limits) -> Options {
    Options {
        limits,
        sampling: Sampling::default(),
        estimator: LowEstimator::Minimum,
        seed: 5,
    }
}

fn facts(planned: &crate::run::Planned) -> (MetricKind, Rule, bool) {
    let kind = match planned.benchmark.kind {
        Kind::Time => MetricKind::Time,
        Kind::PeakMemory | Kind::Memory => MetricKind::Memory,
        Kind::Track => MetricKind::Count,
    };
    (kind, Rule::default(), false)
}

struct World {
    base: Fake,
    head: Fake,
    clock: StepClock,
    attributes: Attributes,
}

impl World {
    fn new() -> Self {
        Self {
            base: Fake::new(Side::Base),
            head: Fake::new(Side::Head),
            clock: StepClock::default(),
            attributes: Attributes::default(),
        }
    }

    fn bench<'a>(&'a mut self, plan: &'a Plan, limits: Limits) -> Bench<'a> {
        Bench::new(
            plan,
            [&mut self.base, &mut self.head],
            &self.attributes,
            &self.clock,
            options(limits),
            &facts,
        )
    }

    fn run(&mut self, plan: &Plan, limits: Limits) -> Ended {
        self.bench(plan, limits).run(&mut |_| {}).0
    }
}

fn word(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Statistical(_, conclusion) => match conclusion.verdict {
            PairedVerdict::Slower => "slower".to_owned(),
            PairedVerdict::Faster => "faster".to_owned(),
            PairedVerdict::Same => "same".to_owned(),
            PairedVerdict::Inconclusive => "inconclusive".to_owned(),
        },
        Verdict::Exact { equal, .. } => format!("exact {equal}"),
        Verdict::Contended => "contended".to_owned(),
        Verdict::Nothing => "nothing".to_owned(),
    }
}

#[test]
fn every_kind_gets_its_verdict_and_one_failure_hides_nobody() {
    let plan = plan(&[
        "peakmem_grown",
        "time_fails",
        "time_noisy",
        "time_same",
        "time_slower",
        "track_calls",
        "track_hash",
    ]);
    let mut world = World::new();
    let ended = world.run(&plan, Limits::default());
    let words: Vec<(String, String, usize)> = ended
        .tracks
        .iter()
        .zip(judge(&ended.tracks))
        .map(|(track, (verdict, survives))| {
            let mark = if survives { " survives" } else { "" };
            (
                track.benchmark.clone(),
                format!("{}{mark}", word(&verdict)),
                track.pairs,
            )
        })
        .collect();
    let text: Vec<String> = words
        .iter()
        .map(|(name, word, _)| format!("{name}: {word}"))
        .collect();
    assert_eq!(
        text,
        [
            "peakmem_grown: slower survives",
            "time_fails: nothing",
            "time_noisy: inconclusive",
            "time_same: same",
            "time_slower: slower survives",
            "track_calls: exact false",
            "track_hash: exact true"
        ]
    );
    let pairs = |name: &str| words.iter().find(|(known, ..)| known == name).unwrap().2;
    // Eight for all, more for what changed, two for what is exact.
    assert_eq!((pairs("time_same"), pairs("time_noisy")), (8, 8));
    assert!(pairs("time_slower") > 8 && pairs("time_slower") < 40);
    assert_eq!((pairs("track_hash"), pairs("time_fails")), (2, 1));
    // Results of both sides, with all samples.
    let stored = |outcome: &crate::run::Outcome| {
        let finished = outcome.finished.iter();
        finished
            .map(|one| one.benchmark.name().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(stored(&ended.base), stored(&ended.head));
    assert_eq!(ended.head.finished.len(), 7);
    let slower = ended
        .head
        .finished
        .iter()
        .find(|one| one.benchmark.name() == "time_slower");
    assert_eq!(
        slower.unwrap().provenance.process_sizes[0].len(),
        pairs("time_slower")
    );
}

#[test]
fn samples_are_short_and_calls_are_the_same_on_both_sides() {
    let plan = plan(&["time_same"]);
    let mut world = World::new();
    world.run(&plan, Limits::default());
    let attributes = &world.head.jobs[1].1.attributes_by_benchmark["time_same"];
    assert_eq!(attributes["sample_time"], Json::Float(0.0005));
    assert_eq!(attributes["number"], Json::Int(3));
    assert_eq!(world.base.variables, world.head.variables);
    assert_ne!(world.base.variables[1], world.base.variables[2]);
}

#[test]
fn the_benchmarks_take_turns() {
    let plan = plan(&["time_a", "time_b"]);
    let mut world = World::new();
    world.run(&plan, Limits::default());
    let names: Vec<&str> = world
        .base
        .jobs
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    // The first of each is warm-up.
    assert_eq!(
        &names[..6],
        ["time_a", "time_a", "time_b", "time_b", "time_a", "time_b"]
    );
    assert_eq!(names.len(), 18);
}

#[test]
fn a_process_that_waited_voids_its_pair_unless_all_wait() {
    let plan = plan(&["time_same"]);
    let mut world = World::new();
    // The first job is warm-up.
    world.head.delay = |job| if job == 3 { 0.8 } else { 0.1 };
    let mut reasons = Vec::new();
    let (ended, _) = world.bench(&plan, Limits::default()).run(&mut |notice| {
        if let Notice::Void { reason, .. } = notice {
            reasons.push(reason.to_owned());
        }
    });
    assert_eq!(
        reasons,
        ["a process waited 80 % of its time for a processor"]
    );
    assert_eq!((ended.tracks[0].pairs, ended.tracks[0].voids), (8, 1));
    assert!(!ended.waits.are_usual());

    let mut world = World::new();
    world.base.delay = |_| 0.7;
    let ended = world.run(&plan, Limits::default());
    assert_eq!((ended.tracks[0].pairs, ended.tracks[0].voids), (8, 0));
    assert!(ended.waits.are_usual());
    assert_eq!((ended.waits.pairs, ended.waits.long), (9, 9));
}

#[test]
fn a_budget_ends_the_measurement_and_leaves_what_there_is() {
    let plan = plan(&["time_a", "time_b", "time_noisy"]);
    let mut world = World::new();
    let budget = Some(Duration::from_mins(1));
    let ended = world.run(
        &plan,
        Limits {
            budget,
            ..Limits::default()
        },
    );
    assert!(ended.budget_spent);
    let pairs: Vec<usize> = ended.tracks.iter().map(|track| track.pairs).collect();
    assert!(
        pairs.iter().all(|pairs| (2..8).contains(pairs)),
        "{pairs:?}"
    );
    // A longer one goes on with what is open, up to the most.
    let mut world = World::new();
    let budget = Some(Duration::from_hours(1));
    let ended = world.run(
        &plan,
        Limits {
            budget,
            ..Limits::default()
        },
    );
    assert!(!ended.budget_spent);
    let pairs: Vec<usize> = ended.tracks.iter().map(|track| track.pairs).collect();
    assert_eq!(pairs, [8, 8, 40]);
}

#[test]
fn an_interrupted_measurement_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pairs.jsonl");
    let plan = plan(&["time_slower", "track_calls"]);
    let mut whole = World::new();
    let expected = whole.run(&plan, Limits::default());

    let mut world = World::new();
    world.head.interrupt_at = Some(7);
    let mut bench = world.bench(&plan, Limits::default());
    bench.begin(&path, "this").unwrap();
    let (ended, broken) = bench.run(&mut |_| {});
    assert!(broken.is_none());
    assert_eq!(ended.interrupted, Some(2));
    let before = ended.tracks[0].differences.clone();
    assert!(!before.is_empty());

    let mut world = World::new();
    let mut bench = world.bench(&plan, Limits::default());
    assert!(matches!(
        bench.resume(&path, "that"),
        Err(JournalError::Other { .. })
    ));
    assert!(bench.resume(&path, "this").unwrap() > 0);
    assert_eq!(bench.seed(), 5);
    let (ended, _) = bench.run(&mut |_| {});
    assert_eq!(ended.tracks[0].differences[..before.len()], before[..]);
    assert_eq!(
        word(&ended.tracks[0].verdict()),
        word(&expected.tracks[0].verdict())
    );
    assert_eq!(word(&ended.tracks[1].verdict()), "exact false");
    assert!(matches!(
        world
            .bench(&plan, Limits::default())
            .resume(&folder.path().join("none"), "this"),
        Err(JournalError::Missing { .. })
    ));
}
