"""Where imports come from, what the import of a suite left behind, and what it says about itself."""

import ast
import os
import sys
import unittest

from driver import MAIN, Worker, only, records
from suites import WIDE, SuiteCase

SOURCES = os.path.dirname(os.path.dirname(MAIN))


class Grammar(unittest.TestCase):
    def test_every_file_is_python_3_9(self):
        count = 0
        for folder, _, names in os.walk(SOURCES):
            for name in names:
                if name.endswith(".py"):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        ast.parse(file.read(), filename=name, feature_version=(3, 9))
                    count += 1
        self.assertGreater(count, 20)

    def test_start_imports_little(self):
        heavy = "inspect textwrap unittest asyncio multiprocessing logging tempfile subprocess importlib.metadata json re".split()
        code = f"import sys; sys.path.insert(0, {os.path.dirname(SOURCES)!r}); sys.dont_write_bytecode = True; before = set(sys.modules); "
        code += "import lcmbench._worker.server; print(*(set(sys.modules) - before))"
        import subprocess

        done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
        self.assertEqual([name for name in heavy if name in done.stdout.split()], [])


class Paths(SuiteCase):
    LOOK = """
        import os, sys
        def track_path(): return sys.path
        def track_import():
            import only_there
            return only_there.__file__
        def track_helpers():
            import lcmbench
            return lcmbench.__doc__
        def track_package():
            return [__name__, __package__, __file__]
    """

    def value(self, name, environment=None):
        with Worker(self.suite(self.LOOK), environment=environment, cwd=self.folder) as worker:
            worker.discover()
            events = worker.fork("bench.track_" + name)
        return events[1].get("value", events[1])

    def foreign_folder(self):
        folder = self.path("foreign")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "only_there.py"), "w") as file:
            file.write("x = 1\n")
        return folder

    def test_nothing_of_the_worker_or_the_suite_is_on_the_path(self):
        path = self.value("path")
        for foreign in (self.folder, SOURCES, os.path.dirname(SOURCES), os.path.dirname(MAIN)):
            self.assertNotIn(foreign, path)

    def test_pythonpath_is_taken_off(self):
        folder = self.foreign_folder()
        for value in (folder, folder + "/", "foreign", os.pathsep.join(["nowhere", folder])):
            with self.subTest(value):
                self.assertEqual(self.value("import", {"PYTHONPATH": value})["event"], "failed")

    def test_the_interpreters_own_folders_stay(self):
        own = os.path.dirname(os.__file__)
        self.assertIn(own, self.value("path", {"PYTHONPATH": own}))

    def test_asv_pythonpath_comes_first(self):
        folder = self.foreign_folder()
        environment = {"ASV_PYTHONPATH": folder, "PYTHONPATH": self.path("other")}
        self.assertEqual(self.value("path", environment)[0], folder)
        self.assertEqual(self.value("import", environment), os.path.join(folder, "only_there.py"))

    def test_the_suite_and_the_helpers_are_importable(self):
        self.assertEqual(self.value("package"), ["benches.bench", "benches", self.path("benches/bench.py")])
        self.assertTrue(self.value("helpers"))


class StandIn(SuiteCase):
    def setUp(self):
        super().setUp()
        try:
            import asv_runner  # noqa: F401
        except ImportError:
            return
        self.skipTest("this interpreter has asv_runner")

    def test_the_decorators_do_what_the_real_ones_do(self):
        suite = self.suite({"marked.py": WIDE["marked.py"]})
        with Worker(suite) as worker:
            events = worker.discover()
        self.assertEqual([event for event in events if event["event"] == "module_error"], [])
        found = {record["name"]: record for record in records(events)}
        self.assertEqual(
            sorted(found),
            ["marked.P.time_p", "marked.P.track_p", "marked.P.track_q", "marked.Q.time_q", "marked.Q.time_r", "marked.Q.time_s"]
            + ["marked.R.time_r", "marked.TimeLost", "marked.time_yes"],
        )
        self.assertEqual(found["marked.P.time_p"]["params"], [["1", "2"], ["'a'", "'b'"]])
        self.assertEqual(found["marked.Q.time_q"]["timeout"], 3)
        self.assertEqual(found["marked.R.time_r"]["timeout"], 5)
        self.assertEqual(found["marked.Q.time_s"]["params"], [["0", "1"]])
        skipped = {event["record"]["name"]: event["skip_params"] for event in events if event["event"] == "benchmark"}
        self.assertEqual([skipped[f"marked.P.{name}"] for name in ("time_p", "track_p", "track_q")], [[0], [3], []])

    def test_skipping_from_within(self):
        suite = self.suite(
            """
            from asv_runner.benchmarks.mark import SkipNotImplemented, benchmark
            @benchmark(timeout=3, number=2)
            def track_x():
                raise SkipNotImplemented("no GPU")
            """
        )
        with Worker(suite) as worker:
            self.assertEqual(only(worker.discover(), "benchmark")["record"]["number"], 2)
            self.assertEqual(only(worker.fork("bench.track_x"), "skipped")["reason"], "no GPU")

    def test_an_unknown_attribute_is_named(self):
        suite = self.suite("from asv_runner.benchmarks.mark import benchmark\n@benchmark(nummber=3)\ndef time_x(): pass\n")
        with Worker(suite) as worker:
            self.assertIn("nummber", only(worker.discover(), "module_error")["error"]["message"])

    def test_only_mark_stands_in(self):
        suite = self.suite("import asv_runner.discovery\n")
        with Worker(suite) as worker:
            self.assertEqual(only(worker.discover(), "module_error")["error"]["type"], "ModuleNotFoundError")


class Facts(SuiteCase):
    def discovered(self, modules, **more):
        with Worker(self.suite(modules), **more) as worker:
            events = worker.discover()
        return only(events, "hello"), only(events, "discovered")

    def test_hello_describes_the_interpreter(self):
        hello, _ = self.discovered("")
        self.assertEqual(hello["python"], "%d.%d.%d" % sys.version_info[:3])
        self.assertEqual(hello["implementation"], sys.implementation.name)
        self.assertEqual(os.path.realpath(hello["executable"]), os.path.realpath(sys.executable))
        self.assertEqual(os.path.realpath(hello["prefix"]), os.path.realpath(sys.prefix))

    def test_packages_are_what_importlib_finds(self):
        from importlib.metadata import distributions

        hello, _ = self.discovered("")
        expected = {}
        for distribution in distributions():
            name = "-".join(part for part in distribution.metadata["Name"].lower().replace("_", "-").replace(".", "-").split("-") if part)
            expected.setdefault(name, distribution.version)
        self.assertEqual(hello["packages"], expected)

    def test_packages_are_read_off_the_names_of_folders(self):
        sys.path.insert(0, os.path.dirname(SOURCES))
        sys.dont_write_bytecode = True
        from lcmbench._worker.interpreter import installed_packages

        for name in ("Foo_Bar-1.2.dist-info", "old-0.1-py3.9.egg-info", "~oken-1.dist-info", "a.b_c-3rc1.dist-info", "other-1.txt"):
            os.makedirs(self.path(name))
        os.makedirs(self.path("dev.egg-info"))
        with open(self.path("dev.egg-info/PKG-INFO"), "w") as file:
            file.write("Metadata-Version: 2.1\nName: dev\nVersion: 4.5.dev1\n")
        self.assertEqual(
            installed_packages([self.folder, self.path("nowhere")]),
            {"foo-bar": "1.2", "old": "0.1", "a-b-c": "3rc1", "dev": "4.5.dev1"},
        )

    def test_what_was_imported(self):
        os.makedirs(self.path("site/spaced"))
        for name in ("single.py", "spaced/inner.py"):
            with open(self.path("site/" + name), "w") as file:
                file.write("x = 1\n")
        modules = {"a.py": "import single, spaced.inner, json, email.message\n", "b/__init__.py": "", "c.py": "import missing\n"}
        _, found = self.discovered(modules, environment={"ASV_PYTHONPATH": self.path("site")})
        imported = found["imported"]
        self.assertEqual(imported["single"], self.path("site/single.py"))
        self.assertEqual(imported["spaced"], self.path("site/spaced"))
        for absent in ("json", "email", "benches", "lcmbench", "sys", "os"):
            self.assertNotIn(absent, imported)
        expected = {"": "__init__.py", "a": "a.py", "b": "b/__init__.py"}
        self.assertEqual(found["modules"], {name: self.path("benches/" + file) for name, file in expected.items()})

    def test_module_level_imports_of_jax_are_found(self):
        modules = {
            "a.py": """
                import os
                try:
                    import jax
                except ImportError:
                    pass
                if os.environ.get("NEVER_SET"):
                    import jax.numpy as jnp
                    with open("x"):
                        from jax import lax
                class C:
                    try:
                        from jax.scipy import stats
                    except ImportError:
                        pass
                    def method(self):
                        import jax
                def function():
                    import jax
                if __name__ == "__main__":
                    import jax
                from typing import TYPE_CHECKING
                if TYPE_CHECKING:
                    import jax
            """,
            "b.py": "def f():\n    import jax\n",
            "c.py": "from .a import C\n",
        }
        _, found = self.discovered(modules)
        lines = [(entry["module"], entry["line"]) for entry in found["jax_imports"]]
        self.assertEqual(lines, [("a", 4), ("a", 8), ("a", 10), ("a", 13)])
        self.assertEqual(found["jax_imports"][0]["file"], self.path("benches/a.py"))

    def test_a_quiet_suite_can_fork(self):
        _, found = self.discovered("import json, threading, decimal\n")
        self.assertTrue(found["fork_safe"], found["fork_reason"])

    def test_a_thread_forbids_forking(self):
        _, found = self.discovered(
            "import threading, time\nthreading.Thread(target=time.sleep, args=(30,), name='watcher', daemon=True).start()\n"
        )
        self.assertFalse(found["fork_safe"])
        self.assertIn("watcher", found["fork_reason"])

    def test_a_low_level_thread_forbids_forking(self):
        _, found = self.discovered("import _thread, time\n_thread.start_new_thread(time.sleep, (30,))\ntime.sleep(0.1)\n")
        self.assertFalse(found["fork_safe"])

    def test_a_team_of_gnus_openmp_forbids_forking(self):
        import shutil
        import subprocess

        compiler = shutil.which("gcc")
        if compiler is None or not os.path.exists("/proc/self/task"):
            self.skipTest("this needs gcc and a system that lists threads")
        with open(self.path("team.c"), "w") as file:
            file.write("int work(void) { int n = 0;\n#pragma omp parallel num_threads(2) reduction(+:n)\nn += 1;\nreturn n; }\n")
        built = subprocess.run(
            [compiler, "-fopenmp", "-shared", "-fPIC", "-o", self.path("team.so"), self.path("team.c")], capture_output=True, check=False
        )
        if built.returncode:
            self.skipTest("this gcc has no OpenMP")
        load = f"import ctypes\nTEAM = ctypes.CDLL({self.path('team.so')!r})\n"
        _, idle = self.discovered(load)
        self.assertTrue(idle["fork_safe"], idle["fork_reason"])
        _, used = self.discovered(load + "TEAM.work()\n")
        self.assertFalse(used["fork_safe"])
        self.assertIn("OpenMP", used["fork_reason"])

    def test_a_mapped_driver_forbids_forking(self):
        if not os.path.exists("/proc/self/maps"):
            self.skipTest("this system does not list mapped files")
        suite = """
            import mmap
            FILE = open(__file__.replace("bench.py", "libcuda.so.1"), "w+b")
            FILE.write(b"x" * 4096)
            FILE.flush()
            MAP = mmap.mmap(FILE.fileno(), 4096)
        """
        _, found = self.discovered(suite)
        self.assertFalse(found["fork_safe"])
        self.assertIn("CUDA", found["fork_reason"])


if __name__ == "__main__":
    unittest.main()
