//! The floor of an empty function in both tools, the memory of lcmbench while it measures, and
//! discovery of 8,000 parameter combinations.
//!
//! `cargo bench --bench precision`; needs the virtual environment that `scripts/test` makes.

mod support;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use fs_err as fs;
use lcmbench::json::{self, Json};

use support::{Place, heading, median, repeats, report};

fn main() {
    heading("lcmbench", "asv");
    floor();
    discovery();
    heading("lcmbench", "limit");
    memory();
}

/// Smallest sample of an empty function over all runs: what else runs on the machine only adds to it.
#[expect(clippy::print_stdout, reason = "a bench prints its figures")]
fn floor() {
    let place = Place::new("empty");
    let (mut ours, mut asv) = (f64::INFINITY, f64::INFINITY);
    let more = ["--record-samples", "-a", "rounds=1", "-a", "repeat=50"];
    for _ in 0..repeats(7) {
        place.time(&mut place.lcmbench(&more));
        ours = ours.min(smallest_sample(&place));
        place.time(&mut place.asv(&more));
        asv = asv.min(smallest_sample(&place));
    }
    let (ours, asv) = (ours * 1e9, asv * 1e9);
    report("floor of an empty function", ours, asv, "ns", None);
    let within = if (0.9..=1.1).contains(&(ours / asv)) {
        "met"
    } else {
        "MISSED"
    };
    println!("| within 10 % of each other | | | | {within} |");
}

fn smallest_sample(place: &Place) -> f64 {
    let folder = place.path("project/results/bench");
    let file = fs::read_dir(folder)
        .expect("results")
        .map(|entry| entry.expect("a file").path())
        .find(|path| {
            path.extension().is_some_and(|ending| ending == "json")
                && path.file_name().is_some_and(|name| name != "machine.json")
        })
        .expect("a result file");
    let text = fs::read_to_string(file).expect("a result file");
    let file = json::parse(&text).expect("JSON");
    let columns = file
        .get("result_columns")
        .and_then(Json::as_array)
        .expect("columns");
    let position = columns
        .iter()
        .position(|column| column.as_str() == Some("samples"))
        .expect("a column of samples");
    let row = file
        .get("results")
        .and_then(|rows| rows.get("bench.time_empty"));
    let samples = row.and_then(Json::as_array).expect("a row")[position]
        .as_array()
        .and_then(|combinations| combinations[0].as_array())
        .expect("samples");
    let numbers = samples.iter().filter_map(Json::as_f64);
    numbers.fold(f64::INFINITY, f64::min)
}

/// Listing a suite of 8,000 combinations, beside asv's discovery of it.
fn discovery() {
    let place = Place::new("combinations");
    let (mut ours, mut asv) = (Vec::new(), Vec::new());
    for _ in 0..repeats(5) {
        let mut list = place.command(Path::new(env!("CARGO_BIN_EXE_lcmbench")));
        list.arg("list").arg("--python").arg(place.python());
        ours.push(place.time(&mut list).as_secs_f64());
        let mut discover = place.asv(&["--bench", "just-discover"]);
        asv.push(place.time(&mut discover).as_secs_f64());
    }
    report(
        "8,000 combinations listed",
        median(&ours),
        median(&asv),
        "s",
        Some(1.0),
    );
}

/// High-water mark of lcmbench's own memory while a benchmark runs.
fn memory() {
    let place = Place::new("slow");
    let mut command: Command = place.lcmbench(&[]);
    let mut child = command
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0.0_f64;
    while child.try_wait().expect("a child").is_none() {
        if let Ok(text) = fs::read_to_string(&status) {
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
            peak = peak.max(kilobytes.unwrap_or(0.0) * 1024.0 / 1e6);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    report("memory while a benchmark runs", peak, 30.0, "MB", Some(1.0));
}
