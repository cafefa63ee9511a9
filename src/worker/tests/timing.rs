//! What a job costs beside Python's own work. Prints, and judges nothing: machines differ.

use std::time::Instant;

use fs_err as fs;

use super::fake::Stage;
use super::*;

const JOBS: u32 = 100;

/// Python's own fork of a process as small as the stand-in, without a word to anybody.
const BARE_FORK: &str = "
import json, os, resource, signal, subprocess, sys, time
for turn in range(100):
    child = os.fork()
    if not child:
        os.setpgid(0, 0)
        os._exit(0)
    os.wait4(child, 0)
";

/// Time that this thread has been on a processor.
fn own_time() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text
        .split_whitespace()
        .next()
        .and_then(|word| word.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or_default())
}

#[test]
fn the_cost_of_a_real_job_is_printed() {
    let Some(suite) = real::Suite::new() else {
        return;
    };
    for mut worker in suite.workers() {
        let answer = job("endings.track_answer");
        let launch = worker.execute(&answer).unwrap().launch;
        let jobs = if launch == Launch::Fork { JOBS } else { 10 };
        let (begun, busy) = (Instant::now(), own_time());
        for _ in 0..jobs {
            worker.execute(&answer).unwrap();
        }
        let own = own_time().saturating_sub(busy) / jobs;
        println!(
            "real, {launch:?}: {:?} a job, {own:?} of it busy here",
            begun.elapsed() / jobs
        );
    }
}

#[test]
fn the_cost_of_a_job_is_printed() {
    let Some(stage) = Stage::new("safe") else {
        return;
    };
    let mut worker = stage.worker();
    worker.execute(&job("ok")).unwrap();
    let (begun, busy) = (Instant::now(), own_time());
    for _ in 0..JOBS {
        worker.execute(&job("ok")).unwrap();
    }
    let forked = begun.elapsed() / JOBS;
    let own = own_time().saturating_sub(busy) / JOBS;

    let time = |code: &str| {
        let begun = Instant::now();
        let mut python = std::process::Command::new(&stage.options.python[0]);
        assert!(python.args(["-c", code]).status().unwrap().success());
        begun.elapsed()
    };
    let empty = time(BARE_FORK.replace("100", "0").as_str());
    let bare = time(BARE_FORK).saturating_sub(empty) / JOBS;

    let mut isolated = job("ok");
    isolated.isolated = true;
    let begun = Instant::now();
    for _ in 0..10 {
        worker.execute(&isolated).unwrap();
    }
    let spawned = begun.elapsed() / 10;
    println!("forked: {forked:?} a job, {own:?} of it busy here, Python's own fork: {bare:?}");
    println!("spawned: {spawned:?} a job, Python's own start: {empty:?}");
}
