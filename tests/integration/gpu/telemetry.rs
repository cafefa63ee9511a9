//! What a run sees of the GPU, and what it keeps of it.

use std::process::{Command, Stdio};

use lcmbench::json::{Json, to_compact};

use super::standin::{Edition, StandIn};
use crate::common::command::Output;
use crate::common::{Project, python3};

struct Suite {
    project: Project,
    stand_in: StandIn,
}

impl Suite {
    fn new(stand_in: StandIn) -> Self {
        let project = Project::new();
        project.suite("gpu");
        project.commit("One");
        Self { project, stand_in }
    }

    fn run<const N: usize>(&self, python: &std::path::Path, more: [&str; N]) -> Output {
        // This test itself is a stranger to the run.
        let foreign = std::process::id().to_string();
        let command = self.project.lcmbench();
        self.stand_in
            .with(command)
            .env("FOREIGN_PROCESS", foreign)
            .args(["run", "--python"])
            .arg(python)
            .args(more)
            .run()
    }

    /// A run that must go well.
    fn measure<const N: usize>(&self, python: &std::path::Path, more: [&str; N]) {
        let _ended = self.run(python, more).expect(0);
    }

    fn key(&self, key: &str) -> Json {
        let saved = self.project.saved();
        let known = saved.file.get("lcmbench").unwrap();
        known.get(key).cloned().unwrap_or(Json::Null)
    }
}

fn flags(benchmarks: &Json, name: &str) -> String {
    let known = benchmarks.get(&format!("states.{name}"));
    let flags = known.and_then(|known| known.get("flags"));
    flags.map(to_compact).unwrap_or_default()
}

#[test]
fn a_run_flags_what_disturbed_each_benchmark() {
    let Some(python) = python3() else { return };
    let suite = Suite::new(StandIn::new(""));
    let output = suite.run(&python, ["--gpu", "0"]).expect(0);
    assert!(
        output
            .stderr
            .contains("measuring on GPU 0 (NVIDIA H200), alone"),
        "{}",
        output.stderr
    );
    let benchmarks = suite.key("benchmarks");
    assert_eq!(flags(&benchmarks, "track_a_quiet"), "");
    assert_eq!(flags(&benchmarks, "track_b_hot"), "[\"throttled\"]");
    assert_eq!(flags(&benchmarks, "track_c_counter"), "[\"throttled\"]");
    assert_eq!(
        flags(&benchmarks, "track_d_foreign"),
        "[\"foreign-process\"]"
    );
    assert_eq!(flags(&benchmarks, "track_e_own_child"), "");
    assert_eq!(flags(&benchmarks, "track_f_lost"), "[\"gpu-lost\"]");
    // 150 J more on the counter.
    let quiet = benchmarks.get("states.track_a_quiet").unwrap();
    assert_eq!(
        quiet.get("facts").unwrap().get("gpu_energy_joules"),
        Some(&Json::Float(150.0))
    );
    let gpu = suite.key("gpu");
    assert_eq!(gpu.get("driver"), Some(&Json::from("570.86.15")));
    assert_eq!(gpu.get("runs"), Some(&Json::Int(6)));
    let device = &gpu.get("devices").unwrap().as_array().unwrap()[0];
    let during = device.get("during").unwrap();
    assert_eq!(during.get("reasons"), Some(&Json::from("0x20")));
    let after = device.get("after").unwrap();
    assert_eq!(
        after.get("unknown").unwrap().get("sm_clock"),
        Some(&Json::from("the GPU is lost"))
    );
    let environment = suite.key("environment");
    assert_eq!(environment.get("gpu"), Some(&Json::from("NVIDIA H200")));
}

#[test]
fn what_the_driver_does_not_have_is_never_zero() {
    let Some(python) = python3() else { return };
    let suite = Suite::new(StandIn::edition(Edition::FewSymbols, ""));
    suite.measure(&python, ["--gpu", "0", "--bench", "track_a"]);
    let gpu = suite.key("gpu");
    let device = &gpu.get("devices").unwrap().as_array().unwrap()[0];
    let before = device.get("before").unwrap();
    assert_eq!(before.get("temperature"), None);
    assert_eq!(
        before.get("unknown").unwrap().get("temperature"),
        Some(&Json::from("the library does not have the call"))
    );
    assert_eq!(
        device.get("unknown").unwrap().get("memory"),
        Some(&Json::from("the library does not have the call"))
    );
    let during = device.get("during").unwrap();
    assert_eq!(during.get("energy_mj"), None);
    let suite = Suite::new(StandIn::new("gpu0.power !4\ngpu0.temperature !3"));
    suite.measure(&python, ["--gpu", "0", "--bench", "track_c"]);
    let gpu = suite.key("gpu");
    let device = &gpu.get("devices").unwrap().as_array().unwrap()[0];
    let unknown = device.get("before").unwrap().get("unknown").unwrap();
    assert_eq!(unknown.get("power_mw"), Some(&Json::from("no permission")));
    assert_eq!(
        unknown.get("temperature"),
        Some(&Json::from("not supported"))
    );
}

#[test]
fn a_suite_that_cannot_use_a_gpu_takes_none() {
    let Some(python) = python3() else { return };
    let suite = Suite::new(StandIn::new(""));
    suite.measure(&python, ["--bench", "track_c"]);
    assert!(!suite.stand_in.locks().exists());
    assert_eq!(
        suite.key("gpu").get("none"),
        Some(&Json::from(
            "nothing in the environment can use a GPU of NVIDIA's"
        ))
    );
    suite.measure(&python, ["--bench", "track_c", "--gpu", "none"]);
    assert!(!suite.stand_in.locks().exists());
}

#[test]
fn a_run_waits_for_a_foreign_process_and_says_so() {
    let Some(python) = python3() else { return };
    let mut foreign = Command::new("sleep")
        .arg("60")
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    let suite = Suite::new(StandIn::new(&format!(
        "gpu0.processes {}:1048576",
        foreign.id()
    )));
    let output = suite
        .run(
            &python,
            ["--gpu", "0", "--gpu-wait", "0.2", "--bench", "track_c"],
        )
        .expect(2);
    foreign.kill().unwrap();
    foreign.wait().unwrap();
    assert!(
        output
            .stderr
            .contains("waiting for GPU 0 (NVIDIA H200): in use by sleep"),
        "{}",
        output.stderr
    );
    assert!(output.stderr.contains("`--gpu-wait`"), "{}", output.stderr);
}

#[test]
fn the_benchmarks_see_the_gpu_that_was_asked_for() {
    let Some(python) = python3() else { return };
    let suite = Suite::new(StandIn::new("count 2"));
    suite.measure(&python, ["--gpu", "1", "--bench", "track_c"]);
    let environment = suite.key("environment");
    let variables = environment.get("variables").unwrap();
    assert_eq!(
        variables.get("CUDA_VISIBLE_DEVICES"),
        Some(&Json::from("GPU-00000001-aaaa-bbbb-cccc-dddddddddddd"))
    );
    let output = suite.run(&python, ["--gpu", "7"]).expect(3);
    assert!(
        output.stderr.contains("there is no GPU `7`"),
        "{}",
        output.stderr
    );
}
