//! Change points: time, and what is found in made-up histories with known steps.
//!
//! `cargo bench --bench change_points`. Where `LCMBENCH_BENCH_VENV` names a virtual environment with
//! `asv` or `apache-otava`, their detectors get the same series (`benches/change_points.py`).

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

#[path = "../tests/integration/common/steps.rs"]
mod steps;

use std::hint::black_box;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use fs_err as fs;
use lcmbench::json::{self, Json, Object};
use lcmbench::stats::{change_points, discoveries};
use lcmbench::sys::env::Environment;

use steps::{Generator, Noise, Score, Steps, steps as history};

const MINIMUM_EFFECT: f64 = 0.02;
const RATE: f64 = 0.05;

/// A short search is timed as the mean of so many.
const REPEATS: u32 = 40;

fn main() {
    let others = others();
    println!("| what | lcmbench | goal | verdict |");
    println!("|---|---|---|---|");
    for count in [0, 3, 20, 200] {
        let series = history(Noise::Gauss, 10_000, count, &mut Generator(7)).series;
        // The processor's time is counted in steps of some milliseconds.
        let seconds = fastest(3, || {
            for _ in 0..REPEATS {
                black_box(change_points(&series, MINIMUM_EFFECT));
            }
        });
        let seconds = seconds / f64::from(REPEATS);
        line(&format!("10,000 points, {count} steps"), seconds, 0.020);
    }
    for noise in Noise::ALL {
        let mut generator = Generator(7);
        let many: Vec<Vec<f64>> = (0..1000)
            .map(|_| history(noise, 1000, 3, &mut generator).series)
            .collect();
        let seconds = fastest(3, || {
            for series in &many {
                black_box(change_points(series, MINIMUM_EFFECT));
            }
        });
        line(
            &format!("1,000 series of 1,000 points, {}", noise.words()),
            seconds,
            1.0,
        );
    }
    println!();
    println!("| 100 series of 300 points | detector | F1 | false points a series | s |");
    println!("|---|---|---|---|---|");
    for noise in Noise::ALL {
        let mut generator = Generator(20_260_901);
        let histories: Vec<Steps> = (0..100)
            .map(|_| {
                let number = generator.below(5);
                history(noise, 300, number, &mut generator)
            })
            .collect();
        let mut found = Vec::new();
        let seconds = fastest(1, || found = believed(&histories));
        score(noise, "lcmbench", &histories, &found, seconds);
        if let Some(python) = &others {
            for (detector, found, seconds) in asked(python, &histories) {
                score(noise, &detector, &histories, &found, seconds);
            }
        }
    }
    if others.is_none() {
        println!("\nskipped: asv and Otava, as LCMBENCH_BENCH_VENV names no virtual environment");
    }
}

/// Processor seconds of this thread, the best of several runs: what else the machine does counts
/// little.
fn fastest(runs: u32, mut work: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..runs {
        let before = processor_seconds();
        work();
        best = best.min(processor_seconds() - before);
    }
    best
}

fn processor_seconds() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let nanoseconds = text
        .split_whitespace()
        .next()
        .and_then(|word| word.parse().ok());
    let nanoseconds: f64 = nanoseconds.expect("nanoseconds");
    nanoseconds / 1e9
}

fn line(what: &str, seconds: f64, goal: f64) {
    let verdict = if seconds < goal { "met" } else { "MISSED" };
    println!(
        "| {what} | {:.1} ms | {:.0} ms | {verdict} |",
        seconds * 1e3,
        goal * 1e3
    );
}

fn believed(histories: &[Steps]) -> Vec<Vec<usize>> {
    let found: Vec<_> = histories
        .iter()
        .map(|history| change_points(&history.series, MINIMUM_EFFECT))
        .collect();
    let probabilities: Vec<f64> = found.iter().flatten().map(|point| point.p).collect();
    let mut believed = discoveries(&probabilities, RATE).into_iter();
    found
        .iter()
        .map(|points| {
            let kept = points.iter().filter(|_| believed.next() == Some(true));
            kept.map(|point| point.at).collect()
        })
        .collect()
}

fn score(noise: Noise, detector: &str, histories: &[Steps], found: &[Vec<usize>], seconds: f64) {
    let mut score = Score::default();
    for (history, found) in histories.iter().zip(found) {
        score.count(&history.at, found);
    }
    println!(
        "| {} | {detector} | {:.3} | {:.2} | {seconds:.3} |",
        noise.words(),
        score.f1(),
        score.false_points()
    );
}

/// The Python of the virtual environment with other detectors.
fn others() -> Option<PathBuf> {
    let venv = Environment::of_process().path("LCMBENCH_BENCH_VENV")?;
    Some(venv.join("bin/python"))
}

/// What the other detectors find: name, points by series, processor seconds.
fn asked(python: &PathBuf, histories: &[Steps]) -> Vec<(String, Vec<Vec<usize>>, f64)> {
    let series: Vec<Json> = histories
        .iter()
        .map(|history| {
            history
                .series
                .iter()
                .map(|value| value.exp())
                .collect::<Vec<f64>>()
                .into()
        })
        .collect();
    let mut child = Command::new(python)
        .arg(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/benches/change_points.py"
        ))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the Python of LCMBENCH_BENCH_VENV starts");
    let text = json::to_compact(&Json::Array(series));
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(text.as_bytes()).expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("text");
    let answers = json::parse(&text).expect("JSON");
    let answers: &Object = answers.as_object().expect("detectors by name");
    answers
        .iter()
        .map(|(name, answer)| {
            let points = answer
                .get("points")
                .and_then(Json::as_array)
                .expect("points");
            let seconds = answer.get("seconds").and_then(Json::as_f64);
            (
                name.clone(),
                points.iter().map(places).collect(),
                seconds.unwrap_or(f64::NAN),
            )
        })
        .collect()
}

fn places(points: &Json) -> Vec<usize> {
    let items = points.as_array().unwrap_or_default();
    items
        .iter()
        .filter_map(|item| usize::try_from(item.as_i64()?).ok())
        .collect()
}
