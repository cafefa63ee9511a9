//! A suite that measures device memory by a module of its own, as suites do that were written for asv alone: a child process
//! runs one benchmark, and hands its peak back on a marked line of its output.

use std::path::Path;

use lcmbench::json::Json;

use super::standin::StandIn;
use crate::common::{JAX_VENV, Project, oracle, python3};

/// The project's own helper: what it is called, and what it can be asked for, is what such suites have.
const GPU_MEM: &str = r#"
import os
import subprocess
import sys

MARKER = "GPU_PEAK_BYTES="

CHILD = """
import importlib, sys
module, name = sys.argv[1:3]
benchmark = getattr(importlib.import_module(module), name)()
getattr(benchmark, "setup_for_gpu_measurement", benchmark.setup)()
benchmark.execute_for_measurement()
import jax
stats = jax.local_devices()[0].memory_stats() or {}
print("@MARKER@" + str(stats.get("peak_bytes_in_use", "none")))
"""


def measure_peak(module, name):
    """Bytes, or NaN where the device tells none."""
    environment = {**os.environ, "XLA_PYTHON_CLIENT_PREALLOCATE": "true"}
    environment.pop("XLA_PYTHON_CLIENT_MEM_FRACTION", None)
    environment["XLA_FLAGS"] = (os.environ.get("XLA_FLAGS", "") + " --xla_gpu_autotune_level=0").strip()
    environment["PYTHONPATH"] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    child = subprocess.run(
        [sys.executable, "-c", CHILD.replace("@MARKER@", MARKER), module, name],
        capture_output=True, text=True, env=environment, check=True,
    )
    for line in child.stdout.splitlines():
        if line.startswith(MARKER):
            found = line[len(MARKER):]
            return float("nan") if found == "none" else int(found)
    raise RuntimeError("no line " + MARKER)


def warm_call_seconds(*, execute, warm_samples):
    import time

    samples = []
    for _ in range(warm_samples):
        began = time.perf_counter()
        execute()
        samples.append(time.perf_counter() - began)
    return samples


class GpuPeakMem:
    """A subclass names the benchmark whose peak it is."""

    bench_module = ""
    bench_class = ""
    timeout = 300

    def setup(self):
        if not self.bench_class:
            raise NotImplementedError("the base class measures nothing")

    def track_gpu_peak_mem(self):
        # The line goes through the stdout of the benchmark's own process, too.
        peak = measure_peak(self.bench_module, self.bench_class)
        print(MARKER + str(peak))
        return peak

    track_gpu_peak_mem.unit = "bytes"
"#;

const BENCH: &str = r#"
from . import _gpu_mem


class Solve:
    def setup(self):
        import jax
        import jax.numpy as jnp

        self.x = jnp.ones(64)
        self.solve = jax.jit(lambda x: x * 2)

    def execute_for_measurement(self):
        return self.solve(self.x)

    def track_execution_time(self):
        self.execute_for_measurement()
        return min(_gpu_mem.warm_call_seconds(execute=self.execute_for_measurement, warm_samples=3))

    track_execution_time.unit = "seconds"


class SolvePeak(_gpu_mem.GpuPeakMem):
    bench_module = "benchmarks.bench_solve"
    bench_class = "Solve"
"#;

/// As much of JAX as the suite asks for, with one device that counts.
const FAKE_JAX: &str = r#"
import os
import sys
import types


class Device:
    platform = "gpu"

    def memory_stats(self):
        assert os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] == "true"
        assert "XLA_PYTHON_CLIENT_MEM_FRACTION" not in os.environ
        return {"peak_bytes_in_use": 123456}


def local_devices():
    return [Device()]


def jit(function):
    return function


numpy = types.ModuleType("jax.numpy")
numpy.ones = lambda size: size
sys.modules["jax.numpy"] = numpy
"#;

fn project() -> Project {
    let project = Project::new();
    project.small_suite("solve", "bench_solve.py", BENCH);
    project.write(".gitignore", "__pycache__/\nresults/\n");
    project.write("benchmarks/_gpu_mem.py", GPU_MEM);
    project
}

fn value(project: &Project, name: &str) -> Json {
    let saved = project.saved();
    let results = saved.file.get("results").unwrap();
    let row = results.get(&format!("bench_solve.{name}"));
    row.unwrap_or_else(|| panic!("{name}: {results:?}"))
        .as_array()
        .unwrap()[0]
        .as_array()
        .unwrap()[0]
        .clone()
}

#[test]
fn a_module_of_the_suite_s_own_measures_as_it_always_did() {
    let Some(python) = python3() else { return };
    let project = project();
    project.write("jax.py", FAKE_JAX);
    project.commit("One");
    let stand_in = StandIn::new("");
    run(&project, &python, |command| {
        stand_in
            .with(command)
            .env("ASV_PYTHONPATH", project.root())
            .env("XLA_PYTHON_CLIENT_MEM_FRACTION", ".5")
            .args(["--gpu", "0"])
    });
    assert_eq!(
        value(&project, "SolvePeak.track_gpu_peak_mem"),
        Json::Int(123_456)
    );
    let time = value(&project, "Solve.track_execution_time");
    assert!(
        time.as_f64().is_some_and(|seconds| seconds >= 0.0),
        "{time:?}"
    );
}

#[test]
fn on_the_cpu_it_is_not_applicable_and_no_failure() {
    let Some(venv) = oracle(JAX_VENV) else { return };
    let project = project();
    project.commit("One");
    run(&project, &venv.join("bin/python"), |command| {
        command.env("JAX_PLATFORMS", "cpu")
    });
    // Its own `NaN` is asv's word for what was skipped.
    let peak = value(&project, "SolvePeak.track_gpu_peak_mem");
    assert!(
        matches!(peak, Json::Float(number) if number.is_nan()),
        "{peak:?}"
    );
}

fn run(
    project: &Project,
    python: &Path,
    more: impl FnOnce(crate::common::command::Lcmbench) -> crate::common::command::Lcmbench,
) {
    let command = project.lcmbench().args(["run", "--python"]).arg(python);
    let _output = more(command).run().expect(0);
}
