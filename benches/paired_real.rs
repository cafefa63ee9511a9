//! Paired measurement on this machine as it is: base against base, and a planted 5 %, on a pure
//! Python, a numpy and a JAX benchmark; beside it asv's rule on asv's own samples.
//!
//! `cargo bench --bench paired_real` records processes into `target/paired_real.jsonl`, going on where
//! an earlier run stopped, up to `LCMBENCH_BENCH_REPEATS` rounds (220), and prints the table of what was
//! recorded. A round has three processes of each benchmark in random order: base, base again, and
//! head with 5 % more work; first with this tool's samples (0.5 ms), then, in every fourth round, with
//! asv's (10 ms). Needs
//! the environment with JAX and numpy that `scripts/test` makes (`LCMBENCH_TEST_VENV_JAX`).
//!
//! `LCMBENCH_BENCH_REPEATS=0` measures only what one process costs beyond Python's own start.
//!
//! Windows are taken from the recorded rounds at every offset, around the end, so they overlap.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

#[expect(dead_code, reason = "of what the benches share this one needs little")]
mod support;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use fs_err as fs;
use fs_err::os::unix::fs::OpenOptionsExt as _;
use lcmbench::config::LaunchMethod;
use lcmbench::json::{Json, Object, parse, to_compact};
use lcmbench::stats::{Random, Rule, conclude, mann_whitney, paired_evidence};
use lcmbench::sys::env::Environment;
use lcmbench::worker::{Executor, Job, JobKind, JobReport, PythonWorker, WorkerOptions};

const BENCHMARKS: [&str; 3] = [
    "python.Loop.time_loop",
    "vectors.Vectors.time_add",
    "compiled.Compiled.time_loop",
];
const MOST_PAIRS: usize = 40;
/// asv's samples take five times as long, so they are taken in every fourth round.
const ASV_EVERY: usize = 4;

/// What stands in the file: samples of each of the three processes, by benchmark and way of sampling.
type Round = BTreeMap<String, Vec<Vec<f64>>>;

fn main() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/paired_real.jsonl");
    let wanted = support::repeats(220);
    let known = read(&path).len();
    if known < wanted {
        record(&path, wanted - known);
    }
    let rounds = read(&path);
    println!("{} rounds recorded; load now: {}", rounds.len(), load());
    if !rounds.is_empty() {
        table(&rounds);
    }
    overhead();
}

/// What a process that measures nothing takes beyond `python -c pass`: the medians of 40 of each, in turn.
fn overhead() {
    let mut worker = worker();
    let job = job("nothing.track_nothing", None, &Object::new());
    let (mut ours, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..40 {
        let began = Instant::now();
        worker.execute(&job).expect("the process runs");
        ours.push(began.elapsed().as_secs_f64());
        let began = Instant::now();
        let status = Command::new(python()).args(["-c", "pass"]).status();
        assert!(status.is_ok_and(|status| status.success()));
        bare.push(began.elapsed().as_secs_f64());
    }
    let fastest = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
    println!(
        "\nOne process beyond Python's own start: {:.1} ms (medians {:.1} and {:.1} ms), fastest of both {:.1} ms; the goal is 20 ms.",
        1e3 * (support::median(&ours) - support::median(&bare)),
        1e3 * support::median(&ours),
        1e3 * support::median(&bare),
        1e3 * (fastest(&ours) - fastest(&bare)),
    );
}

fn load() -> String {
    fs::read_to_string("/proc/loadavg")
        .unwrap_or_default()
        .trim()
        .to_owned()
}

fn read(path: &Path) -> Vec<Round> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().filter_map(round_of).collect()
}

fn round_of(line: &str) -> Option<Round> {
    let Json::Object(members) = parse(line).ok()? else {
        return None;
    };
    let members = members.into_iter().filter(|(key, _)| key != "load");
    members
        .map(|(key, value)| {
            let processes = value.as_array()?.iter().map(|process| {
                process
                    .as_array()?
                    .iter()
                    .map(Json::as_f64)
                    .collect::<Option<Vec<f64>>>()
            });
            Some((key, processes.collect::<Option<Vec<_>>>()?))
        })
        .collect()
}

fn record(path: &Path, rounds: usize) {
    let mut file = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o644)
        .open(path)
        .expect("the file of the record");
    let mut worker = worker();
    let mut random = Random::new(u64::from(std::process::id()));
    for round in 0..rounds {
        let mut line = Object::new();
        for benchmark in BENCHMARKS {
            for (style, attributes) in [("ours", ours()), ("asv", Object::new())] {
                if style == "asv" && !round.is_multiple_of(ASV_EVERY) {
                    continue;
                }
                let mut samples = vec![Vec::new(); 3];
                let mut order = [0, 1, 2];
                for last in (1..3_usize).rev() {
                    let other = random.below(u64::try_from(last).unwrap_or(0) + 1);
                    order.swap(last, usize::try_from(other).unwrap_or(0));
                }
                for side in order {
                    samples[side] =
                        process(&mut worker, benchmark, usize::from(side == 2), &attributes);
                }
                let samples = samples
                    .into_iter()
                    .map(|one| Json::Array(one.into_iter().map(Json::Float).collect()));
                line.insert(
                    format!("{benchmark} {style}"),
                    Json::Array(samples.collect()),
                );
            }
        }
        line.insert("load".to_owned(), load().into());
        writeln!(file, "{}", to_compact(&line.into())).expect("the record is written");
    }
}

/// The attributes that `lcmbench continuous` sets, but for at least 20 samples.
fn ours() -> Object {
    let repeat = vec![Json::Int(20), Json::Int(60), Json::Float(0.2)];
    [
        ("sample_time".to_owned(), Json::Float(0.0005)),
        ("warmup_time".to_owned(), Json::Float(0.02)),
        ("repeat".to_owned(), Json::Array(repeat)),
    ]
    .into_iter()
    .collect()
}

fn worker() -> PythonWorker {
    let python = python().to_string_lossy().into_owned();
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/paired_suite");
    let mut options = WorkerOptions::new(vec![python], suite, Environment::of_process());
    options.launch = LaunchMethod::Spawn;
    options.device_sync = true;
    options
        .benchmark_env
        .insert("JAX_PLATFORMS".to_owned(), "cpu".to_owned());
    PythonWorker::new(options, None).expect("the worker")
}

fn python() -> PathBuf {
    #[expect(clippy::disallowed_methods, reason = "a bench has no settings to read")]
    let venv = std::env::var_os("LCMBENCH_TEST_VENV_JAX").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("target/test-venvs/jax"),
        PathBuf::from,
    );
    venv.join("bin/python")
}

fn process(
    worker: &mut PythonWorker,
    benchmark: &str,
    combination: usize,
    attributes: &Object,
) -> Vec<f64> {
    let job = job(benchmark, Some(combination), attributes);
    let outcome = worker.execute(&job).expect("the process runs");
    match outcome.reports.first() {
        Some(JobReport::Samples { samples, .. }) => samples.clone(),
        other => panic!("{benchmark}: {other:?}\n{}", outcome.stderr),
    }
}

fn job(benchmark: &str, combination: Option<usize>, attributes: &Object) -> Job {
    Job {
        kind: JobKind::Benchmark,
        benchmarks: vec![benchmark.to_owned()],
        combination,
        attributes: attributes.clone(),
        attributes_by_benchmark: BTreeMap::new(),
        cache: None,
        profile: false,
        profiles_before: BTreeMap::new(),
        timeout: Some(60.0),
        deadline: Duration::from_mins(2),
        isolated: false,
        environment: BTreeMap::new(),
    }
}

fn floor(samples: &[f64]) -> f64 {
    samples.iter().copied().fold(f64::INFINITY, f64::min)
}

/// log ratios of the second process to the first, in the order of the rounds.
fn differences(rounds: &[Round], key: &str, base: usize, head: usize) -> Vec<f64> {
    let one = |round: &Round| {
        let processes = round.get(key)?;
        Some((floor(&processes[head]) / floor(&processes[base])).ln())
    };
    rounds.iter().filter_map(one).collect()
}

fn table(rounds: &[Round]) {
    let rule = Rule::default();
    println!(
        "\n| benchmark | windows | measured change | evidence within {MOST_PAIRS} pairs: base against base | planted 5 % | pairs until found | asv's rule, same processes: base against base | planted 5 % | asv -f 1.02: base against base | planted 5 % |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let began = Instant::now();
    for benchmark in BENCHMARKS {
        let key = format!("{benchmark} ours");
        let (same, more) = (
            differences(rounds, &key, 0, 1),
            differences(rounds, &key, 0, 2),
        );
        let size = MOST_PAIRS.min(same.len());
        let (false_alarms, _) = alarms(&same, size, &rule, false);
        let (found, pairs) = alarms(&more, size, &rule, true);
        let estimate = lcmbench::stats::hodges_lehmann(&more).unwrap_or(f64::NAN);
        let asv_key = format!("{benchmark} asv");
        let theirs: Vec<&Round> = rounds
            .iter()
            .filter(|round| round.contains_key(&asv_key))
            .collect();
        let theirs: Vec<String> = [(1.1, 1), (1.1, 2), (1.02, 1), (1.02, 2)]
            .iter()
            .map(|(factor, head)| {
                let size = size.min(theirs.len());
                let found = asv_alarms(&theirs, &asv_key, *head, size, *factor);
                percent(found, theirs.len())
            })
            .collect();
        println!(
            "| {benchmark} | {} of {size} | {:.2} % | {} | {} | {pairs:.1} | {} |",
            same.len(),
            100.0 * estimate.exp_m1(),
            percent(false_alarms, same.len()),
            percent(found, more.len()),
            theirs.join(" | "),
        );
    }
    println!("\nMade in {:.1} s.", began.elapsed().as_secs_f64());
}

/// In how many windows something was shown (slower, or in any direction), and after how many pairs.
fn alarms(all: &[f64], size: usize, rule: &Rule, slower: bool) -> (usize, f64) {
    let (mut count, mut pairs) = (0, 0);
    for start in 0..all.len() {
        let window: Vec<f64> = (0..size).map(|at| all[(start + at) % all.len()]).collect();
        let stop = (8..=size).find(|count| {
            let shown = paired_evidence(&window[..*count], rule)
                .map_or(0, |evidence| conclude(&evidence, rule).shown);
            if slower { shown > 0 } else { shown != 0 }
        });
        count += usize::from(stop.is_some());
        pairs += stop.unwrap_or(size);
    }
    (count, as_float(pairs) / as_float(all.len().max(1)))
}

/// asv's rule on the pooled samples of as many processes.
fn asv_alarms(rounds: &[&Round], key: &str, head: usize, size: usize, factor: f64) -> usize {
    let pooled = |start: usize, side: usize| -> Vec<f64> {
        (0..size)
            .filter_map(|at| rounds[(start + at) % rounds.len()].get(key))
            .flat_map(|processes| processes[side].clone())
            .collect()
    };
    (0..rounds.len())
        .filter(|start| {
            let (base, other) = (pooled(*start, 0), pooled(*start, head));
            let ratio = support::median(&other) / support::median(&base);
            let beyond = if head == 2 {
                ratio > factor
            } else {
                ratio > factor || ratio < 1.0 / factor
            };
            beyond && mann_whitney(&base, &other).is_some_and(|test| test.p < 0.002)
        })
        .count()
}

fn percent(count: usize, of: usize) -> String {
    format!("{:.1} %", 100.0 * as_float(count) / as_float(of.max(1)))
}

#[expect(clippy::cast_precision_loss, reason = "counts are small")]
fn as_float(count: usize) -> f64 {
    count as f64
}
