//! `lcmbench pair`: three checkouts, scenarios without JAX, and the ten of `examples/gridsearch` with it.

use std::path::PathBuf;
use std::time::Duration;

use fs_err as fs;
use serde_json::Value;

use crate::common::Project;
use crate::common::command::{Lcmbench, Output};
use crate::common::python::{JAX_VENV, VENV, oracle};

/// Scenarios in numpy; what the package says decides how they go wrong.
const SCENARIOS: &str = r#"
from lcmbench.pair import Workload, scenario


class Core:
    def __init__(self, opcode):
        self.opcode = opcode

    def as_text(self):
        return "HloModule m\n\nENTRY %main (p: f32[2]) -> f32[2] {\n  ROOT %n = f32[2]{0} " + self.opcode + "(%p)\n}\n"

    def memory_analysis(self):
        return {"temp_size_in_bytes": 8}


def build(precision, seed):
    import os
    import time

    import model
    import numpy

    odd = model.ODD
    if odd == "raises":
        raise ValueError("out of range")
    if odd == "hangs":
        time.sleep(600)
    if odd == "prints":
        for descriptor in range(3, 64):
            try:
                os.write(descriptor, b'garbage {"event"\n{"event": 3}\n')
            except OSError:
                pass
    if odd == "generator":
        return (item for item in [1])
    values = numpy.arange(4.0, dtype=f"f{precision // 8}") + seed
    if odd == "wrong":
        values[2] += 0.5
    outputs = {"x": values, "y": (values * 2).astype("i4")}
    if odd == "dtype":
        outputs["y"] = outputs["y"].astype("i8")
    if odd == "nothing":
        outputs = {}
    if odd == "lazy":
        outputs = iter([values])

    def run():
        return values.sum()

    declared = {} if odd == "undeclared" else {"core": {"streamed": True}}
    core = Core("all-gather" if odd == "communicates" else "negate")
    return Workload(run, outputs, {"core": core}, declared)


scenario("plain", backends=("cpu",), expects={"core": {"streamed": True}}, forbid_collectives=True)(build)
scenario("other", backends=("cpu",), tolerance={"absolute": 1e-6})(build)
scenario("anywhere")(build)
"#;

struct Place {
    harness: Project,
    base: String,
    head: String,
    python: PathBuf,
}

impl Place {
    /// A harness with two more checkouts beside it, whose packages go wrong as they are told.
    fn new(base: &str, head: &str) -> Option<Self> {
        let python = oracle(VENV)?.join("bin/python");
        let harness = Project::new();
        harness.write("lcmbench.toml", "package = \"model\"\n");
        harness.write("scenarios.py", SCENARIOS);
        harness.write("uv.lock", "numpy\n");
        harness.write("model.py", &format!("ODD = {base:?}\n"));
        let base = harness.commit("base");
        harness.write("model.py", &format!("ODD = {head:?}\n"));
        let head = harness.commit("head");
        for (name, hash) in [("base", &base), ("head", &head)] {
            harness.worktree_beside(name, hash);
        }
        Some(Self {
            harness,
            base,
            head,
            python,
        })
    }

    fn pair(&self) -> Lcmbench {
        self.pair_of(2)
    }

    fn pair_of(&self, repeats: usize) -> Lcmbench {
        self.at(&self.head, &self.base, &self.head, "../out").args([
            "--repeats",
            &repeats.to_string(),
            "--backend",
            "cpu",
        ])
    }

    fn with(&self, base: &str, head: &str, output: &str) -> Lcmbench {
        self.at(&self.head, base, head, output)
            .args(["--repeats", "2", "--backend", "cpu"])
    }

    fn at(&self, harness: &str, base: &str, head: &str, output: &str) -> Lcmbench {
        self.harness
            .lcmbench()
            .args([
                "pair",
                "--base-checkout",
                "../base",
                "--base-revision",
                base,
            ])
            .args(["--head-checkout", "../head", "--head-revision", head])
            .args(["--harness-revision", harness, "--output", output])
            .args(["--seconds", "0.01"])
            .arg("--python")
            .arg(&self.python)
    }

    fn plain(&self) -> Output {
        self.pair().args(["--scenario", "plain"]).run()
    }

    fn summary(&self) -> Value {
        serde_json::from_str(&self.harness.read("../out/summary.json")).unwrap()
    }

    fn reasons(&self) -> String {
        self.summary()["scenarios"][0]["reasons"].to_string()
    }
}

#[test]
fn a_pair_is_measured_reported_and_kept() {
    let Some(place) = Place::new("", "") else {
        return;
    };
    let output = place
        .pair_of(3)
        .args(["--scenario", "plain"])
        .run()
        .expect(0);
    assert!(output.stderr.contains("unbalanced"), "{}", output.stderr);
    let summary = place.summary();
    assert_eq!(summary["version"], 1);
    assert_eq!(summary["state"], "finished");
    assert_eq!(summary["base"]["jax"], Value::Null);
    let plain = &summary["scenarios"][0];
    assert_eq!(plain["status"], "accepted");
    let firsts: Vec<&str> = (0..3)
        .map(|at| plain["pairs"][at]["first"].as_str().unwrap())
        .collect();
    assert_eq!(firsts, ["base", "head", "base"]);
    assert_eq!(plain["outputs"][1]["dtype"], "int32");
    assert_eq!(plain["memory"]["device"], "not applicable");
    assert!(plain["memory"]["base_host_peak"].as_i64().unwrap() > 1_000_000);
    for file in ["process.json", "outputs/000.npy", "cores/000.hlo.txt"] {
        assert!(
            place
                .harness
                .path(format!("../out/raw/plain/000-base/{file}"))
                .is_file(),
            "{file}"
        );
    }
    let shown = place
        .harness
        .lcmbench()
        .args(["pair", "report", "../out"])
        .run()
        .expect(0);
    assert_eq!(shown.stdout, output.stdout);
    let markdown = ["pair", "report", "../out", "--format", "markdown"];
    let shown = place.harness.lcmbench().args(markdown).run().expect(0);
    assert!(
        shown.stdout.contains("| plain | **accepted** |"),
        "{}",
        shown.stdout
    );
    // The checkouts are as clean as before.
    assert_eq!(
        place
            .harness
            .git(["-C", "../base", "status", "--porcelain"]),
        ""
    );
}

#[test]
fn the_scenarios_are_listed() {
    let Some(place) = Place::new("", "") else {
        return;
    };
    let listed = place
        .harness
        .lcmbench()
        .args(["pair", "--list", "--python"])
        .arg(&place.python);
    assert_eq!(
        listed.run().expect(0).stdout,
        "plain  (cpu)\nother  (cpu)\nanywhere  (cpu, gpu)\n"
    );
}

#[test]
fn what_differs_is_rejected_with_exit_code_1() {
    for (odd, words) in [
        ("wrong", "differs beyond its tolerance in 1 of 4 values"),
        (
            "dtype",
            "the dtype of output ['y'] is int32 in base and int64 in head",
        ),
        ("undeclared", "declares nothing"),
        (
            "communicates",
            "communicates, which this scenario forbids: 1 all-gather",
        ),
    ] {
        let Some(place) = Place::new("", odd) else {
            return;
        };
        let _output = place.plain().expect(1);
        assert!(
            place.reasons().contains(words),
            "{odd}: {}",
            place.reasons()
        );
        assert_eq!(place.summary()["scenarios"][0]["status"], "rejected");
    }
}

#[test]
fn what_cannot_be_measured_fails_with_exit_code_2() {
    for (base, head, words) in [
        (
            "raises",
            "",
            "base failed in repeat 0: ValueError: out of range",
        ),
        ("", "generator", "its builder returned a generator"),
        ("", "lazy", "its outputs are a generator"),
        ("nothing", "nothing", "has no outputs"),
    ] {
        let Some(place) = Place::new(base, head) else {
            return;
        };
        let _output = place.plain().expect(2);
        assert!(
            place.reasons().contains(words),
            "{words}: {}",
            place.reasons()
        );
    }
}

#[test]
fn a_scenario_that_hangs_is_ended_and_the_next_one_goes_on() {
    let Some(place) = Place::new("", "hangs") else {
        return;
    };
    let _output = place.plain_with(&["--timeout", "3"]).expect(2);
    assert!(
        place.reasons().contains("did not end within its time-out"),
        "{}",
        place.reasons()
    );
}

impl Place {
    fn plain_with(&self, more: &[&str]) -> Output {
        self.pair().args(["--scenario", "plain"]).args(more).run()
    }
}

#[test]
fn words_on_the_descriptor_of_the_protocol_are_passed_over() {
    let Some(place) = Place::new("", "prints") else {
        return;
    };
    let _output = place.plain().expect(0);
}

#[test]
fn everything_is_checked_before_anything_is_measured() {
    let Some(place) = Place::new("", "") else {
        return;
    };
    let refuse = |command: Lcmbench, words: &str| {
        let output = command.run().expect(3);
        assert!(output.stderr.contains(words), "{words}: {}", output.stderr);
        assert!(!place.harness.path("../out").exists());
    };
    let (base, head) = (&place.base, &place.head);
    refuse(
        place.with(&base[..12], head, "../out"),
        "takes the full hash of a commit",
    );
    refuse(
        place.with("main", head, "../out"),
        "takes the full hash of a commit",
    );
    refuse(
        place.with(&"a".repeat(40), head, "../out"),
        "has no commit aaaa",
    );
    refuse(place.with(head, head, "../out"), "is at ");
    refuse(
        place.with(base, head, "inside"),
        "lies inside the harness checkout",
    );
    refuse(place.with(base, head, "../head"), "exists already");
    refuse(
        place.pair().args(["--scenario", "nowhere"]),
        "there is no scenario `nowhere`; there are: plain, other, anywhere",
    );
    refuse(
        place
            .pair()
            .args(["--scenario", "plain", "--scenario", "plain"]),
        "given twice",
    );
    refuse(place.pair_of(1), "1");
    refuse(
        place
            .at(head, base, head, "../out")
            .args(["--backend", "gpu", "--scenario", "plain"]),
        "the backend gpu is not there",
    );
    fs::write(place.harness.path("../base/extra.py"), "x = 1\n").unwrap();
    refuse(place.pair(), "the base checkout");
    fs::remove_file(place.harness.path("../base/extra.py")).unwrap();
    let _output = place.pair().args(["--scenario", "plain"]).run().expect(0);
}

#[test]
fn lock_files_that_differ_are_shown() {
    let Some(place) = Place::new("", "") else {
        return;
    };
    fs::write(place.harness.path("../head/uv.lock"), "scipy\n").unwrap();
    place
        .harness
        .git(["-C", "../head", "commit", "--quiet", "-am", "Another lock"]);
    let head = place.harness.git(["-C", "../head", "rev-parse", "HEAD"]);
    let output = place.with(&place.base, &head, "../out").run().expect(3);
    assert!(
        output.stderr.contains("the lock file `uv.lock` differs"),
        "{}",
        output.stderr
    );
    assert!(
        output.stderr.contains("-numpy\n  +scipy"),
        "{}",
        output.stderr
    );
}

#[test]
fn a_package_from_elsewhere_is_refused() {
    let Some(place) = Place::new("", "") else {
        return;
    };
    place
        .harness
        .write("lcmbench.toml", "package = \"numpy\"\n");
    let harness = place.harness.commit("another package");
    let command = place.at(&harness, &place.base, &place.head, "../out");
    let output = command.run().expect(3);
    assert!(
        output.stderr.contains("not from the base checkout"),
        "{}",
        output.stderr
    );
}

#[test]
fn a_run_that_was_killed_is_unfinished_and_can_be_resumed() {
    let Some(place) = Place::new("", "") else {
        return;
    };
    let mut running = place.pair().patience(Duration::from_mins(2)).start();
    let first = place.harness.path("../out/raw/other/000-head/process.json");
    running.wait_until("the second pair is there", || first.is_file());
    running.signal(rustix::process::Signal::KILL);
    let _output = running.wait();
    let shown = place
        .harness
        .lcmbench()
        .args(["pair", "report", "../out"])
        .run()
        .expect(0);
    assert!(shown.stdout.contains("Unfinished"), "{}", shown.stdout);
    let _output = place
        .harness
        .lcmbench()
        .args(["pair", "--resume", "../out"])
        .run()
        .expect(0);
    assert_eq!(place.summary()["state"], "finished");
    assert_eq!(
        place.summary()["scenarios"][0]["pairs"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    // Nothing is left to do, and what was changed meanwhile is seen.
    let _output = place
        .harness
        .lcmbench()
        .args(["pair", "--resume", "../out"])
        .run()
        .expect(0);
    fs::write(place.harness.path("../head/model.py"), "ODD = 'x'\n").unwrap();
    let output = place
        .harness
        .lcmbench()
        .args(["pair", "--resume", "../out"])
        .run()
        .expect(3);
    assert!(output.stderr.contains("is not clean"), "{}", output.stderr);
}

/// How the programs of the example are compiled: quickly, since how fast they are matters to no test.
const QUICK_COMPILER: (&str, &str) = ("XLA_FLAGS", "--xla_backend_optimization_level=0");

/// The example as a project, with a planted change of the head.
fn gridsearch(file: &str, change: &[(&str, &str)]) -> Option<Place> {
    let python = oracle(JAX_VENV)?.join("bin/python");
    let harness = Project::new();
    harness.copy("examples/gridsearch", ".");
    let base = harness.commit("base");
    harness.worktree_beside("base", &base);
    if !change.is_empty() {
        let mut text = harness.read(file);
        for (old, new) in change {
            assert!(text.contains(old), "{old}");
            text = text.replace(old, new);
        }
        harness.write(file, &text);
    }
    let head = harness.commit("head");
    harness.worktree_beside("head", &head);
    Some(Place {
        harness,
        base,
        head,
        python,
    })
}

#[test]
fn all_ten_scenarios_of_the_example_are_accepted() {
    let Some(place) = gridsearch("", &[]) else {
        return;
    };
    let _output = place
        .pair()
        .env(QUICK_COMPILER.0, QUICK_COMPILER.1)
        .patience(Duration::from_mins(20))
        .run()
        .expect(0);
    let summary = place.summary();
    let names: Vec<&str> = summary["scenarios"]
        .as_array()
        .unwrap()
        .iter()
        .map(|scenario| scenario["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "singleton-hard-max",
            "singleton-ev1",
            "collective-gridsearch",
            "distributed-co-map",
            "aca-a3-c16",
            "aca-a3-c64",
            "aca-a3-c256",
            "aca-a6-c16",
            "aca-a6-c64",
            "aca-a6-c256"
        ]
    );
    for scenario in summary["scenarios"].as_array().unwrap() {
        assert_eq!(scenario["status"], "accepted", "{scenario}");
        assert_eq!(
            scenario["cores"][0]["same_program"], true,
            "{}",
            scenario["name"]
        );
        assert!(scenario["cores"][0]["head_memory"].is_number());
    }
    let four = &summary["scenarios"][3]["outputs"][0]["sharding"];
    assert!(four.as_str().unwrap().contains("devices=4"), "{four}");
    // Flags of the user stay.
    let process = place
        .harness
        .read("../out/raw/distributed-co-map/000-head/process.json");
    let process: Value = serde_json::from_str(&process).unwrap();
    assert_eq!(
        process["variables"]["XLA_FLAGS"],
        format!(
            "{} --xla_force_host_platform_device_count=4",
            QUICK_COMPILER.1
        )
    );
}

#[test]
fn changes_that_are_planted_in_jax_are_caught() {
    const COMAP: &str = "distributed-co-map";
    for (file, change, scenario, words) in [
        // A lost stream is another program with equal values.
        (
            "gridsearch/plan.py",
            vec![("return Plan(streamed=True)", "return Plan(streamed=False)")],
            "aca-a3-c16",
            "head declares",
        ),
        (
            "gridsearch/lifecycle.py",
            vec![(
                "BETA, RETURN, PERIODS = 0.97",
                "BETA, RETURN, PERIODS = 0.971",
            )],
            "aca-a3-c16",
            "differs beyond its tolerance",
        ),
        (
            "gridsearch/lifecycle.py",
            vec![(
                "        values = jax.vmap(regime_values)(income, weight, chances @ values)\n    return values",
                "        values = jax.vmap(regime_values)(income, weight, chances @ values)\n    return values.astype(jnp.bfloat16)",
            )],
            "aca-a3-c16",
            "the dtype of output",
        ),
        (
            "gridsearch/comap.py",
            vec![(
                "in_shardings=spread, out_shardings=spread",
                "in_shardings=spread, out_shardings=NamedSharding(where, PartitionSpec())",
            )],
            COMAP,
            "the sharding of output",
        ),
        (
            "gridsearch/comap.py",
            vec![(
                "jax.jit(jax.vmap(one)",
                "jax.jit(lambda x: jax.vmap(one)(x + 0.0 * x.sum())",
            )],
            COMAP,
            "communicates, which this scenario forbids",
        ),
    ] {
        let Some(place) = gridsearch(file, &change) else {
            return;
        };
        let output = place
            .pair()
            .args(["--scenario", scenario])
            .env(QUICK_COMPILER.0, QUICK_COMPILER.1)
            .patience(Duration::from_mins(10))
            .run();
        assert_eq!(output.code, 1, "{words}: {}", output.stderr);
        assert!(
            place.reasons().contains(words),
            "{words}: {}",
            place.reasons()
        );
    }
}

#[test]
fn a_planted_slow_down_is_found_in_the_cheapest_scenario() {
    // Every period is searched twenty times: more than any noise of a busy host, with equal values.
    let change = vec![(
        "        values = jax.vmap(regime_values)(income, weight, chances @ values)\n",
        "        values = jax.lax.fori_loop(\n            0, 20, lambda _, found: jax.vmap(regime_values)(income, weight, chances @ (values + 0.0 * found)), values\n        )\n",
    )];
    let Some(place) = gridsearch("gridsearch/lifecycle.py", &change) else {
        return;
    };
    let output = place
        .pair_of(12)
        .args(["--scenario", "aca-a3-c256"])
        .env(QUICK_COMPILER.0, QUICK_COMPILER.1)
        .patience(Duration::from_mins(15))
        .run();
    assert_eq!(output.code, 0, "{}", output.stderr);
    let time = &place.summary()["scenarios"][0]["time"];
    assert_eq!(time["verdict"], "slower", "{time}");
    assert_eq!(
        place.summary()["scenarios"][0]["cores"][0]["same_program"],
        false
    );
}
