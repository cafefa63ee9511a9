"""A suite's benchmark that is called again and again."""

import os
import tempfile
import textwrap
import unittest

from test_paths_runner import Runner

SUITE = """
import os

counts = {"setup": 0, "call": 0, "teardown": 0}
HERE = os.path.dirname(os.path.abspath(__file__))

def note():
    with open(os.path.join(HERE, "counts"), "w") as file:
        file.write(repr(counts))

class Work:
    params = [1, 2, 3]
    skip_params = [(3,)]

    def setup(self, n):
        counts["setup"] += 1
        self.items = list(range(n))

    def teardown(self, n):
        counts["teardown"] += 1
        note()

    def time_pop(self, n):
        counts["call"] += 1
        self.items.pop()

    def track_number(self, n):
        counts["call"] += 1
        return n

class Cached:
    def setup_cache(self):
        return {"a": 1}

    def time_it(self, cache):
        assert cache == {"a": 1}

class Gone:
    def setup(self):
        raise NotImplementedError("needs a GPU")

    def time_it(self):
        pass

def time_raises():
    raise ValueError("no")

def timeraw_code():
    return "pass"
"""


class Calls(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.suite = os.path.join(folder.name, "suite_of_ours")
        self.work = os.path.join(folder.name, "work")
        os.mkdir(self.suite)
        os.mkdir(self.work)
        open(os.path.join(self.suite, "__init__.py"), "w").close()
        with open(os.path.join(self.suite, "work.py"), "w") as file:
            file.write(textwrap.dedent(SUITE))
        self.runner = Runner(folder.name)
        self.addCleanup(self.runner.close)

    def prepare(self, name, combination=None, scope="process"):
        return self.runner.ask(
            "prepare", benchmark_dir=self.suite, cwd=self.work, benchmark=name, combination=combination, setup_scope=scope, device_sync=False
        )

    def counts(self):
        with open(os.path.join(self.suite, "counts")) as file:
            return eval(file.read())

    def test_what_is_set_up_once_is_called_so_often(self):
        warm_ups = self.prepare("work.Work.track_number", 1)["warm_ups"]
        self.assertGreaterEqual(warm_ups, 1)
        self.assertEqual(self.runner.ask("repeat", calls=7, seconds=None)["calls"], 7)
        self.runner.ask("release")
        self.assertEqual(self.counts(), {"setup": 1, "call": warm_ups + 7, "teardown": 1})

    def test_a_timing_is_set_up_before_each_call_where_it_is_in_a_run(self):
        # A list of one item can be popped from once.
        warm_ups = self.prepare("work.Work.time_pop", 0, "call")["warm_ups"]
        self.assertEqual(self.runner.ask("repeat", calls=5, seconds=None)["calls"], 5)
        self.runner.ask("release")
        self.assertEqual(self.counts(), {"setup": warm_ups + 5, "call": warm_ups + 5, "teardown": warm_ups + 5})

    def test_a_loop_lasts_as_long_as_it_is_told_but_one_call(self):
        self.prepare("work.Work.track_number", 0)
        looped = self.runner.ask("repeat", calls=None, seconds=0.05)
        self.assertGreater(looped["calls"], 10)
        self.assertGreaterEqual(looped["seconds"], 0.05)
        self.assertEqual(self.runner.ask("repeat", calls=None, seconds=0.0)["calls"], 1)

    def test_a_cache_is_made_and_passed_on(self):
        self.assertEqual(self.prepare("work.Cached.time_it")["event"], "answer")

    def test_what_does_not_apply_is_skipped(self):
        self.assertEqual(self.prepare("work.Gone.time_it"), {"event": "skipped", "reason": "needs a GPU"})
        skipped = self.prepare("work.Work.time_pop", 2)
        self.assertEqual(skipped, {"event": "skipped", "reason": "the suite skips this combination of parameters"})

    def test_what_cannot_be_called_is_said(self):
        reply = self.prepare("work.time_raises")
        self.assertEqual((reply["event"], reply["reason"]), ("failed", "ValueError: no"))
        self.assertNotIn("suite_call.py", reply["error"]["traceback"])
        message = self.prepare("work.timeraw_code")["message"]
        self.assertEqual(message, "work.timeraw_code runs code in an interpreter of its own, which cannot be looked into from here")
        self.assertIn("There is no benchmark", self.prepare("work.time_none")["reason"])
        self.assertEqual(self.runner.ask("hello"), {"event": "answer"})

    def test_a_loop_needs_what_is_prepared(self):
        self.assertEqual(self.runner.ask("repeat", calls=1, seconds=None)["message"], "`prepare` must come first")


if __name__ == "__main__":
    unittest.main()
