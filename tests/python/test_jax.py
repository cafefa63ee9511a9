"""Suites that use JAX, in the environment that LCMBENCH_TEST_VENV_JAX names."""

import os
import subprocess
import unittest

from driver import Worker, only
from suites import SuiteCase

QUICK = {"number": 1, "repeat": 1, "warmup_time": 0}

SUITE = """
    from dataclasses import dataclass
    import jax
    import jax.numpy as jnp

    @dataclass
    class Found:
        value: object
        name: str = "x"

    class Slow:
        def setup(self):
            # Keep the last value of a loop that takes a while, so that it cannot be ready at once.
            self.f = jax.jit(lambda x: jax.lax.fori_loop(0, 40, lambda i, y: jnp.tanh(y @ y / 900), x))
            self.x = jnp.ones((900, 900))
        def time_array(self): return self.f(self.x)
        def time_tree(self): return {"a": [(self.f(self.x), None)]}
        def time_dataclass(self): return Found(self.f(self.x))
        def time_waits(self): return self.f(self.x).block_until_ready()
        def time_drops(self): self.f(self.x).block_until_ready()

    class Compiles:
        def time_each(self): return jax.jit(lambda x: x + 1)(jnp.ones(3)).block_until_ready()

    class CompilesInSetup:
        def setup(self):
            self.f = jax.jit(lambda x: x * 2 + 1)
            self.x = jnp.ones(5)
            self.f(self.x).block_until_ready()
        def time_it(self): self.f(self.x).block_until_ready()
"""


class Jax(SuiteCase):
    def setUp(self):
        super().setUp()
        folder = os.environ.get("LCMBENCH_TEST_VENV_JAX")
        if not folder:
            self.skipTest("LCMBENCH_TEST_VENV_JAX is not set")
        self.python = os.path.join(folder, "bin", "python")
        if subprocess.run([self.python, "-c", "import jax"], capture_output=True, check=False).returncode:
            self.skipTest("LCMBENCH_TEST_VENV_JAX has no jax")

    def worker(self, suite, **configuration):
        return Worker(suite, python=self.python, **configuration)

    def safety(self, text):
        with self.worker(self.suite(text)) as worker:
            return only(worker.discover(), "discovered")

    def test_imports_alone_leave_forking_safe(self):
        for text in ("import numpy\n", "import scipy.linalg, scipy.sparse\n", "import jax, jax.numpy as jnp\n", "import numpy, jax, scipy.linalg\n"):
            with self.subTest(text):
                found = self.safety(text)
                self.assertTrue(found["fork_safe"], found["fork_reason"])
                self.assertEqual(found["loaded_jax"], "jax" in text)

    def test_a_pool_that_has_worked_is_still_safe(self):
        found = self.safety("import numpy as np\nx = np.ones((800, 800)) @ np.ones((800, 800))\n")
        self.assertTrue(found["fork_safe"], found["fork_reason"])

    def test_a_used_device_forbids_forking(self):
        for text in ("import jax\nx = jax.numpy.zeros(1)\n", "import jax\njax.devices()\n"):
            with self.subTest(text):
                found = self.safety(text)
                self.assertFalse(found["fork_safe"])
                self.assertIn("backend cpu", found["fork_reason"])

    def test_unfinished_arrays_are_noticed(self):
        with self.worker(self.suite(SUITE), setup_scope="process") as worker:
            worker.discover()
            for name, expected in (("array", True), ("tree", True), ("dataclass", True), ("waits", False), ("drops", False)):
                with self.subTest(name):
                    events = worker.fork(f"bench.Slow.time_{name}", attributes={**QUICK, "warmup_time": 0.01})
                    self.assertEqual("unfinished-array" in only(events, "result")["flags"], expected)

    def test_device_sync_waits(self):
        with self.worker(self.suite(SUITE), setup_scope="process", device_sync=True) as worker:
            worker.discover()
            attributes = {"number": 1, "repeat": 3, "warmup_time": 0.01}
            reference = min(only(worker.fork("bench.Slow.time_waits", attributes=attributes), "result")["samples"])
            for name in ("array", "tree", "dataclass"):
                with self.subTest(name):
                    result = only(worker.fork(f"bench.Slow.time_{name}", attributes=attributes), "result")
                    self.assertNotIn("unfinished-array", result["flags"])
                    self.assertGreater(min(result["samples"]), reference / 5)

    def test_compilations_in_samples_are_noticed(self):
        warm = {"number": 1, "repeat": 2, "warmup_time": 0.01}
        with self.worker(self.suite(SUITE), setup_scope="process") as worker:
            worker.discover()
            cases = [
                ("Compiles.time_each", warm, True),
                ("Slow.time_drops", warm, False),
                ("Slow.time_drops", QUICK, True),
                ("CompilesInSetup.time_it", QUICK, False),
            ]
            for name, attributes, expected in cases:
                with self.subTest(name=name, attributes=attributes):
                    result = only(worker.fork("bench." + name, attributes=attributes), "result")
                    self.assertEqual("compiled-while-timed" in result["flags"], expected)

    def test_a_setup_between_samples_may_compile(self):
        with self.worker(self.suite(SUITE), setup_scope="sample") as worker:
            worker.discover()
            attributes = {"number": 1, "repeat": 3, "warmup_time": 0}
            result = only(worker.fork("bench.CompilesInSetup.time_it", attributes=attributes), "result")
            self.assertEqual((len(result["samples"]), result["flags"]), (3, []))


if __name__ == "__main__":
    unittest.main()
