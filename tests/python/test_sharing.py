"""Several benchmarks after one set-up."""

import unittest

from driver import Worker, only
from suites import SuiteCase

SUITE = """
    LOG = []
    def setup(*a): LOG.append("Ms")
    def teardown(*a): LOG.append("Mt"); print("LOG", *LOG)
    class A:
        params = [1, 2]
        def __init__(self): LOG.append("init")
        def setup(self, n):
            LOG.append("Is")
            self.n = n
        def teardown(self, n): LOG.append("It")
        def track_n(self, n): LOG.append("n"); return self.n
        def track_twice(self, n): LOG.append("2n"); return 2 * self.n
        def track_fails(self, n): LOG.append("f"); raise ValueError("no")
        def track_exits(self, n): LOG.append("e"); raise SystemExit(3)
        def time_it(self, n): LOG.append("x")
        def track_own(self, n): LOG.append("o"); return 3
        track_own.setup = lambda n: LOG.append("Fs")
        track_own.teardown = lambda n: LOG.append("Ft")
        def track_skipped(self, n): return 1
        track_skipped.skip_params = [(2,)]
    class NotHere:
        def setup(self): raise NotImplementedError("not today")
        def teardown(self): print("torn down")
        def track_a(self): return 1
        def track_b(self): return 1
    class Broken:
        def setup(self): raise ValueError("broken")
        def teardown(self): print("torn down")
        def track_a(self): return 1
        def track_b(self): return 1
    class Tidy:
        def teardown(self): raise ValueError("too late")
        def track_a(self): return 1
        def track_b(self): return 2
"""

ONCE = {"number": 1, "repeat": 2, "warmup_time": 0}


class Sharing(SuiteCase):
    def share(self, names, **fields):
        """The events of a shared job, in a fork and in a worker of its own, and the worker's output."""
        suite = self.suite(SUITE)
        with Worker(suite) as worker:
            worker.discover()
            forked = worker.fork(names, **fields)
        with Worker(suite) as single:
            ran = single.run(names, **fields)

        def reports(events):
            return [event for event in events if event["event"] in ("result", "failed", "skipped")]

        self.assertEqual([event["event"] for event in reports(ran)], [event["event"] for event in reports(forked)])
        return reports(forked), worker.stdout, only(forked, "exited")["status"]

    def test_one_setup_serves_all(self):
        names = [f"bench.A.{name}" for name in ("time_it", "track_n", "track_twice")]
        reports, output, _ = self.share(names, combination=1, attributes=ONCE)
        self.assertEqual([report["benchmark"] for report in reports], names)
        self.assertEqual([report.get("value") for report in reports], [None, 2, 4])
        self.assertEqual(len(reports[0]["samples"]), 2)
        self.assertTrue(output.rstrip().endswith("init Ms Is x x n 2n It Mt"), output)
        self.assertEqual(output.count("LOG"), 1)

    def test_one_failure_is_one_failure(self):
        names = [f"bench.A.{name}" for name in ("track_fails", "track_n", "track_exits", "track_twice")]
        reports, output, _ = self.share(names, combination=0)
        self.assertEqual([report["event"] for report in reports], ["failed", "result", "failed", "result"])
        self.assertEqual(reports[2]["error"]["type"], "SystemExit")
        self.assertTrue(output.rstrip().endswith("Ms Is f n e 2n It Mt"), output)

    def test_a_functions_own_hooks_stay_its_own(self):
        reports, output, _ = self.share(["bench.A.track_own", "bench.A.track_n"], combination=0)
        self.assertEqual([report["value"] for report in reports], [3, 1])
        self.assertTrue(output.rstrip().endswith("Ms Is Fs o Ft n It Mt"), output)

    def test_a_skipped_combination_skips_its_own_benchmark(self):
        reports, _, _ = self.share(["bench.A.track_skipped", "bench.A.track_n"], combination=1)
        self.assertEqual([report["event"] for report in reports], ["skipped", "result"])

    def test_attributes_of_one_benchmark_win(self):
        by_benchmark = {"bench.A.time_it": {"repeat": 5}}
        reports, _, _ = self.share(
            ["bench.A.time_it", "bench.A.track_n"], combination=0, attributes=ONCE, attributes_by_benchmark=by_benchmark
        )
        self.assertEqual(len(reports[0]["samples"]), 5)

    def test_a_setup_that_does_not_apply_skips_all(self):
        reports, output, _ = self.share(["bench.NotHere.track_a", "bench.NotHere.track_b"])
        self.assertEqual([(report["event"], report["reason"]) for report in reports], [("skipped", "not today")] * 2)
        self.assertEqual(output.count("torn down"), 1)

    def test_a_setup_that_fails_fails_all(self):
        reports, output, _ = self.share(["bench.Broken.track_a", "bench.Broken.track_b"])
        self.assertEqual([(report["event"], report["error"]["message"]) for report in reports], [("failed", "broken")] * 2)
        self.assertNotIn("torn down", output)

    def test_a_teardown_that_fails_comes_too_late_for_the_results(self):
        reports, _, status = self.share(["bench.Tidy.track_a", "bench.Tidy.track_b"])
        self.assertEqual([report["value"] for report in reports], [1, 2])
        self.assertNotEqual(status, 0)


if __name__ == "__main__":
    unittest.main()
