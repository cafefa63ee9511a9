"""The worker against asv itself, in the environments that the variables name. Without one, its tests are skipped and say so."""

import json
import os
import subprocess
import unittest

from driver import Worker, only, records
from suites import WIDE, SuiteCase

DISCOVER = """
import sys
from asv_runner.discovery import list_benchmarks, update_sys_path
update_sys_path(sys.argv[1])
with open(sys.argv[2], "w") as file:
    list_benchmarks(sys.argv[1], file)
"""

RUN = """
import sys
from asv_runner.discovery import update_sys_path
from asv_runner.run import _run
update_sys_path(sys.argv[1])
_run(sys.argv[1:])
"""

CACHE = """
import sys
from asv_runner.discovery import update_sys_path
from asv_runner.setup_cache import _setup_cache
update_sys_path(sys.argv[1])
_setup_cache(sys.argv[1:])
"""

# Writes its order of events to a file, the way to which is in the environment.
ORDER = """
    import os
    def say(word):
        with open(os.environ["ORDER"], "a") as file:
            file.write(word + " ")
    def setup(*a): say("Ms%r" % (a,))
    def teardown(*a): say("Mt%r" % (a,))
    class A:
        def setup(self, *a): say("Is")
        def teardown(self, *a): say("It")
        def time_a(self): say("x")
        def time_f(self): say("x")
        time_f.setup = lambda *a: say("Fs")
        time_f.teardown = lambda *a: say("Ft")
        def track_a(self): say("x"); return 1
        def track_fails(self): say("x"); 1 / 0
        def peakmem_a(self): say("x")
        def timeraw_a(self): say("raw"); return "pass"
    class NotHere:
        def setup(self, *a): say("Is"); raise NotImplementedError("no")
        def teardown(self, *a): say("It")
        def time_a(self): say("x")
    class Broken:
        def setup(self, *a): say("Is"); raise ValueError("no")
        def teardown(self, *a): say("It")
        def time_a(self): say("x")
    class P:
        params = [[1, 2], ["a", "b"]]
        skip_params = [(1, "b")]
        def setup(self, a, b): say("Is"); self.number = 2; self.repeat = a
        def time_p(self, a, b): say("x")
    class Cached:
        def setup(self, *a): say("Is")
        def setup_cache(self): say("cache"); return {"k": 1}
        def track_c(self, cache): say("x"); return cache["k"]
    class Bare:
        def time_b(self): say("x")
"""

# What a benchmark returns, and how asv takes it.
VALUES = """
    import sys
    from asv_runner.benchmarks.mark import SkipNotImplemented
    class V:
        def track_int(self): return 5
        def track_float(self): return 10.0
        def track_nan(self): return float("nan")
        def track_inf(self): return -float("inf")
        def track_none(self): pass
        def track_str(self): return "x"
        def track_bool(self): return True
        def track_dict(self): return {"a": 1, 1: None}
        def track_tuple(self): return (1, 2)
        def track_set(self): return {1}
        def track_samples(self): return {"samples": [1.0, 2.0, 3.5], "number": 3}
        def track_skip(self): raise SkipNotImplemented("not here")
        def track_not_implemented(self): raise NotImplementedError
        def track_exit(self): sys.exit(3)
        def track_teardown(self): return 1
        track_teardown.teardown = lambda *a: 1 / 0
"""

NUMPY_VALUES = """
    import numpy as np
    class N:
        def track_float64(self): return np.float64(3)
        def track_float32(self): return np.float32(3)
        def track_int64(self): return np.int64(3)
        def track_bool(self): return np.bool_(True)
        def track_array(self): return np.ones(2)
"""


def python_of(variable):
    """The interpreter of the environment that a variable names, or None."""
    folder = os.environ.get(variable)
    return os.path.join(folder, "bin", "python") if folder else None


class OracleTests:
    """The comparisons; a subclass for each environment says which."""

    variable = None

    def setUp(self):
        super().setUp()
        self.python = python_of(self.variable)
        if self.python is None:
            self.skipTest(f"{self.variable} is not set")
        found = subprocess.run([self.python, "-c", "import asv_runner"], capture_output=True, check=False)
        if found.returncode:
            self.skipTest(f"{self.variable} has no asv_runner")

    def asv(self, program, *arguments, environment=None):
        """Runs a piece of asv; returns (exit status, JSON of its output file or None)."""
        output = self.path("asv.json")
        if os.path.exists(output):
            os.remove(output)
        variables = {**os.environ, **(environment or {})}
        done = subprocess.run(
            [self.python, "-c", program, *arguments], cwd=self.folder, capture_output=True, check=False, env=variables
        )
        if not os.path.exists(output):
            return done.returncode, None
        with open(output) as file:
            text = file.read()
        return done.returncode, json.loads(text) if text else None

    def worker(self, suite, **configuration):
        return Worker(suite, python=self.python, cwd=self.folder, **configuration)

    def both(self, suite):
        """The records of asv and of the worker, and the module errors."""
        status, theirs = self.asv(DISCOVER, suite, self.path("asv.json"))
        self.assertEqual(status, 0)
        with self.worker(suite) as worker:
            events = worker.discover()
        errors = [event for event in events if event["event"] == "module_error"]
        return theirs, records(events), errors

    def test_discovery_is_the_same_to_the_byte(self):
        suite = self.suite(WIDE)
        theirs, ours, errors = self.both(suite)
        self.assertEqual(errors, [])
        self.assertEqual([record["name"] for record in ours], [record["name"] for record in theirs])
        known = self.known_differences
        for mine, other in zip(ours, theirs):
            if any(mine["name"].endswith(name) for name in known):
                mine, other = {**mine, "version": ""}, {**other, "version": ""}
            self.assertEqual(json.dumps(mine, sort_keys=True), json.dumps(other, sort_keys=True))
        self.assertGreater(len(ours), 100)

    def test_hooks_run_in_the_same_order(self):
        suite = self.suite(ORDER)
        fixed = {"number": 1, "repeat": 1, "warmup_time": 0}
        cases = [
            ("bench.A.time_a", None, fixed),
            ("bench.A.time_a", None, {**fixed, "number": 3, "repeat": 2}),
            ("bench.A.time_f", None, {**fixed, "repeat": 3}),
            ("bench.A.track_a", None, {}),
            ("bench.A.track_fails", None, {}),
            ("bench.A.peakmem_a", None, {}),
            ("bench.A.timeraw_a", None, {**fixed, "repeat": 2}),
            ("bench.NotHere.time_a", None, {}),
            ("bench.Broken.time_a", None, {}),
            ("bench.P.time_p", 0, {"warmup_time": 0}),
            ("bench.P.time_p", 1, {}),
            ("bench.P.time_p", 2, {"warmup_time": 0}),
            ("bench.P.time_p", 2, fixed),
            ("bench.Bare.time_b", None, {**fixed, "number": 4, "repeat": 2}),
        ]
        for name, combination, attributes in cases:
            with self.subTest(name=name, combination=combination, attributes=attributes):
                theirs, ours = self.path("theirs"), self.path("ours")
                for path in (theirs, ours):
                    open(path, "w").close()
                identity = name if combination is None else f"{name}-{combination}"
                arguments = [suite, identity, json.dumps(attributes), "None", self.path("asv.json")]
                self.asv(RUN, *arguments, environment={"ORDER": theirs})
                with Worker(suite, python=self.python, environment={"ORDER": ours}) as worker:
                    worker.run(name, combination=combination, attributes=attributes, cwd=self.folder)
                with open(theirs) as a, open(ours) as b:
                    self.assertEqual(b.read(), a.read())

    def test_cache_is_made_the_same_way(self):
        suite = self.suite(ORDER)
        theirs, ours = self.path("theirs"), self.path("ours")
        self.asv(CACHE, suite, "bench.Cached.track_c", "{}", environment={"ORDER": theirs})
        with open(self.path("cache.pickle"), "rb") as file:
            pickled = file.read()
        os.remove(self.path("cache.pickle"))
        with Worker(suite, python=self.python, environment={"ORDER": ours}) as worker:
            events = worker.run("bench.Cached.track_c", kind="setup_cache", cwd=self.folder)
        only(events, "cached")
        with open(theirs) as a, open(ours) as b:
            self.assertEqual(b.read(), a.read())
        with open(self.path("cache.pickle"), "rb") as file:
            self.assertEqual(file.read(), pickled)

    def compare_values(self, suite, cls):
        with self.worker(suite) as worker:
            names = [record["name"] for record in records(worker.discover())]
            self.assertGreater(len(names), 3)
            for name in names:
                with self.subTest(name=name):
                    status, value = self.asv(RUN, suite, name, "{}", "None", self.path("asv.json"))
                    self.check_value(worker.fork(name, cwd=self.folder), status, value)

    def check_value(self, events, status, value):
        """Whether the worker says what asv's exit status and output say."""
        kinds = [event["event"] for event in events]
        if status != 0:
            self.assertIn("failed", kinds)
            self.assertIn(only(events, "failed")["kind"], ("exception", "unserializable"))
        elif value is None:
            self.assertEqual(only(events, "failed")["kind"], "no-value")
        elif "skipped" in kinds:
            self.assertNotEqual(value, value)
        else:
            result = only(events, "result")
            if isinstance(value, dict) and "samples" in value:
                self.assertEqual({key: result[key] for key in ("samples", "number")}, value)
            else:
                self.assertEqual(json.dumps(result["value"]), json.dumps(value))

    def test_values_are_taken_the_same_way(self):
        self.compare_values(self.suite(VALUES), "V")

    def test_numpy_values_are_taken_the_same_way(self):
        found = subprocess.run([self.python, "-c", "import numpy"], capture_output=True, check=False)
        if found.returncode:
            self.skipTest(f"{self.variable} has no numpy")
        self.compare_values(self.suite(NUMPY_VALUES), "N")

    def test_sampling_follows_the_same_algorithm(self):
        here = os.path.dirname(os.path.abspath(__file__))
        done = subprocess.run(
            [self.python, os.path.join(here, "sampling_oracle.py")], capture_output=True, text=True, check=False, timeout=300
        )
        self.assertEqual(done.returncode, 0, done.stderr[-4000:])
        self.assertIn("0 differences in 300 cases", done.stdout)


class NewestRunner(OracleTests, SuiteCase):
    variable = "LCMBENCH_TEST_VENV"
    known_differences = ()


class OlderRunner(OracleTests, SuiteCase):
    variable = "LCMBENCH_TEST_VENV_02"
    # asv_runner 0.2.2 to 0.2.4 put the environment of `timeraw_` into the version in a way of their own.
    known_differences = ("timeraw_env", "timeraw_num", "timeraw_x", "TimerawXy", "Timeraw_Xy")


if __name__ == "__main__":
    unittest.main()
