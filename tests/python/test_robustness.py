"""Suites that misbehave, and what is left of the worker after them."""

import json
import os
import signal
import subprocess
import sys
import time
import unittest

from driver import MAIN, Worker, only, records
from suites import SuiteCase


class BadImports(SuiteCase):
    def errors(self, suite):
        """The module errors of a suite, and the names of the benchmarks that it still has."""
        with Worker(suite) as worker:
            events = worker.discover()
            self.assertEqual(events[-1]["event"], "discovered")
        return [event for event in events if event["event"] == "module_error"], [record["name"] for record in records(events)]

    def test_one_broken_module_does_not_hide_the_others(self):
        modules = {f"m{number}.py": "def track_x(): return 1\n" for number in range(5)}
        modules["m2.py"] = "import no_such_module\n"
        errors, names = self.errors(self.suite(modules))
        self.assertEqual(names, ["m0.track_x", "m1.track_x", "m3.track_x", "m4.track_x"])
        self.assertEqual([(error["module"], error["object"]) for error in errors], [("m2", None)])
        error = errors[0]["error"]
        self.assertEqual(error["type"], "ModuleNotFoundError")
        self.assertIn("import no_such_module", error["traceback"])
        self.assertNotIn("importlib", error["traceback"])

    def test_whatever_a_module_raises_is_its_own_error(self):
        modules = {
            "a.py": "import sys; sys.exit(0)\n",
            "b.py": "def broken(:\n",
            "c.py": "raise KeyboardInterrupt\n",
            "d/__init__.py": "1 / 0\n",
            "d/e.py": "def track_x(): return 1\n",
            "f.py": "def track_x(): return 1\n",
            "g.py": "class Odd(BaseException):\n    def __str__(self): raise ValueError\nraise Odd\n",
        }
        errors, names = self.errors(self.suite(modules))
        self.assertEqual(names, ["f.track_x"])
        found = {error["module"]: error["error"]["type"] for error in errors}
        self.assertEqual(
            found,
            {"a": "SystemExit", "b": "SyntaxError", "c": "KeyboardInterrupt", "d": "ZeroDivisionError", "g": "Odd"},
        )

    def test_a_package_that_cannot_be_imported(self):
        errors, names = self.errors(self.suite({"m.py": "def track_x(): return 1\n"}, init="1 / 0\n"))
        self.assertEqual(([error["module"] for error in errors], names), ([""], []))

    def test_a_class_that_cannot_be_made(self):
        suite = self.suite(
            """
            class A:
                def __init__(self): raise ValueError("no")
                def time_x(self): pass
                def track_y(self): return 1
            class B:
                def setup(self): pass
                def Setup(self): pass
                def track_x(self): return 1
            class C:
                params = [1, (2, 3)]
                def track_x(self, n): return 1
                def track_y(self): return 1
                track_y.params = [(1,), 2]
            def track_z(): return 1
            exec("def time_nowhere(): pass")
            """
        )
        errors, names = self.errors(suite)
        self.assertEqual(names, ["bench.C.track_x", "bench.track_z"])
        self.assertEqual(
            [(error["object"], error["error"]["type"]) for error in errors],
            [("A", "ValueError"), ("B.track_x", "ValueError"), ("C.track_y", "WrongAttribute"), ("time_nowhere", "OSError")],
        )

    def test_a_folder_that_is_no_suite(self):
        cases = {
            "no __init__": ({"bench.py": ""}, "__init__.py"),
            "module beside package": ({"x.py": "", "x/__init__.py": ""}, "x.py"),
            "deeper": ({"y/__init__.py": "", "y/x.py": "", "y/x/__init__.py": ""}, "x.py"),
        }
        for name, (modules, word) in cases.items():
            with self.subTest(name):
                folder = self.suite(modules, name=name.replace(" ", "_"))
                if name == "no __init__":
                    os.remove(os.path.join(folder, "__init__.py"))
                with Worker(folder) as worker:
                    error = worker.discover()[-1]
                self.assertEqual(error["event"], "suite_error")
                self.assertIn(word, error["message"])
        with Worker(self.path("nowhere")) as worker:
            self.assertEqual(worker.discover()[-1]["event"], "suite_error")

    def test_a_folder_that_is_called_like_a_module_of_python(self):
        for name, word in (("os", "`os`"), ("my.benches", "dot")):
            with self.subTest(name), Worker(self.suite("def track_x(): return 1\n", name=name)) as worker:
                self.assertIn(word, only(worker.discover(), "suite_error")["message"])

    def test_a_module_that_replaces_itself(self):
        modules = {"a.py": "import sys\nsys.modules[__name__] = 3\n", "b.py": "def track_x(): return 1\n"}
        errors, names = self.errors(self.suite(modules))
        self.assertEqual((len(errors), names), (1, ["b.track_x"]))

    def test_requests_out_of_order(self):
        suite = self.suite("def track_x(): return 1\n")
        with Worker(suite) as worker:
            events = worker.fork("bench.track_x")
            self.assertEqual((events[-1]["event"], events[-1]["id"]), ("suite_error", 1))
            worker.ask("dance")
            self.assertEqual(worker.events_until("suite_error")[-1]["id"], None)
            worker.discover()
            only(worker.fork("bench.track_x"), "result")


class BadBenchmarks(SuiteCase):
    BAD = """
        import os, signal, sys, time
        def track_good(): return 1
        def track_prints():
            for _ in range(2000):
                os.write(1, b"x" * 5000)
            return 1
        def track_closes():
            os.closerange(3, 1000)
            return 1
        def track_closes_streams():
            os.close(1); os.close(2)
            return 1
        def track_writes_to_closed():
            os.close(1)
            os.write(1, b"into nothing")
            return 1
        def track_python_closes():
            sys.stdout.close(); sys.stderr.close(); sys.stdout = None
            return 1
        def track_leaves_children():
            if os.fork() == 0:
                time.sleep(60)
                os._exit(0)
            return 1
        def track_comes_back_twice():
            os.fork()
            return 1
        def track_exits(): os._exit(7)
        def track_crashes(): os.kill(os.getpid(), signal.SIGSEGV)
        def track_ignores():
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(60)
        def track_thread():
            import threading
            threading.Thread(target=time.sleep, args=(60,)).start()
            return 1
        def track_cwd():
            os.chdir("/")
            return 1
        def track_unicode(): return "\\u00e9\\u4e16\\U0001f600\\udc80"
        def track_deep():
            value = []
            for _ in range(100_000):
                value = [value]
            return value
        def track_circle():
            value = []
            value.append(value)
            return value
        def track_bad_samples(): return {"samples": ["a"], "number": 1}
        def track_message(): raise ValueError("\\udc80" + "x" * 1_000_000)
    """

    def setUp(self):
        super().setUp()
        self.worker = Worker(self.suite(self.BAD))
        self.worker.discover()

    def tearDown(self):
        """Whatever happened, the server still measures."""
        self.assertEqual(only(self.worker.fork("bench.track_good"), "result")["value"], 1)
        self.worker.close()
        self.assertEqual(self.worker.process.returncode, 0)

    def fork(self, name):
        return self.worker.fork("bench." + name)

    def exit_status(self, events):
        return only(events, "exited")["status"]

    def test_prints_a_lot(self):
        self.assertEqual(only(self.fork("track_prints"), "result")["value"], 1)

    def test_closes_every_descriptor(self):
        events = self.fork("track_closes")
        self.assertEqual([event["event"] for event in events], ["started", "exited"])
        self.assertNotEqual(self.exit_status(events), 0)

    def test_closes_its_streams(self):
        self.assertEqual(only(self.fork("track_closes_streams"), "result")["value"], 1)
        self.assertEqual(only(self.fork("track_python_closes"), "result")["value"], 1)
        self.assertEqual(only(self.fork("track_writes_to_closed"), "failed")["error"]["type"], "OSError")

    def test_leaves_children_behind(self):
        began = time.monotonic()
        events = self.fork("track_leaves_children")
        self.assertEqual(only(events, "result")["value"], 1)
        self.assertLess(time.monotonic() - began, 30)
        os.killpg(only(events, "exited")["pid"], signal.SIGKILL)

    def test_comes_back_twice(self):
        events = self.fork("track_comes_back_twice")
        self.assertEqual([event["event"] for event in events], ["started", "result", "exited"])

    def test_exits(self):
        events = self.fork("track_exits")
        self.assertEqual([event["event"] for event in events], ["started", "exited"])
        self.assertEqual(os.WEXITSTATUS(self.exit_status(events)), 7)

    def test_crashes(self):
        events = self.fork("track_crashes")
        self.assertEqual(os.WTERMSIG(self.exit_status(events)), signal.SIGSEGV)
        self.worker.close()
        self.assertIn("track_crashes", self.worker.stderr)
        self.worker = Worker(self.path("benches"))
        self.worker.discover()

    def test_ignores_a_polite_signal(self):
        self.worker.ask("fork", job=self.worker.job("bench.track_ignores"))
        pid = only(self.worker.events_until("started"), "started")["pid"]
        self.assertEqual(os.getpgid(pid), pid)
        time.sleep(0.3)
        os.killpg(pid, signal.SIGTERM)
        time.sleep(0.2)
        os.killpg(pid, signal.SIGKILL)
        self.assertEqual(os.WTERMSIG(only(self.worker.events_until("exited"), "exited")["status"]), signal.SIGKILL)

    def test_leaves_a_thread(self):
        began = time.monotonic()
        self.assertEqual(only(self.fork("track_thread"), "result")["value"], 1)
        self.assertLess(time.monotonic() - began, 30)

    def test_changes_the_folder(self):
        self.assertEqual(only(self.fork("track_cwd"), "result")["value"], 1)

    def test_returns_odd_values(self):
        self.assertEqual(only(self.fork("track_unicode"), "result")["value"], "\u00e9\u4e16\U0001f600\\udc80")
        for name, error in (("deep", "RecursionError"), ("circle", "ValueError"), ("bad_samples", "TypeError")):
            failed = only(self.fork("track_" + name), "failed")
            self.assertEqual((failed["kind"], failed["error"]["type"]), ("unserializable", error))

    def test_a_huge_message_is_cut(self):
        error = only(self.fork("track_message"), "failed")["error"]
        self.assertTrue(error["message"].startswith("\\udc80xxx"))
        self.assertLess(len(error["message"]), 101_000)
        self.assertIn("characters left out", error["message"])


def is_alive(pid):
    """Whether a process still runs; one that nobody waits for does not."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


class Process(SuiteCase):
    def test_the_child_dies_with_the_parent(self):
        suite = self.suite("import time\ndef track_sleeps(): time.sleep(60)\n")
        worker = Worker(suite)
        worker.discover()
        worker.ask("fork", job=worker.job("bench.track_sleeps"))
        pid = only(worker.events_until("started"), "started")["pid"]
        began = time.monotonic()
        worker.close()
        self.assertLess(time.monotonic() - began, 30)
        with self.assertRaises(ProcessLookupError):
            os.kill(pid, 0)

    def test_a_job_that_ends_its_server_ends_with_it(self):
        suite = self.suite(
            """
            import os, signal
            def track_parents():
                server = os.getppid()
                while os.getppid() == server:
                    os.kill(server, signal.SIGKILL)
                open(os.environ["FLAG"], "w").close()
            """
        )
        flag = self.path("has another parent")
        for _ in range(20):
            with Worker(suite, environment={"FLAG": flag}) as worker:
                worker.discover()
                events = worker.fork("bench.track_parents")
                self.assertEqual(worker.process.wait(timeout=60), -signal.SIGKILL)
                job = only(events, "started")["pid"]
                deadline = time.monotonic() + 60
                while is_alive(job) and time.monotonic() < deadline:
                    time.sleep(0.01)
                self.assertFalse(is_alive(job))
                self.assertFalse(os.path.exists(flag))

    def test_ignored_and_blocked_signals_are_not_inherited(self):
        suite = self.suite("import os, signal\ndef track_x(): os.kill(os.getpid(), signal.SIGTERM); return 1\n")
        old = signal.signal(signal.SIGTERM, signal.SIG_IGN)
        try:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
            with Worker(suite) as worker:
                worker.discover()
                events = worker.fork("bench.track_x")
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
            signal.signal(signal.SIGTERM, old)
        self.assertEqual(os.WTERMSIG(only(events, "exited")["status"]), signal.SIGTERM)

    def test_programs_of_a_benchmark_do_not_get_the_channel(self):
        suite = self.suite(
            """
            import os, subprocess, sys
            def track_descriptors():
                code = "import os; print([fd for fd in range(3, 64) if os.path.exists('/proc/self/fd/%d' % fd)])"
                return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, close_fds=False).stdout.strip()
            def track_control():
                return len([fd for fd in range(3, 64) if os.path.exists("/proc/self/fd/%d" % fd)])
            """
        )
        if not os.path.exists("/proc/self/fd"):
            self.skipTest("this system does not list descriptors")
        with Worker(suite) as worker:
            worker.discover()
            self.assertEqual(only(worker.fork("bench.track_descriptors"), "result")["value"], "[]")
            # The events, and the end of the pipe that ties the job to its server.
            self.assertEqual(only(worker.fork("bench.track_control"), "result")["value"], 2)

    def test_an_old_python_says_which_it_is(self):
        here = os.path.dirname(MAIN)
        code = "import sys; sys.version_info = (3, 8, 1, 'final', 0); sys.argv = ['main.py', '0', '1']; import runpy; "
        code += f"runpy.run_path({MAIN!r}, run_name='__main__')"
        done = subprocess.run(
            [sys.executable, "-c", code], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True, cwd=here
        )
        self.assertEqual(json.loads(done.stdout), {"event": "hello", "python": "3.8.1"})


if __name__ == "__main__":
    unittest.main()
