//! A job that is cancelled while a benchmark runs. The runner signals the step's entry process, and
//! that is the binary itself.

use fs_err as fs;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use super::act::{Act, Given};
use crate::github::{REPOSITORY, Workshop};

/// The children of a process, from `/proc`.
fn children(parent: u32) -> Vec<u32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid: &u32| {
            let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
            status
                .lines()
                .any(|line| line == format!("PPid:\t{parent}"))
        })
        .collect()
}

#[test]
fn the_step_is_the_binary_and_finishes_the_status() {
    let Some(act) = Act::new() else { return };
    let room = act.measured.waiting_room();
    let given = Given {
        variables: vec![("WAIT_IN", room.display().to_string())],
    };
    let mut event = Workshop::event(&act.measured.workshop.head(), REPOSITORY);
    event["pull_request"]["draft"] = json!(false);
    let mut running = act
        .example("benchmark-pr-pixi.yml", "pull_request", &event, &given)
        .start();
    running.wait_until("a benchmark runs", || room.join("waits").exists());
    let steps = children(running.id());
    let [step] = steps[..] else {
        panic!("act has one step under way: {steps:?}");
    };
    let program = fs::read_link(format!("/proc/{step}/exe")).unwrap();
    assert_eq!(
        program,
        fs::canonicalize(env!("CARGO_BIN_EXE_lcmbench")).unwrap(),
        "the step's entry process is not the binary"
    );
    let step = Pid::from_raw(i32::try_from(step).unwrap()).unwrap();
    kill_process(step, Signal::INT).unwrap();
    let output = running.wait().expect(1);
    let statuses = act.measured.statuses();
    let states: Vec<&str> = statuses.iter().map(|(state, _)| state.as_str()).collect();
    assert_eq!(states, ["pending", "error"], "{}", output.stdout);
    assert!(
        statuses[1].1.starts_with("cancelled by SIGINT"),
        "{statuses:?}"
    );
    assert!(act.measured.workshop.bodies().is_empty());
}
