"""The runner over its two pipes, with fixtures that need nothing installed."""

import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

import package

MAIN = os.path.join(package.FOLDER, "lcmbench", "paths", "main.py")

FIXTURE = """
import os
from lcmbench.paths import Fit, Function, ModelPaths, NoFixture, Parameter, Path, Unavailable
import fixture_module

def residual(value):
    return value - 3.0

def raises(plan, values):
    raise ValueError("out of range")

def no_plan():
    raise Unavailable("not today")

class Line(ModelPaths):
    number = 1
    exercises = "plain"
    reference = "slow"
    compiled = "fast"

    def load(self):
        self.calls = 0

    def paths(self):
        grid = [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
        scaled = lambda plan, values: [[plan * values[0] * x for x in row] for row in grid]
        return [
            Path("fast", lambda: 1.0, scaled),
            Path("slow", lambda: 1.0, scaled),
            Path("off", lambda: 1.0 + 1e-9, scaled),
            Path("raises", lambda: None, raises),
            Path("nan", lambda: float("nan"), scaled),
            Path("flat", lambda: None, lambda plan, values: [1.0, 2.0]),
            Path("text", lambda: None, lambda plan, values: "abc"),
            Path("ragged", lambda: None, lambda plan, values: [[1.0], [1.0, 2.0]]),
            Path("elsewhere", lambda: None, self.only_at_start),
            Path("late", no_plan, scaled),
            Path("ends", lambda: os._exit(7), scaled),
            Path("gone", lambda: None, scaled, unavailable="not installed"),
        ]

    def only_at_start(self, plan, values):
        if values[0] != 2.0:
            raise KeyError("derived once")
        return [[0.0, 2.0, 4.0], [6.0, 8.0, 10.0]]

    def parameters(self):
        return [Parameter("scale", 2.0, 0.0, 10.0), Parameter("fixed", 1.0, free=False)]

    def fit(self, path, run):
        with run.stage("one"):
            value = run.initial(self.parameters())["scale"]
        with run.stage("two"):
            while abs(fixture_module.residual(value)) > 0.5:
                value -= 0.5 * fixture_module.residual(value)
        return Fit({"scale": value}, 2.0)

    def counted(self):
        return [Function("residuals", fixture_module, "residual")]


def fixtures():
    return [Line(), NoFixture(2, "two", "is not meant for this")]
"""


class Runner:
    """One runner process."""

    def __init__(self, directory, **configuration):
        control_read, self._control = os.pipe()
        events_read, events_write = os.pipe()
        self._events = os.fdopen(events_read, "rb")
        self.process = subprocess.Popen(
            [sys.executable, MAIN, str(control_read), str(events_write)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(control_read, events_write),
        )
        os.close(control_read)
        os.close(events_write)
        settings = {"directory": directory, "fixture": None, "examples": None, "package": None}
        self.hello = self.ask("configure", **{**settings, **configuration})

    def ask(self, request, **fields):
        """The reply to a request; None when the process is gone."""
        os.write(self._control, (json.dumps({"request": request, **fields}) + "\n").encode())
        for line in self._events:
            if line.strip():
                return json.loads(line)
        return None

    def close(self):
        os.close(self._control)
        self._events.close()
        return self.process.wait(timeout=60)


class WithFixture(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.write(FIXTURE)

    def write(self, text):
        with open(os.path.join(self.folder, "fixture_module.py"), "w") as file:
            file.write(textwrap.dedent(text))

    def runner(self, fixture="fixture_module", **configuration):
        runner = Runner(self.folder, fixture=fixture, **configuration)
        self.addCleanup(runner.close)
        return runner


class Paths(WithFixture):
    def test_the_configuration_is_answered_with_the_interpreter(self):
        hello = self.runner(package="json").hello
        self.assertEqual(hello["python"], ".".join(map(str, sys.version_info[:3])))
        self.assertTrue(hello["package_file"].endswith("__init__.py"))

    def test_the_list_has_fixtures_and_what_is_none(self):
        fixtures = self.runner().ask("list")["fixtures"]
        self.assertEqual([(entry["number"], entry["name"], entry["reason"]) for entry in fixtures], [(1, "Line", None), (2, "two", "is not meant for this")])

    def test_nothing_is_left_beside_the_module(self):
        self.runner(fixture="./fixture_module.py").ask("list")
        self.assertEqual(os.listdir(self.folder), ["fixture_module.py"])

    def test_a_number_that_there_is_not_is_refused_with_the_list(self):
        runner = self.runner()
        message = runner.ask("load", number=7)["message"]
        self.assertEqual(message, "there is no example 7; there are:\n   1  Line (plain)\n   2  two (is not meant for this)")
        message = runner.ask("load", number=2)["message"]
        self.assertIn("example 2, two, cannot be measured: is not meant for this; there are:\n   1  Line (plain)", message)

    def test_a_path_is_built_timed_and_compared(self):
        runner = self.runner()
        loaded = runner.ask("load", number=1)
        self.assertEqual((loaded["reference"], loaded["compiled"], loaded["fits"]), ("slow", "fast", True))
        self.assertEqual(loaded["paths"][-1], {"label": "gone", "unavailable": "not installed", "compiles": False})
        for path in ("slow", "fast", "off"):
            self.assertEqual(runner.ask("build", path=path)["shape"], [2, 3])
        self.assertGreater(runner.ask("block", path="fast", calls=5)["seconds"], 0)
        self.assertGreater(runner.ask("loop", path="fast", calls=5)["seconds"], 0)
        self.assertEqual(runner.ask("warm", path="fast", calls=5)["event"], "answer")
        differences = runner.ask("compare", path="off", against=["slow", "fast", "nan"])["differences"]
        self.assertEqual(list(differences), ["slow", "fast"])
        # The largest value, 5, times the parameter's value of 2 at the start: it is 1.2 elsewhere.
        self.assertAlmostEqual(differences["slow"], 1e-8, delta=1e-12)

    def test_outputs_that_cannot_be_right_fail_their_path(self):
        runner = self.runner()
        runner.ask("load", number=1)
        runner.ask("build", path="slow")
        reasons = {
            "raises": "ValueError: out of range",
            "nan": "6 of the 6 values of its output are NaN or infinite",
            "flat": "its output is 2, that of the reference, slow, 2 × 3",
            "ragged": "the output is a ragged list",
        }
        for path, reason in reasons.items():
            reply = runner.ask("build", path=path)
            self.assertEqual((reply["event"], reply["reason"]), ("failed", reason))
        self.assertIn("no number", runner.ask("build", path="text")["reason"])
        self.assertNotIn("lcmbench/paths", runner.ask("build", path="raises")["error"]["traceback"])

    def test_a_path_that_is_right_at_the_initial_values_alone_is_found_out(self):
        runner = self.runner()
        runner.ask("load", number=1)
        runner.ask("build", path="slow")
        self.assertEqual(runner.ask("build", path="elsewhere")["event"], "answer")
        reply = runner.ask("compare", path="elsewhere", against=["slow"])
        self.assertEqual(reply["event"], "failed")
        self.assertIn("at the values of start 1, where the reference has an output: KeyError: 'derived once'", reply["reason"])

    def test_a_plan_that_cannot_be_had_is_skipped(self):
        runner = self.runner()
        runner.ask("load", number=1)
        self.assertEqual(runner.ask("build", path="late"), {"event": "skipped", "reason": "not today"})

    def test_a_path_that_ends_the_process_ends_the_stream(self):
        runner = Runner(self.folder, fixture="fixture_module")
        runner.ask("load", number=1)
        self.assertIsNone(runner.ask("build", path="ends"))
        self.assertEqual(runner.close(), 7)

    def test_fits_are_staged_counted_and_started_elsewhere(self):
        runner = self.runner()
        runner.ask("load", number=1)
        own = runner.ask("fit", path="fast", watch="counted", start=0, known=[])
        stages = [(stage["label"], stage["watched"]["residuals"]["calls"]) for stage in own["stages"]]
        self.assertEqual(stages, [("one", 0), ("two", 3)])
        self.assertEqual((own["values"], own["reduced_chi_square"], own["starts"]), ({"scale": 2.5}, 2.0, {"scale": 2.0}))
        start = runner.ask("fit", path="fast", watch=None, start=1, known=[own["starts"]])
        self.assertEqual(start["starts"], {"scale": 1.2})
        again = runner.ask("fit", path="fast", watch=None, start=1, known=[own["starts"], start["starts"]])
        self.assertEqual(again, {"event": "skipped", "reason": "the start is that of run 1"})

    def test_a_reference_is_held_to_what_it_was_at_first(self):
        runner = self.runner()
        runner.ask("load", number=1)
        runner.ask("build", path="slow")
        self.assertEqual(runner.ask("compare", path="slow", against=["slow"])["differences"], {"slow": 0.0})

    def reason_of_drifting_path(self, body):
        self.write(
            f"""
            from lcmbench.paths import Fit, ModelPaths, Parameter, Path
            count = [0]
            def evaluate(plan, values):
                count[0] += 1
                {body}
                return [1.0, 2.0]
            class A(ModelPaths):
                number = 1
                reference = compiled = "only"
                def paths(self):
                    return [Path("only", list, evaluate)]
                def parameters(self):
                    return [Parameter("a", 1.0)]
            """
        )
        runner = self.runner()
        runner.ask("load", number=1)
        built = runner.ask("build", path="only")
        return built.get("reason") or runner.ask("compare", path="only", against=[]).get("reason")

    def test_outputs_that_change_between_calls_fail_their_path(self):
        later = self.reason_of_drifting_path
        self.assertEqual(later("if count[0] > 1: return [[1.0]]"), "its output was 2 at first and is 1 × 1 now")
        self.assertEqual(later("if count[0] > 1: return [1.0, float('nan')]"), "1 of the 2 values of its output are NaN or infinite")
        self.assertEqual(later("return []"), "its output is empty")
        self.assertEqual(later("values[0] += 1"), "`evaluate` changed the list of values that it was given, so that later calls got others")

    def reply_of_fit(self, old, new):
        """What a fit of the fixture brings with a part of its text replaced."""
        self.write(FIXTURE.replace(old, new))
        runner = self.runner()
        runner.ask("load", number=1)
        return runner.ask("fit", path="fast", watch=None, start=0, known=[])

    def test_fits_without_a_usable_result_fail(self):
        for result, reason in (
            ("3", "fit() of the fixture must return a Fit, not an int"),
            ("Fit({'scale': 1.0}, float('nan'))", "the reduced chi-square of the fit is nan"),
            ("Fit({'scale': float('inf')}, 1.0)", "the fitted value of `scale` is inf"),
        ):
            reply = self.reply_of_fit('Fit({"scale": value}, 2.0)', result)
            self.assertEqual((reply["event"], reply["reason"]), ("failed", reason))
        reply = self.reply_of_fit("with run.stage", "with __import__('contextlib').nullcontext")
        self.assertEqual(reply["reason"], "the fit of the fixture has no stage: `with run.stage(...)` is missing")
        reply = self.reply_of_fit('run.stage("two")', 'run.stage("one")')
        self.assertEqual(reply, {"event": "refused", "message": "two stages of the fit have the label `one`"})

    def test_requests_out_of_order_are_refused(self):
        runner = self.runner()
        self.assertEqual(runner.ask("build", path="fast")["message"], "`load` must come first")
        self.assertEqual(runner.ask("nonsense")["message"], "there is no request `nonsense`")

    def test_the_process_can_be_traced(self):
        runner = self.runner()
        self.assertEqual(runner.ask("trace")["pid"], runner.process.pid)


class Modules(WithFixture):
    def assert_refused(self, text, part, event="refused"):
        self.write(text)
        reply = self.runner().ask("list")
        self.assertEqual(reply["event"], event)
        self.assertIn(part, reply.get("message") or reply.get("reason"))

    def test_modules_without_usable_fixtures_are_refused(self):
        self.assert_refused("x = 1", "fixture_module declares no fixture")
        self.assert_refused("import nowhere_to_be_found", "ModuleNotFoundError: No module named 'nowhere_to_be_found'", "failed")
        message = self.runner(fixture="nowhere.to_be_found").ask("list")["message"]
        self.assertEqual(message, f"there is no module `nowhere`: {self.folder} was looked in first, then Python's own module path")
        self.assert_refused("def fixtures():\n    pass", "fixtures() must return a list of fixtures, not NoneType")
        self.assert_refused("from lcmbench.paths import ModelPaths\nclass A(ModelPaths):\n    pass", "the fixture A needs a `number`")
        self.assert_refused(
            "from lcmbench.paths import ModelPaths\nclass A(ModelPaths):\n    number = 1\nclass B(ModelPaths):\n    number = 1",
            "the fixtures A and B have the same number 1",
        )
        self.assert_refused("def fixtures():\n    return [3]", "3 does not derive from lcmbench.paths.ModelPaths")
        self.assertIn("there is no file", self.runner(fixture="no/such.py").ask("list")["message"])

    def test_a_fixture_must_have_its_reference(self):
        self.write(
            """
            from lcmbench.paths import ModelPaths, Parameter, Path
            class A(ModelPaths):
                number = 1
                def paths(self):
                    return [Path("compiled", list, list)]
                def parameters(self):
                    return []
            """
        )
        reply = self.runner().ask("load", number=1)
        self.assertEqual(reply, {"event": "refused", "message": "`reference` of A is `interpreter`, which is none of its paths: compiled"})

    def test_a_file_is_imported_whatever_else_has_its_name(self):
        with open(os.path.join(self.folder, "json.py"), "w") as file:
            file.write("from lcmbench.paths import ModelPaths\nclass A(ModelPaths):\n    number = 1\n")
        fixtures = self.runner(fixture="./json.py").ask("list")["fixtures"]
        self.assertEqual([entry["name"] for entry in fixtures], ["A"])


if __name__ == "__main__":
    unittest.main()
