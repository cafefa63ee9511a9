"""The package that is measured stays the one that the discovery found, or its benchmark fails."""

import os
import unittest

from driver import Worker, only
from suites import SuiteCase

SUITE = """
    import os, sys
    import measured

    OTHER = {other!r}

    def again(folder):
        for name in [name for name in sys.modules if name.partition(".")[0] == "measured"]:
            del sys.modules[name]
        sys.path.insert(0, folder)
        import measured

    def track_same(): return measured.value

    class InSetup:
        def setup(self): again(OTHER)
        def time_x(self): pass

    class InBenchmark:
        def track_x(self):
            again(OTHER)
            return sys.modules["measured"].value

    class InCache:
        def setup_cache(self):
            again(OTHER)
            return 1
        def track_x(self, cache): return cache

    class Reload:
        def track_x(self):
            again({link!r})
            return sys.modules["measured"].value
"""


class Package(SuiteCase):
    def setUp(self):
        super().setUp()
        for folder, value in (("own", 1), ("other", 2)):
            os.makedirs(self.path(f"{folder}/measured"))
            with open(self.path(f"{folder}/measured/__init__.py"), "w") as file:
                file.write(f"value = {value}\n")
        os.symlink(self.path("own"), self.path("link"))
        self.benches = self.suite(SUITE.format(other=self.path("other"), link=self.path("link")))
        self.expected = self.path("own/measured/__init__.py")

    def worker(self, **configuration):
        return Worker(self.benches, environment={"ASV_PYTHONPATH": self.path("own")}, package="measured", **configuration)

    def forked(self, name, **fields):
        with self.worker() as worker:
            self.assertEqual(worker.discover()[-1]["package_file"], self.expected)
            return worker.fork("bench." + name, **fields)

    def spawned(self, name, **fields):
        with self.worker(package_file=self.expected) as worker:
            return worker.run("bench." + name, **fields)

    def test_what_stays_is_measured(self):
        for run in (self.forked, self.spawned):
            for name in ("track_same", "Reload.track_x"):
                self.assertEqual(only(run(name), "result")["value"], 1)

    def test_what_is_imported_from_elsewhere_fails_its_benchmark(self):
        for run in (self.forked, self.spawned):
            for name in ("InSetup.time_x", "InBenchmark.track_x"):
                with self.subTest(name):
                    events = run(name)
                    self.assertEqual([event for event in events if event["event"] == "result"], [])
                    error = only(events, "failed")["error"]
                    self.assertEqual(error["type"], "ImportedElsewhere")
                    self.assertTrue(
                        error["message"].startswith(
                            f"the package `measured` was imported from {self.path('other/measured/__init__.py')} in this benchmark, and from "
                            f"{self.expected} when the suite was discovered"
                        ),
                        error["message"],
                    )

    def test_a_cache_is_checked_as_well(self):
        folder = self.path("cache")
        os.mkdir(folder)
        events = self.forked("InCache.track_x", kind="setup_cache", cwd=folder)
        self.assertEqual(only(events, "failed")["error"]["type"], "ImportedElsewhere")
        self.assertEqual([event for event in events if event["event"] == "cached"], [])

    def strange_module(self, folder):
        """A suite that imports a module of the package from that folder, when it is imported itself or in a benchmark."""
        os.makedirs(self.path(f"{folder}/measured"))
        with open(self.path(f"{folder}/measured/extra.py"), "w") as file:
            file.write("value = 3\n")
        text = f"""
            import importlib
            import measured

            def extra():
                measured.__path__.append({self.path(folder + "/measured")!r})
                return importlib.import_module("measured.extra").value

            class Late:
                def track_x(self): return extra()
        """
        return text, self.path(f"{folder}/measured/extra.py")

    def in_fork_and_spawned(self, text, checkout):
        for late in (False, True):
            suite = self.suite(text if late else text.rstrip() + "\n            extra()\n")
            options = {"environment": {"ASV_PYTHONPATH": self.path("own")}, "package": "measured", "checkout": checkout}
            with Worker(suite, **options) as worker:
                yield worker.discover()[-1], worker.fork("bench.Late.track_x")
            with Worker(suite, package_file=self.expected, **options) as worker:
                yield None, worker.run("bench.Late.track_x")

    def test_a_module_from_elsewhere_is_told_and_fails_its_benchmark(self):
        text, file = self.strange_module("elsewhere")
        told = []
        for discovered, events in self.in_fork_and_spawned(text, self.path("own")):
            error = only(events, "failed")["error"]
            self.assertEqual(error["type"], "ImportedElsewhere")
            self.assertEqual(
                error["message"],
                f"the module `measured.extra` of the measured package was imported from {file}, which is not checked out in {self.path('own')}",
            )
            if discovered:
                told.append(discovered["package_strays"])
        self.assertEqual(told, [{"measured.extra": file}, {}])

    def test_a_module_from_elsewhere_in_the_checkout_is_measured(self):
        text, _ = self.strange_module("own/build")
        for _, events in self.in_fork_and_spawned(text, self.path("own")):
            self.assertEqual(only(events, "result")["value"], 3)

    def test_an_installed_copy_in_the_checkout_is_none_of_it(self):
        text, _ = self.strange_module("own/venv/site-packages")
        for _, events in self.in_fork_and_spawned(text, self.path("own")):
            self.assertEqual(only(events, "failed")["error"]["type"], "ImportedElsewhere")

    def test_without_a_name_nothing_is_checked(self):
        with Worker(self.benches, environment={"ASV_PYTHONPATH": self.path("own")}) as worker:
            worker.discover()
            self.assertEqual(only(worker.fork("bench.InBenchmark.track_x"), "result")["value"], 2)


if __name__ == "__main__":
    unittest.main()
