//! The executor against real processes.

mod fake;
mod real;
mod timing;

use std::path::PathBuf;
use std::time::Duration;

use super::*;
use crate::json::Object;
use crate::sys::env::Environment;

/// The Python that tests run with; `None`, with a line that says so, when there is none.
fn python() -> Option<String> {
    let found = std::process::Command::new("python3")
        .args(["-c", "import sys; print(sys.executable)"])
        .output()
        .ok()
        .filter(|output| output.status.success())
        .map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    if found.is_none() {
        println!("skipped: no python3 on PATH");
    }
    found
}

fn options(python: &[&str], benchmark_dir: impl Into<PathBuf>) -> WorkerOptions {
    let words = python.iter().map(|word| (*word).to_owned()).collect();
    WorkerOptions::new(words, benchmark_dir.into(), Environment::of_process())
}

/// A job for one benchmark without parameters, cache and attributes.
pub(super) fn job(benchmark: &str) -> Job {
    Job {
        kind: JobKind::Benchmark,
        benchmarks: vec![benchmark.to_owned()],
        combination: None,
        attributes: Object::new(),
        attributes_by_benchmark: std::collections::BTreeMap::new(),
        cache: None,
        environment: std::collections::BTreeMap::new(),
        profile: false,
        profiles_before: std::collections::BTreeMap::new(),
        timeout: None,
        deadline: Duration::from_secs(30),
        isolated: false,
    }
}

/// The value of the one report of a job.
fn value(outcome: &JobOutcome) -> &crate::json::Json {
    match outcome.reports.as_slice() {
        [JobReport::Value { value, .. }] => value,
        reports => panic!("not one value: {reports:?}, {outcome:?}"),
    }
}
