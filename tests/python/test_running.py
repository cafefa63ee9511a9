"""What a job does and says, without asv in the environment."""

import base64
import marshal
import os
import sys
import unittest
import zlib

from driver import Worker, only, records
from suites import SuiteCase

QUICK = {"number": 1, "repeat": 1, "warmup_time": 0}


class Running(SuiteCase):
    def both_ways(self, suite, name, **fields):
        """Yields the events of a job in a fork and of the same job in a worker of its own."""
        with Worker(suite) as worker:
            worker.discover()
            yield worker.fork(name, **fields)
        with Worker(suite) as worker:
            yield worker.run(name, **fields)

    def test_a_job_starts_reports_and_ends(self):
        suite = self.suite("def track_x(): return 5\n")
        with Worker(suite) as worker:
            worker.discover()
            events = worker.fork("bench.track_x")
        self.assertEqual([event["event"] for event in events], ["started", "result", "exited"])
        self.assertEqual({event["id"] for event in events}, {1})
        self.assertEqual(events[1], {"event": "result", "id": 1, "benchmark": "bench.track_x", "flags": [], "value": 5})
        self.assertEqual(events[2]["pid"], events[0]["pid"])
        self.assertEqual(events[2]["status"], 0)
        self.assertGreater(events[2]["max_rss"], 1_000_000)
        self.assertLess(events[2]["user"] + events[2]["system"], 10)

    def test_a_single_worker_runs_one_job_and_ends(self):
        suite = self.suite("def track_x(): return 5\n")
        with Worker(suite) as worker:
            events = worker.run("bench.track_x")
            self.assertEqual(events[0]["pid"], worker.process.pid)
        self.assertEqual([event["event"] for event in events], ["started", "result"])
        self.assertEqual(worker.process.returncode, 0)

    def test_a_single_worker_imports_its_own_module_only(self):
        suite = self.suite({"one.py": "import two\n", "other.py": "def track_o(): return 1\n", "two.py": "raise ValueError\n"})
        with Worker(suite) as worker:
            self.assertEqual(only(worker.run("other.track_o"), "result")["value"], 1)

    def test_a_name_that_its_module_does_not_tell_is_searched_for(self):
        suite = self.suite({"a.py": "def f(): return 1\nf.benchmark_name = 'far.away.track_f'\n", "b.py": "1 / 0\n"})
        for events in self.both_ways(suite, "far.away.track_f"):
            self.assertEqual(only(events, "result")["value"], 1)

    def test_an_unknown_benchmark_fails(self):
        for events in self.both_ways(self.suite("def track_x(): return 5\n"), "bench.track_y"):
            self.assertEqual(only(events, "failed")["error"]["type"], "LookupError")

    def test_timings_are_samples(self):
        suite = self.suite("def time_x(): pass\n")
        for events in self.both_ways(suite, "bench.time_x", attributes={"repeat": 3, "number": 2, "warmup_time": 0}):
            result = only(events, "result")
            self.assertEqual((len(result["samples"]), result["number"]), (3, 2))
            self.assertTrue(all(0 < sample < 1 for sample in result["samples"]))
            self.assertNotIn("value", result)

    def test_combinations_count_with_the_last_axis_fastest(self):
        suite = self.suite("def track_x(a, b): return [a, b]\ntrack_x.params = [[1, 2], ['x', 'y', 'z']]\n")
        with Worker(suite) as worker:
            worker.discover()
            values = [only(worker.fork("bench.track_x", combination=index), "result")["value"] for index in range(6)]
            self.assertEqual(only(worker.fork("bench.track_x", combination=6), "failed")["error"]["type"], "ValueError")
        self.assertEqual(values, [[1, "x"], [1, "y"], [1, "z"], [2, "x"], [2, "y"], [2, "z"]])

    def test_extra_attributes_win_even_over_setup(self):
        suite = self.suite(
            """
            class A:
                def setup(self):
                    self.number, self.repeat, self.warmup_time = 3, 2, 0
                def time_x(self):
                    pass
            """
        )
        with Worker(suite, setup_scope="sample") as worker:
            worker.discover()
            own = only(worker.fork("bench.A.time_x"), "result")
            extra = only(worker.fork("bench.A.time_x", attributes={"number": 4, "repeat": 1}), "result")
        self.assertEqual((len(own["samples"]), own["number"]), (2, 3))
        self.assertEqual((len(extra["samples"]), extra["number"]), (1, 4))

    def test_setup_scopes(self):
        suite = self.suite(
            """
            LOG = []
            class A:
                def setup(self): LOG.append("s")
                def teardown(self): LOG.append("t"); open("log", "w").write("".join(LOG))
                def time_x(self): LOG.append("x")
            """
        )
        expected = {"process": "sxxxxt", "sample": "sxxtsxxt", "call": "sxtsxtsxtsxt"}
        attributes = {"number": 2, "repeat": 2, "warmup_time": 0}
        for scope, order in expected.items():
            with self.subTest(scope=scope), Worker(suite, setup_scope=scope) as worker:
                self.assertEqual(only(worker.discover(), "hello")["setup_scope"], scope)
                worker.fork("bench.A.time_x", attributes=attributes, cwd=self.folder)
                with open(self.path("log")) as log:
                    self.assertEqual(log.read(), order)

    def test_without_asv_runner_setup_runs_once_a_sample(self):
        with Worker(self.suite("")) as worker:
            hello = worker.event()
        if hello["asv_runner"] is None:
            self.assertEqual(hello["setup_scope"], "sample")
        else:
            self.skipTest("this interpreter has asv_runner")

    def test_a_cache_is_handed_on(self):
        suite = self.suite(
            """
            def setup(*a):
                assert a in ((), ({"k": [1, 2]},)), a
            def setup_cache():
                return {"k": [1, 2]}
            def track_c(cache):
                return cache
            """
        )
        with Worker(suite) as worker:
            worker.discover()
            events = worker.fork("bench.track_c", kind="setup_cache", cwd=self.folder)
            self.assertEqual([event["event"] for event in events], ["started", "cached", "exited"])
            self.assertEqual(sorted(os.listdir(self.folder)), ["benches", "cache.pickle"])
            events = worker.fork("bench.track_c", has_cache=True, cwd=self.folder)
            self.assertEqual(only(events, "result")["value"], {"k": [1, 2]})

    def test_a_cache_of_none_is_not_handed_on(self):
        suite = self.suite("def setup_cache(): pass\ndef track_c(): return 1\n")
        with Worker(suite) as worker:
            worker.discover()
            only(worker.fork("bench.track_c", kind="setup_cache", cwd=self.folder), "cached")
            self.assertEqual(only(worker.fork("bench.track_c", has_cache=True, cwd=self.folder), "result")["value"], 1)

    def test_a_cache_that_cannot_be_pickled_leaves_none(self):
        suite = self.suite("def setup_cache(): return lambda: 1\ndef track_c(c): return 1\n")
        for events in self.both_ways(suite, "bench.track_c", kind="setup_cache", cwd=self.folder):
            self.assertEqual(only(events, "failed")["kind"], "exception")
            self.assertNotIn("cache.pickle", os.listdir(self.folder))

    def test_a_profile_is_a_pstats_file(self):
        suite = self.suite("def helper(): return 1\ndef track_p(): return helper()\ndef timeraw_p(): return 'pass'\n")
        for events in self.both_ways(suite, "bench.track_p", profile=True):
            stats = marshal.loads(zlib.decompress(base64.b64decode(only(events, "result")["profile"])))
            self.assertIn("helper", [function[2] for function in stats])
        for events in self.both_ways(suite, "bench.timeraw_p", profile=True, attributes=QUICK):
            self.assertNotIn("profile", only(events, "result"))

    def test_peak_memory_is_that_of_the_process(self):
        suite = self.suite(
            """
            def peakmem_big():
                return len(bytearray(b"x" * 60_000_000))
            def peakmem_small():
                pass
            """
        )
        values = {}
        hog = bytearray(b"x" * 150_000_000)
        for name in ("big", "small"):
            with Worker(suite) as worker:
                values[name] = only(worker.run(f"bench.peakmem_{name}"), "result")["value"]
        del hog
        self.assertGreater(values["big"], 60_000_000)
        self.assertLess(values["small"], 60_000_000)

    def test_raw_code_runs_in_its_own_interpreter(self):
        suite = self.suite(
            """
            import os
            def timeraw_x():
                return '''
                    assert os.environ["A"] == "1" and os.getpid() != %d
                    print("noise")
                ''' % os.getpid(), '''
                    import os
                '''
            timeraw_x.env = {"A": 1}
            def timeraw_fails():
                return "import sys; sys.exit(3)"
            """
        )
        with Worker(suite) as worker:
            worker.discover()
            result = only(worker.fork("bench.timeraw_x", attributes={"repeat": 2, "warmup_time": 0}), "result")
            failed = only(worker.fork("bench.timeraw_fails"), "failed")
        self.assertEqual((len(result["samples"]), result["number"]), (2, 1))
        self.assertEqual(failed["error"]["type"], "RuntimeError")
        self.assertEqual(worker.stdout.count("noise"), 2)

    def test_a_failure_has_the_suites_frames_only(self):
        suite = self.suite("def inner(): raise ValueError('bad \\udc80 value')\ndef time_x(): inner()\n")
        for events in self.both_ways(suite, "bench.time_x"):
            error = only(events, "failed")["error"]
            self.assertEqual((error["type"], error["message"]), ("ValueError", "bad \\udc80 value"))
            self.assertIn("in inner", error["traceback"])
            self.assertNotIn("_worker", error["traceback"])

    def test_what_was_printed_is_not_lost(self):
        suite = self.suite("import sys\ndef track_p():\n    print('out', end='')\n    print('err', end='', file=sys.stderr)\n    return 1\n")
        with Worker(suite) as worker:
            worker.discover()
            worker.fork("bench.track_p")
        self.assertEqual((worker.stdout, worker.stderr), ("out", "err"))

    def test_the_processors_can_be_chosen(self):
        if not hasattr(os, "sched_getaffinity"):
            self.skipTest("this system cannot pin processes")
        one = min(os.sched_getaffinity(0))
        suite = self.suite("import os\ndef track_a(): return sorted(os.sched_getaffinity(0))\n")
        with Worker(suite, cpu_affinity=[one]) as worker:
            worker.discover()
            self.assertEqual(only(worker.fork("bench.track_a"), "result")["value"], [one])

    def test_a_combination_that_the_suite_skips(self):
        suite = self.suite(
            """
            def setup(*a): print("setup")
            def track_x(n, m): return n
            track_x.params = [[1, 2], [[3], [4]]]
            track_x.skip_params = [(1, [4]), (2, [3])]
            """
        )
        with Worker(suite) as worker:
            self.assertEqual(only(worker.discover(), "benchmark")["skip_params"], [1, 2])
            only(worker.fork("bench.track_x", combination=1), "skipped")
            only(worker.fork("bench.track_x", combination=0), "result")
        self.assertEqual(worker.stdout.count("setup"), 1)


class Attributes(SuiteCase):
    def test_every_default_of_the_newest_asv(self):
        with Worker(self.suite("def time_x(): pass\ndef track_y(): pass\n")) as worker:
            found = records(worker.discover())
        self.assertEqual(
            {key: value for key, value in found[0].items() if key not in ("code", "version")},
            {
                "name": "bench.time_x", "type": "time", "unit": "seconds", "params": [], "param_names": [], "rounds": 2, "repeat": 0,
                "number": 0, "sample_time": 0.01, "warmup_time": -1, "min_run_count": 2,
            },
        )  # fmt: skip
        self.assertEqual(sorted(found[1]), ["code", "name", "param_names", "params", "type", "unit", "version"])

    def test_the_version_is_the_hash_of_the_code(self):
        import hashlib

        with Worker(self.suite("def track_v():\n    import os\n    return proj2.V\n")) as worker:
            record = records(worker.discover())[0]
        self.assertEqual(record["code"], "def track_v():\n    import os\n    return proj2.V")
        self.assertEqual(record["version"], hashlib.sha256(record["code"].encode()).hexdigest())
        self.assertEqual(record["version"], "4d10209d97156812a3ce824ceeaac5834cad40a0caa1230b5e67a92db9b3bea3")

    def test_memory_benchmarks_need_pympler(self):
        try:
            import pympler
        except ImportError:
            pympler = None
        with Worker(self.suite("def mem_x(): return [1]\n")) as worker:
            found = records(worker.discover())
            self.assertEqual(len(found), int(pympler is not None))
            if pympler is not None:
                self.assertGreater(only(worker.fork("bench.mem_x"), "result")["value"], 0)


if __name__ == "__main__":
    print(sys.version)
    unittest.main()
