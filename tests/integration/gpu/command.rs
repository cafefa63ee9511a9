//! `lcmbench gpu` and `lcmbench gpu wait`.

use std::process::{Command, Stdio};

use lcmbench::json::{Json, parse};

use super::standin::{Edition, StandIn};
use crate::common::command::Output;
use crate::common::lcmbench;

fn gpu<const N: usize>(stand_in: &StandIn, arguments: [&str; N]) -> Output {
    stand_in.with(lcmbench()).arg("gpu").args(arguments).run()
}

fn devices(output: &Output) -> Vec<Json> {
    let report = parse(&output.stdout).unwrap();
    report.get("devices").unwrap().as_array().unwrap().to_vec()
}

#[test]
fn a_host_without_a_gpu_is_no_error() {
    let output = lcmbench()
        .env("LCMBENCH_NVML_LIBRARY", "/nowhere/libnvidia-ml.so.1")
        .arg("gpu")
        .run()
        .expect(0);
    assert!(
        output.stderr.contains("there is no GPU of NVIDIA's here"),
        "{}",
        output.stderr
    );
    let output = lcmbench()
        .env("LCMBENCH_NVML_LIBRARY", "/nowhere/libnvidia-ml.so.1")
        .args(["gpu", "--format", "json"])
        .run()
        .expect(0);
    assert!(devices(&output).is_empty());
}

#[test]
fn two_gpus_are_shown_with_their_state_and_who_computes() {
    let stand_in = StandIn::new(&format!(
        "count 2\ngpu1.name Tesla T4\ngpu1.reasons 0x24\ngpu1.sm_clock 585\n\
         gpu1.processes {}:3435973836\ngpu0.power !3",
        std::process::id()
    ));
    let output = gpu(&stand_in, []).expect(0);
    for words in [
        "driver 570.86.15, CUDA 12.8",
        "1755 of 1980 MHz",
        "(not supported)",
        "Tesla T4",
        "power-cap, software-thermal-slowdown",
        "computing: nobody",
        ", 3.2 GiB)",
        "nobody holds it",
    ] {
        assert!(output.stdout.contains(words), "{words}: {}", output.stdout);
    }
    let output = gpu(&stand_in, ["--format", "json"]).expect(0);
    let devices = devices(&output);
    assert_eq!(devices.len(), 2);
    let state = devices[0].get("state").unwrap();
    assert_eq!(state.get("power_mw"), None);
    assert_eq!(
        state.get("unknown").unwrap().get("power_mw").unwrap(),
        &Json::from("not supported")
    );
    let state = devices[1].get("state").unwrap();
    assert_eq!(state.get("reasons").unwrap(), &Json::from("0x24"));
}

#[test]
fn slices_of_a_gpu_are_shown() {
    let stand_in = StandIn::new(&format!(
        "gpu0.mig 1\ngpu0.slices 2\ngpu0.slice1.processes {}:1024",
        std::process::id()
    ));
    let output = gpu(&stand_in, ["--format", "json"]).expect(0);
    let devices = devices(&output);
    let slices = devices[0].get("slices").unwrap().as_array().unwrap();
    let processes = |slice: &Json| {
        let state = slice.get("state").unwrap();
        state.get("processes").unwrap().as_array().unwrap().len()
    };
    assert_eq!(processes(&slices[0]), 0);
    assert_eq!(processes(&slices[1]), 1);
}

#[test]
fn an_old_driver_lacks_calls_and_says_which() {
    let stand_in = StandIn::edition(
        Edition::OldDriver,
        &format!("driver 450.80.02\ngpu0.processes {}:7", std::process::id()),
    );
    let output = gpu(&stand_in, ["--format", "json"]).expect(0);
    let devices = devices(&output);
    let state = devices[0].get("state").unwrap();
    // The call of later drivers is missing, the older one is there.
    assert_eq!(state.get("processes").unwrap().as_array().unwrap().len(), 1);
    let unknown = state.get("unknown").unwrap();
    for key in ["energy_mj", "memory_used", "pcie_replays"] {
        assert_eq!(
            unknown.get(key).unwrap(),
            &Json::from("the library does not have the call"),
            "{key}"
        );
    }
    assert_eq!(state.get("sm_clock").unwrap(), &Json::Int(1755));
}

#[test]
fn a_library_with_few_calls_is_reported_not_failed() {
    let stand_in = StandIn::edition(Edition::FewSymbols, "");
    let output = gpu(&stand_in, []).expect(0);
    assert!(
        output
            .stdout
            .contains("(the library does not have the call)"),
        "{}",
        output.stdout
    );
}

#[test]
fn a_library_that_does_not_start_says_why() {
    for (code, words) in [
        (18, "of different versions"),
        (4, "may not talk to the driver"),
    ] {
        let stand_in = StandIn::new(&format!("init !{code}"));
        let output = gpu(&stand_in, []).expect(3);
        assert!(output.stderr.contains(words), "{}", output.stderr);
    }
    // Without a driver there is no GPU, which is no error.
    let stand_in = StandIn::new("init !9");
    let output = gpu(&stand_in, []).expect(0);
    assert!(output.stderr.contains("is not loaded"), "{}", output.stderr);
}

#[test]
fn wait_ends_when_the_foreign_process_ends_and_not_before() {
    let mut foreign = Command::new("sleep")
        .arg("60")
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    let stand_in = StandIn::new(&format!("gpu0.processes {}:1048576", foreign.id()));
    let output = gpu(&stand_in, ["wait", "--gpu-wait", "0.3"]).expect(2);
    assert!(
        output.stderr.contains("was not free within") && output.stderr.contains("sleep (process"),
        "{}",
        output.stderr
    );
    let mut waiting = stand_in
        .with(lcmbench())
        .args(["gpu", "wait", "--gpu-wait", "2m"])
        .start();
    waiting.wait_until("it waits", || stand_in.locks().exists());
    foreign.kill().unwrap();
    foreign.wait().unwrap();
    stand_in.play("");
    let output = waiting.wait().expect(0);
    assert!(output.stderr.contains("free after"), "{}", output.stderr);
}

#[test]
fn wait_has_nothing_to_wait_for_without_a_gpu() {
    let output = lcmbench()
        .env("LCMBENCH_NVML_LIBRARY", "/nowhere/libnvidia-ml.so.1")
        .args(["gpu", "wait"])
        .run()
        .expect(0);
    assert!(
        output.stderr.contains("there is nothing to wait for"),
        "{}",
        output.stderr
    );
    let output = lcmbench()
        .env("LCMBENCH_NVML_LIBRARY", "/nowhere/libnvidia-ml.so.1")
        .args(["gpu", "wait", "--gpu", "0"])
        .run()
        .expect(3);
    assert!(
        output.stderr.contains("there is no management library"),
        "{}",
        output.stderr
    );
}
