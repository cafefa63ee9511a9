"""`lcmbench.gpu` without a GPU: against a made-up `jax` whose devices are what the test says, and against the real one on the CPU."""

import json
import os
import subprocess
import sys
import unittest

import package  # noqa: F401
from driver import Worker, only
from suites import SuiteCase

from lcmbench._gpu.energy import visible
from lcmbench._gpu.environment import allocator_mode, peak_environment

# A JAX whose devices are told by variables: one with FAKE_STATS, or one for each of a list.
FAKE_JAX = '''
import json, os

class Device:
    def __init__(self, stats):
        self.platform = os.environ.get("FAKE_PLATFORM", "gpu")
        self.stats = stats
    def memory_stats(self):
        return self.stats or None

def local_devices():
    stats = json.loads(os.environ.get("FAKE_STATS", "{}"))
    return [Device(one) for one in (stats if isinstance(stats, list) else [stats])]

def effects_barrier():
    pass

def block_until_ready(tree):
    return tree
'''

SUITE = """
    import os
    from lcmbench import gpu

    class Model:
        def setup_for_gpu_measurement(self, *values):
            print("noise on stdout")
            self.values = values
        def execute_for_measurement(self, *values):
            with open(os.environ["SEEN"], "w") as file:
                file.write(repr((self.values, {name: os.environ.get(name) for name in (
                    "XLA_FLAGS", "XLA_PYTHON_CLIENT_PREALLOCATE", "XLA_PYTHON_CLIENT_MEM_FRACTION", "XLA_CLIENT_MEM_FRACTION")},
                    os.path.basename(os.environ["JAX_COMPILATION_CACHE_DIR"]))))

    class ModelPeak(gpu.GpuPeakMem):
        bench_module = "benches.bench"
        bench_class = "Model"

    class OnDemandPeak(gpu.GpuPeakMem):
        bench_module = "benches.bench"
        bench_class = "Model"
        preallocate = False

    class ManyPeak(gpu.GpuPeakMem):
        bench_module = "benches.bench"
        bench_class = "Model"
        params = [3, 5]

    class BrokenPeak(gpu.GpuPeakMem):
        bench_module = "benches.bench"
        bench_class = "Missing"

    def track_budget():
        return gpu.default_memory_budget()

    def track_energy():
        return gpu.energy_per_call(lambda: None)
"""


class Peak(SuiteCase):
    """Under the Python that runs the tests, which has no JAX but the made-up one in the project's folder."""

    def setUp(self):
        super().setUp()
        if subprocess.run([sys.executable, "-c", "import jax"], capture_output=True, check=False).returncode == 0:
            self.skipTest("this Python has a JAX of its own")
        self.folder = self.suite({"bench.py": SUITE})
        self.project = os.path.dirname(self.folder)
        os.makedirs(os.path.join(self.project, "jax"))
        with open(os.path.join(self.project, "jax", "__init__.py"), "w") as file:
            file.write(FAKE_JAX)
        self.seen = os.path.join(self.project, "seen")

    def measure(self, name, combination=None, **variables):
        stats = {"peak_bytes_in_use": 4096, "bytes_limit": 60 << 30}
        environment = {"SEEN": self.seen, "FAKE_STATS": json.dumps(stats), **variables}
        with Worker(self.folder, environment=environment, cwd=self.project) as worker:
            return worker.run(f"bench.{name}", combination=combination)

    def test_a_peak_is_handed_back_past_all_noise(self):
        events = self.measure("ModelPeak.track_gpu_peak_mem", XLA_FLAGS="--xla_a=1", XLA_PYTHON_CLIENT_MEM_FRACTION=".3", XLA_CLIENT_MEM_FRACTION=".3")
        result = only(events, "result")
        self.assertEqual(result["value"], 4096)
        self.assertEqual(result["facts"], {"allocator": "preallocated"})
        with open(self.seen) as file:
            values, variables, cache = eval(file.read())
        self.assertEqual(values, ())
        self.assertEqual(variables["XLA_FLAGS"], "--xla_a=1 --xla_gpu_autotune_level=0")
        self.assertEqual(variables["XLA_PYTHON_CLIENT_PREALLOCATE"], "true")
        self.assertIsNone(variables["XLA_PYTHON_CLIENT_MEM_FRACTION"])
        self.assertIsNone(variables["XLA_CLIENT_MEM_FRACTION"])
        self.assertEqual(cache, "jax")

    def test_the_mode_of_the_allocator_goes_with_the_peak(self):
        result = only(self.measure("OnDemandPeak.track_gpu_peak_mem"), "result")
        self.assertEqual(result["facts"], {"allocator": "on-demand"})

    def test_parameters_reach_the_benchmark(self):
        only(self.measure("ManyPeak.track_gpu_peak_mem", combination=1), "result")
        with open(self.seen) as file:
            self.assertEqual(eval(file.read())[0], (5,))

    def test_a_cpu_is_not_applicable_and_no_failure(self):
        skipped = only(self.measure("ModelPeak.track_gpu_peak_mem", FAKE_PLATFORM="cpu"), "skipped")
        self.assertIn("not applicable: JAX's backend is the CPU", skipped["reason"])

    def test_an_allocator_that_does_not_count_is_a_failure_that_says_so(self):
        failed = only(self.measure("ModelPeak.track_gpu_peak_mem", FAKE_STATS="{}"), "failed")
        self.assertIn("XLA_PYTHON_CLIENT_ALLOCATOR", failed["error"]["message"])

    def test_what_the_process_printed_is_in_the_failure(self):
        failed = only(self.measure("BrokenPeak.track_gpu_peak_mem"), "failed")
        self.assertIn("has no attribute 'Missing'", failed["error"]["message"])

    def test_the_base_class_is_no_benchmark(self):
        with Worker(self.folder, cwd=self.project) as worker:
            names = [event["record"]["name"] for event in worker.discover() if event["event"] == "benchmark"]
        self.assertIn("bench.ModelPeak.track_gpu_peak_mem", names)
        self.assertFalse([name for name in names if name.startswith("bench.GpuPeakMem")])

    def budget(self, **variables):
        # The suite's process itself asks JAX, so the made-up one must be found there too.
        return self.measure("track_budget", ASV_PYTHONPATH=self.project, **variables)

    def test_the_budget_is_that_of_a_preallocating_process(self):
        result = only(self.budget(XLA_PYTHON_CLIENT_PREALLOCATE="false"), "result")
        self.assertEqual(result["value"], 60 << 30)

    def test_the_budget_is_the_smallest_of_several_devices(self):
        limits = [{"bytes_limit": gibibytes << 30} for gibibytes in (60, 20, 40)]
        result = only(self.budget(FAKE_STATS=json.dumps(limits)), "result")
        self.assertEqual(result["value"], 20 << 30)

    def test_a_cpu_has_no_budget(self):
        failed = only(self.budget(FAKE_PLATFORM="cpu"), "failed")
        self.assertEqual(failed["error"]["type"], "NoBudget")
        self.assertIn("JAX's backend is the CPU", failed["error"]["message"])

    def test_energy_without_a_driver_is_not_applicable(self):
        skipped = only(self.measure("track_energy", LCMBENCH_NVML_LIBRARY="/nowhere/lib.so"), "skipped")
        self.assertIn("not applicable", skipped["reason"])


class Pieces(unittest.TestCase):
    def test_flags_of_xla_are_kept_and_autotuning_is_off(self):
        environment = peak_environment({"XLA_FLAGS": "--xla_dump_to=x", "HOME": "/h"}, True, "/c")
        self.assertEqual(environment["XLA_FLAGS"], "--xla_dump_to=x --xla_gpu_autotune_level=0")
        self.assertEqual(environment["HOME"], "/h")
        self.assertEqual(peak_environment({}, True, "/c")["XLA_FLAGS"], "--xla_gpu_autotune_level=0")

    def test_the_mode_is_told_by_the_variables(self):
        self.assertEqual(allocator_mode({}), "preallocated")
        self.assertEqual(allocator_mode({"XLA_PYTHON_CLIENT_PREALLOCATE": "false"}), "on-demand")
        self.assertEqual(allocator_mode({"XLA_PYTHON_CLIENT_ALLOCATOR": "platform"}), "platform")

    def test_visible_devices_are_counted_as_cuda_does(self):
        devices = [("GPU-aa", 0), ("GPU-ab", 1)]
        cases = {"": [], "1": [1], "0,1": [0, 1], "1,9,0": [1], "GPU-ab": [1], "GPU-a": [], "-1": []}
        before = os.environ.pop("CUDA_VISIBLE_DEVICES", None)
        try:
            self.assertEqual(visible(devices), [0, 1])
            for words, expected in cases.items():
                os.environ["CUDA_VISIBLE_DEVICES"] = words
                self.assertEqual(visible(devices), expected, words)
        finally:
            os.environ.pop("CUDA_VISIBLE_DEVICES", None)
            if before is not None:
                os.environ["CUDA_VISIBLE_DEVICES"] = before


REAL = """
    import statistics
    import jax
    import jax.numpy as jnp
    from lcmbench import gpu

    class Model:
        def setup(self):
            self.f = jax.jit(lambda x: jnp.sin(x) + 1)
            self.x = jnp.ones(7)
        def execute_for_measurement(self):
            return self.f(self.x)
        def track_compile_count(self):
            return gpu.compile_count(self.execute_for_measurement)
        track_compile_count.unit = "compilations"
        def track_compile_time(self):
            return gpu.compile_seconds(self.execute_for_measurement)
        track_compile_time.unit = "seconds"
        def track_warm(self):
            self.execute_for_measurement()
            return statistics.median(gpu.warm_call_seconds(execute=self.execute_for_measurement, warm_samples=3))
        def track_not_warm(self):
            return gpu.warm_call_seconds(lambda: jax.jit(lambda x: x * 3)(self.x), 1)[0]
        def track_synchronized(self):
            return float(gpu.synchronize({"a": [self.f(self.x)]})["a"][0].sum())

    class Peak(gpu.GpuPeakMem):
        bench_module = "benches.bench"
        bench_class = "Model"

    def track_budget():
        return gpu.default_memory_budget()
"""


class RealJax(SuiteCase):
    """JAX on the CPU."""

    def setUp(self):
        super().setUp()
        folder = os.environ.get("LCMBENCH_TEST_VENV_JAX")
        if not folder:
            self.skipTest("LCMBENCH_TEST_VENV_JAX is not set")
        self.python = os.path.join(folder, "bin", "python")
        self.folder = self.suite({"bench.py": REAL})

    def measure(self, name, **fields):
        with Worker(self.folder, python=self.python, environment={"JAX_PLATFORMS": "cpu"}) as worker:
            return worker.run(f"bench.{name}", **fields)

    def test_compilations_are_counted_and_timed(self):
        self.assertEqual(only(self.measure("Model.track_compile_count"), "result")["value"], 1)
        self.assertGreater(only(self.measure("Model.track_compile_time"), "result")["value"], 0)

    def test_a_compilation_among_warm_calls_is_flagged(self):
        self.assertEqual(only(self.measure("Model.track_warm"), "result")["flags"], [])
        self.assertEqual(only(self.measure("Model.track_not_warm"), "result")["flags"], ["compiled-while-timed"])

    def test_synchronize_returns_what_it_waited_for(self):
        value = only(self.measure("Model.track_synchronized"), "result")["value"]
        self.assertAlmostEqual(value, 7 * 1.8414709848, places=4)

    def test_peaks_and_budgets_on_a_cpu(self):
        skipped = only(self.measure("Peak.track_gpu_peak_mem"), "skipped")
        self.assertIn("not applicable", skipped["reason"])
        self.assertEqual(only(self.measure("track_budget"), "failed")["error"]["type"], "NoBudget")

    def test_a_job_has_the_cache_that_it_is_given(self):
        cache = os.path.join(os.path.dirname(self.folder), "cache")
        variables = {
            "JAX_COMPILATION_CACHE_DIR": cache,
            "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
            "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
        }
        only(self.measure("Model.track_compile_time", environment=variables), "result")
        filled = sorted(name for name in os.listdir(cache) if not name.endswith("-atime"))
        self.assertTrue(filled)
        only(self.measure("Model.track_compile_time", environment=variables), "result")
        self.assertEqual(sorted(name for name in os.listdir(cache) if not name.endswith("-atime")), filled)


if __name__ == "__main__":
    unittest.main()
