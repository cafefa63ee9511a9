//! `lcmbench pair` on a GPU: its turn, what it sees, and pairs that do not count.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::standin::{PLAYING, StandIn};
use crate::common::Project;
use crate::common::command::Lcmbench;
use crate::common::python::{VENV, oracle};

/// As much of JAX as a scenario on a GPU is asked for.
const JAX: &str = r#"
class Device:
    def __str__(self):
        return "cuda:0"

    def memory_stats(self):
        return {"peak_bytes_in_use": 4096, "bytes_limit": 1 << 30}


class config:
    jax_enable_x64 = False


__version__ = "0"


def devices(backend=None):
    return [Device()]


def local_devices():
    return [Device()]


def default_backend():
    return "gpu"
"#;

/// What happens to the GPU on the side of head is said by a variable; the number of processes that have run there is
/// counted in a file.
const SCENARIOS: &str = r#"
import os
import time

from lcmbench.pair import Workload, scenario


@scenario("device", backends=("gpu",))
def build(precision, seed):
    import jax
    import model
    import numpy

    if model.SIDE == "head":
        event, number = os.environ["EVENT"], processes()
        if event == "always":
            play(f"gpu0.violation.thermal {1000 * number}")
        if event == "once" and number == 1:
            play("gpu0.violation.thermal 1000")
        if event == "foreign" and number == 1:
            play("gpu0.processes " + os.environ["FOREIGN_PROCESS"] + ":1024")
            # Longer than looks are apart, also on a busy host.
            time.sleep(2.5)
            play("")
        if event == "lost" and number == 1:
            play("gpu0.lost 1")
            raise RuntimeError("the device is gone")
    values = numpy.arange(4.0, dtype="f4")
    return Workload(values.sum, {"x": values})
"#;

struct Place {
    harness: Project,
    stand_in: StandIn,
    base: String,
    head: String,
    python: PathBuf,
}

impl Place {
    fn new() -> Option<Self> {
        let python = oracle(VENV)?.join("bin/python");
        let harness = Project::new();
        harness.write("lcmbench.toml", "package = \"model\"\n");
        harness.write("scenarios.py", &[PLAYING, SCENARIOS].concat());
        harness.write("jax.py", JAX);
        harness.write("model.py", "SIDE = 'base'\n");
        let base = harness.commit("base");
        harness.write("model.py", "SIDE = 'head'\n");
        let head = harness.commit("head");
        for (name, hash) in [("base", &base), ("head", &head)] {
            harness.worktree_beside(name, hash);
        }
        Some(Self {
            harness,
            stand_in: StandIn::new(""),
            base,
            head,
            python,
        })
    }

    fn pair(&self, event: &str) -> Lcmbench {
        self.command(event)
            .args(["--base-checkout", "../base", "--base-revision", &self.base])
            .args(["--head-checkout", "../head", "--head-revision", &self.head])
            .args(["--harness-revision", &self.head, "--output", "../out"])
            .args(["--repeats", "2", "--seconds", "0.01"])
            .arg("--python")
            .arg(&self.python)
    }

    fn command(&self, event: &str) -> Lcmbench {
        self.stand_in
            .with(self.harness.lcmbench())
            .env("EVENT", event)
            // This test itself is a stranger to the command.
            .env("FOREIGN_PROCESS", std::process::id().to_string())
            .arg("pair")
    }

    fn json(&self, file: &str) -> Value {
        serde_json::from_str(&self.harness.read(format!("../out/{file}"))).unwrap()
    }
}

#[test]
fn a_pair_on_a_gpu_takes_it_and_keeps_what_was_seen() {
    let Some(place) = Place::new() else { return };
    let _output = place
        .pair("none")
        .run()
        .expect(0)
        .says("GPU: NVIDIA H200, driver 570.86.15")
        .says("measuring on GPU 0 (NVIDIA H200), alone");
    let summary = place.json("summary.json");
    assert_eq!(summary["gpu"]["gpu"], "NVIDIA H200");
    let scenario = &summary["scenarios"][0];
    assert_eq!(scenario["status"], "accepted");
    assert_eq!(scenario["memory"]["device"], "measured");
    assert_eq!(scenario["voids"].as_array().unwrap().len(), 0);
    let process = place.json("raw/device/000-head/process.json");
    assert_eq!(process["gpu"]["flags"].as_array().unwrap().len(), 0);
    assert_eq!(process["gpu"]["devices"][0]["after"]["temperature"], 41);
    let sitting = &place.json("sittings.json")[0];
    assert_eq!(sitting["gpu_base"]["runs"], 2);
    assert_eq!(sitting["gpu_head"]["driver"], "570.86.15");
    assert!(sitting["gpu_base"]["waited_seconds"].is_number());
    assert!(sitting["host"]["before"].is_object(), "{sitting}");
}

#[test]
fn a_disturbed_pair_is_measured_again() {
    let Some(place) = Place::new() else { return };
    for (event, reason) in [
        ("once", "throttled on HEAD"),
        ("foreign", "foreign-process on HEAD"),
    ] {
        let output = place.pair(event).run().expect(0);
        let said = format!("this pair of device does not count: {reason}; it is measured again");
        assert_eq!(output.stderr.matches(&said).count(), 1, "{}", output.stderr);
        let scenario = &place.json("summary.json")["scenarios"][0];
        assert_eq!(scenario["status"], "accepted");
        assert_eq!(scenario["pairs"].as_array().unwrap().len(), 2);
        assert_eq!(scenario["voids"][0]["replaced"], true);
        assert_eq!(scenario["voids"][0]["reasons"][0], reason);
        let aside = place.json("void/device/000-0.json");
        assert!(aside["head"]["answer"].is_object(), "{aside}");
        let output =
            output.says("pairs during which the GPU was disturbed: 1 measured again, 0 given up");
        drop(output);
        place.harness.remove_folder("../out");
        place.stand_in.play("");
        fs_err::remove_file(place.stand_in.state_file().with_extension("count")).unwrap();
    }
}

#[test]
fn a_pair_that_is_always_disturbed_is_given_up_and_that_is_said() {
    let Some(place) = Place::new() else { return };
    let output = place.pair("always").run().expect(0).says("disturbed");
    let said = |words: &str| output.stderr.matches(words).count();
    // Two repeats of three attempts.
    assert_eq!(said("it is measured again"), 4, "{}", output.stderr);
    assert_eq!(said("it is not measured any more"), 2, "{}", output.stderr);
    let scenario = &place.json("summary.json")["scenarios"][0];
    // Its values are equal all the same.
    assert_eq!(scenario["status"], "accepted");
    assert_eq!(scenario["time"], Value::Null);
    assert_eq!(scenario["voids"][1]["reasons"].as_array().unwrap().len(), 3);
    assert_eq!(scenario["voids"][1]["replaced"], false);
}

#[test]
fn a_gpu_that_is_lost_ends_the_measurement_and_it_can_be_gone_on_with() {
    let Some(place) = Place::new() else { return };
    let _output = place
        .pair("lost")
        .run()
        .expect(2)
        .says("GPU 0 (NVIDIA H200) is lost");
    assert_eq!(place.json("summary.json")["state"], "unfinished");
    place.stand_in.play("gpu0.name Tesla T4");
    let resume = || place.command("lost").args(["--resume", "../out"]);
    let _output = resume()
        .run()
        .expect(3)
        .says("begun with NVIDIA H200 as its gpu, and now that is Tesla T4");
    place.stand_in.play("");
    let _output = resume().run().expect(0);
    let summary = place.json("summary.json");
    assert_eq!(summary["state"], "finished");
    assert_eq!(summary["scenarios"][0]["voids"][0]["replaced"], true);
    assert_eq!(place.json("sittings.json").as_array().unwrap().len(), 2);
}

#[test]
fn a_pair_waits_for_others_before_it_touches_the_gpu() {
    let Some(place) = Place::new() else { return };
    let mut foreign = Command::new("sleep")
        .arg("60")
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    place
        .stand_in
        .play(&format!("gpu0.processes {}:1048576", foreign.id()));
    let output = place
        .pair("none")
        .args(["--gpu-wait", "0.2"])
        .run()
        .expect(2);
    foreign.kill().unwrap();
    foreign.wait().unwrap();
    let _output = output.says("in use by sleep").says("`--gpu-wait`");
    assert!(!place.harness.path("../out").exists());
}

#[test]
fn a_pair_on_the_cpu_takes_no_gpu() {
    let Some(place) = Place::new() else { return };
    // The scenario needs one, which is said before anything else.
    let _output = place
        .pair("none")
        .args(["--backend", "cpu"])
        .run()
        .expect(3);
    assert!(!place.stand_in.locks().exists());
}
