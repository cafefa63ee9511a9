//! `lcmbench continuous` on a GPU: pairs that were disturbed do not count and are measured again, a few times.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use super::standin::{PLAYING, StandIn};
use crate::common::command::{Lcmbench, Output};
use crate::common::{Project, python3};

/// What happens to the GPU while head runs is said by a variable; the number of processes that have run on its side is
/// counted in a file.
const SUITE: &str = r#"
import os
import time

import calc


def track_solve():
    if calc.NAME == "head":
        event, number = os.environ["EVENT"], processes()
        # The first process of a side is for nothing.
        if event == "always":
            play(f"gpu0.violation.thermal {1000 * number}")
        if event == "throttled" and number == 2:
            play("gpu0.violation.thermal 1000")
        if event == "foreign" and number == 2:
            play("gpu0.processes " + os.environ["FOREIGN_PROCESS"] + ":1024")
            # Longer than looks are apart, also on a busy host.
            time.sleep(2.5)
            play("")
            raise MemoryError("somebody else has it")
        if event == "lost" and number == 2:
            play("gpu0.lost 1")
            raise RuntimeError("the device is gone")
    return 1.0 + 1e-6 * (time.perf_counter_ns() % 1000)


track_solve.unit = "seconds"
"#;

struct Place {
    project: Project,
    stand_in: StandIn,
    python: PathBuf,
}

impl Place {
    fn new() -> Option<Self> {
        let python = python3()?;
        let project = Project::new();
        project.small_suite("calc", "work.py", &[PLAYING, SUITE].concat());
        project.write(".gitignore", "__pycache__/\nresults/\n");
        project.write("calc.py", "NAME = 'base'\n");
        project.commit("base");
        project.git(["checkout", "--quiet", "-b", "change"]);
        project.write("calc.py", "NAME = 'head'\n");
        project.commit("head");
        Some(Self {
            project,
            stand_in: StandIn::new(""),
            python,
        })
    }

    fn command(&self, event: &str) -> Lcmbench {
        self.stand_in
            .with(self.project.lcmbench())
            .env("EVENT", event)
            // This test itself is a stranger to the command.
            .env("FOREIGN_PROCESS", std::process::id().to_string())
            .args(["continuous", "--machine", "m", "--gpu", "0", "--pairs", "3"])
            .args(["--max-pairs", "3", "--format", "json", "--python"])
            .arg(&self.python)
            .patience(Duration::from_mins(6))
    }

    fn run(&self, event: &str, code: i32) -> (Output, Value) {
        let output = self.command(event).run().expect(code);
        let comparison: Value = serde_json::from_str(&output.stdout).unwrap();
        let row = comparison["rows"][0].clone();
        (output, row)
    }

    /// The records of base and head.
    fn records(&self) -> Vec<Value> {
        let machine = self.project.machine_folder();
        let files = self.project.result_files().into_iter();
        files
            .map(|file| {
                let text = self.project.read(format!("results/{machine}/{file}"));
                serde_json::from_str(&text).unwrap()
            })
            .collect()
    }
}

fn voids(output: &Output) -> usize {
    output.stderr.matches("is void: ").count()
}

#[test]
fn a_pair_that_was_disturbed_once_is_measured_again() {
    let Some(place) = Place::new() else { return };
    for (event, reason) in [
        ("throttled", "is void: throttled on HEAD"),
        // The benchmark failed while somebody else had the memory, which is no failure of the code.
        ("foreign", "is void: foreign-process on HEAD"),
    ] {
        let (output, row) = place.run(event, 0);
        let output = output.says(reason);
        // A busy host may void more of them for its own reasons.
        assert_eq!(
            output.stderr.matches(reason).count(),
            1,
            "{}",
            output.stderr
        );
        assert_ne!(row["verdict"], "failed", "{row}");
        // What was noticed around a void pair is not said of those that count.
        assert_eq!(row["flags"].as_array().unwrap().len(), 0, "{row}");
        place.stand_in.play("");
        fs_err::remove_file(place.stand_in.state_file().with_extension("count")).unwrap();
    }
    let records = place.records();
    assert_eq!(records.len(), 2);
    for record in records {
        let known = &record["lcmbench"];
        assert_eq!(known["environment"]["gpu"], "NVIDIA H200");
        assert_eq!(known["worker"]["compile_cache"], "warm");
        assert!(known["host"]["before"].is_object() && known["host"]["during"].is_object());
        // A process for nothing and three pairs, and on both sides the pair that was void.
        assert!(
            known["gpu"]["runs"].as_i64().unwrap() >= 5,
            "{}",
            known["gpu"]
        );
        assert_eq!(known["gpu"]["devices"][0]["before"]["persistence"], true);
        let facts = &known["benchmarks"]["work.track_solve"];
        assert_eq!(facts["facts"]["compile_cache"], "warm", "{facts}");
        assert_eq!(facts["flags"], Value::Null, "{facts}");
    }
}

#[test]
fn a_benchmark_that_is_always_disturbed_is_given_up_and_the_verdict_says_so() {
    let Some(place) = Place::new() else { return };
    let (output, row) = place.run("always", 2);
    // One more than the pairs that every benchmark gets.
    assert_eq!(voids(&output), 4, "{}", output.stderr);
    assert_eq!(row["verdict"], "inconclusive", "{row}");
    let reason = row["reason"].as_str().unwrap();
    assert!(
        reason.starts_with("4 of 4 pairs were disturbed"),
        "{reason}"
    );
    let _output = output.says("is void: throttled on HEAD");
}

#[test]
fn a_gpu_that_is_lost_in_mid_run_ends_with_a_reason_and_not_with_a_failure_of_the_code() {
    let Some(place) = Place::new() else { return };
    let (output, row) = place.run("lost", 2);
    assert_eq!(voids(&output), 4, "{}", output.stderr);
    assert_eq!(row["verdict"], "inconclusive", "{row}");
    let _output = output.says("is void: gpu-lost on");
}
