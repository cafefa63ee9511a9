//! A cancelled `lcmbench pr`: results are saved, the status is finished, and nothing takes long.

use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::fake::What;
use super::measured::{Measured, SETTINGS, SUITE};
use crate::common::command::Running;

/// Starts it and waits until a benchmark is being measured.
fn measuring(measured: &Measured) -> Running {
    let room = measured.waiting_room();
    let mut running = measured.pr([]).env("WAIT_IN", &room).start();
    running.wait_until("a benchmark waits", || room.join("waits").exists());
    running
}

fn cancelled_by(signal: Signal, code: i32, name: &str) {
    let Some(measured) = Measured::new() else {
        return;
    };
    let running = measuring(&measured);
    assert_eq!(measured.statuses()[0].0, "pending");
    running.signal(signal);
    let output = running.wait().expect(code);
    let statuses = measured.statuses();
    assert_eq!(
        statuses[1],
        (
            "error".to_owned(),
            format!("cancelled by {name} after 2 of 3 benchmarks")
        ),
        "{}",
        output.stderr
    );
    assert_eq!(statuses.len(), 2);
    // What was done is saved, and no comment speaks of half a measurement.
    assert_eq!(measured.workshop.stored.project.result_files().len(), 2);
    assert!(measured.workshop.bodies().is_empty());
}

#[test]
fn sigterm_finishes_the_status() {
    cancelled_by(Signal::TERM, 143, "SIGTERM");
}

#[test]
fn sigint_finishes_the_status() {
    cancelled_by(Signal::INT, 130, "SIGINT");
}

#[test]
fn what_was_cancelled_in_the_middle_does_not_count_as_done() {
    let suite = format!(
        "{SUITE}

def track_parts(part):
    return track_waits() if part == 2 else 1


track_parts.params = [1, 2]
"
    );
    let Some(measured) = Measured::with_suite(&suite, SETTINGS) else {
        return;
    };
    let room = measured.waiting_room();
    let bench = ["--bench", "parts"];
    let mut running = measured.pr(bench).env("WAIT_IN", &room).start();
    running.wait_until("a benchmark waits", || room.join("waits").exists());
    running.signal(Signal::TERM);
    let output = running.wait().expect(143);
    assert_eq!(
        measured.statuses()[1].1,
        "cancelled by SIGTERM after 0 of 1 benchmark",
        "{}",
        output.stderr
    );
}

#[test]
fn a_github_that_hangs_does_not_keep_a_cancelled_job() {
    let Some(measured) = Measured::new() else {
        return;
    };
    let running = measuring(&measured);
    for _ in 0..2 {
        measured.workshop.fake.fault("POST", What::NeverAnswer);
    }
    running.signal(Signal::TERM);
    let since = Instant::now();
    let output = running.wait().expect(143);
    // One second for the benchmark, twice two for GitHub and one between; far less than the minute
    // that an ordinary request may take.
    assert!(since.elapsed() < Duration::from_secs(30));
    assert!(
        output
            .stderr
            .contains("the status benchmark-check could not be finished"),
        "{}",
        output.stderr
    );
}

#[test]
fn a_signal_while_it_is_reported_leaves_the_true_verdict() {
    let Some(measured) = Measured::new() else {
        return;
    };
    measured
        .workshop
        .fake
        .fault("GET /repos/owner/project/issues", What::NeverAnswer);
    let mut running = measured.pr([]).start();
    running.wait_until("the comments are asked for", || {
        let state = measured.workshop.fake.state();
        state.count("GET /repos/owner/project/issues") > 0
    });
    running.signal(Signal::TERM);
    let output = running.wait().expect(143);
    let statuses = measured.statuses();
    assert_eq!(statuses.len(), 2, "{}", output.stderr);
    assert_eq!(statuses[1].0, "success");
    assert!(
        statuses[1].1.starts_with("1 slower, 2 same"),
        "{statuses:?}"
    );
}

#[test]
fn a_signal_before_the_first_benchmark_is_an_error_of_the_commit() {
    let Some(measured) = Measured::new() else {
        return;
    };
    // The pending status has no answer, so it may be there.
    measured
        .workshop
        .fake
        .fault("POST /repos/owner/project/statuses", What::NeverAnswer);
    let mut running = measured.pr([]).start();
    running.wait_until("the status is written", || {
        let state = measured.workshop.fake.state();
        state.count("POST /repos/owner/project/statuses") > 0
    });
    running.signal(Signal::TERM);
    let output = running.wait().expect(143);
    let statuses = measured.statuses();
    assert_eq!(
        statuses,
        [(
            "error".to_owned(),
            "cancelled by SIGTERM before anything was measured".to_owned()
        )],
        "{}",
        output.stderr
    );
}

#[test]
fn a_killed_run_leaves_the_status_pending_and_the_next_finishes_it() {
    let Some(measured) = Measured::new() else {
        return;
    };
    let running = measuring(&measured);
    running.signal(Signal::KILL);
    let _killed = running.wait().expect(137);
    let room = measured.waiting_room();
    let pid = fs_err::read_to_string(room.join("waits")).unwrap();
    let pid = rustix::process::Pid::from_raw(pid.parse().unwrap()).unwrap();
    rustix::process::kill_process(pid, Signal::KILL).ok();
    assert_eq!(measured.statuses().len(), 1);
    drop(measured.pr(["--skip-existing-successful"]).run().expect(0));
    let states: Vec<String> = measured
        .statuses()
        .into_iter()
        .map(|(state, _)| state)
        .collect();
    assert_eq!(states, ["pending", "pending", "success"]);
}
