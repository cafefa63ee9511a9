"""Attributes that a suite states wrongly: one clear error for that benchmark, and no other one suffers."""

import unittest

from driver import Worker, only, records
from suites import SuiteCase


class Discovery(SuiteCase):
    def errors(self, text):
        """The messages of the errors by object, and the names that are still there."""
        with Worker(self.suite(text)) as worker:
            events = worker.discover()
        errors = [event for event in events if event["event"] == "module_error"]
        for event in errors:
            self.assertEqual(event["error"]["type"], "WrongAttribute")
            self.assertEqual(event["error"]["traceback"], f"WrongAttribute: {event['error']['message']}\n")
        return {event["object"]: event["error"]["message"] for event in errors}, [record["name"] for record in records(events)]

    def test_each_is_named_with_its_value_and_what_is_expected(self):
        wrong = {
            "timeout": ("'abc'", "`timeout` is 'abc' (str); it must be a number of seconds above 0"),
            "number": ("[1]", "`number` is [1] (list); it must be a whole number, 0 or more"),
            "repeat": ("(1, 2)", "`repeat` is (1, 2) (tuple); it must be a whole number, 0 or more, or (least, most, seconds)"),
            "rounds": ("'two'", "`rounds` is 'two' (str); it must be a whole number, 0 or more"),
            "processes": ("-1", "`processes` is -1 (int); it must be a whole number, 0 or more"),
            "sample_time": ("{}", "`sample_time` is {} (dict); it must be a number of seconds, 0 or more"),
            "warmup_time": ("'0'", "`warmup_time` is '0' (str); it must be a number of seconds, below 0 for the usual time"),
            "min_run_count": ("()", "`min_run_count` is () (tuple); it must be a whole number"),
            "params": ("5", "`params` is 5 (int); it must be a list of values, or a list with one list of values for each axis"),
            "param_names": ("5", "`param_names` is 5 (int); it must be a list of names"),
            "skip_params": ("[1, 2]", "`skip_params` is [1, 2] (list); it must be a list with one tuple of values for each combination"),
            "timer": ("'clock'", "`timer` is 'clock' (str); it must be a function"),
            "setup": ("1", "`setup` is 1 (int); it must be a function"),
            "teardown": ("1", "`teardown` is 1 (int); it must be a function"),
            "setup_cache": ("1", "`setup_cache` is 1 (int); it must be a function"),
        }
        text = "def time_good(): pass\n"
        for name, (value, _) in wrong.items():
            params = "    params = [1, 2]\n" if name == "skip_params" else ""
            text += f"class Wrong_{name}:\n{params}    {name} = {value}\n    def time_x(self, *args): pass\n"
        errors, names = self.errors(text)
        self.assertEqual(names, ["bench.time_good"])
        self.assertEqual(errors, {f"Wrong_{name}.time_x": message for name, (_, message) in wrong.items()})

    def test_an_axis_and_a_value_that_cannot_be_shown(self):
        errors, names = self.errors(
            """
            class Odd:
                def __repr__(self): raise ValueError
            def track_axes(x, y): return 1
            track_axes.params = [[1, 2], 3]
            def track_odd(): return 1
            track_odd.timeout = Odd()
            def timeraw_env(): return "pass"
            timeraw_env.env = ["A"]
            """
        )
        self.assertEqual(names, [])
        self.assertEqual(errors["track_axes"], "`params[1]` is 3 (int); it must be a list of values, as the first axis is")
        self.assertEqual(errors["track_odd"], "`timeout` is something that cannot be shown (Odd); it must be a number of seconds above 0")
        self.assertEqual(errors["timeraw_env"], "`env` is ['A'] (list); it must be a dict of names and values")

    def test_a_time_out_of_nothing_leaves_no_process_a_chance(self):
        errors, names = self.errors(
            """
            def track_zero(): return 1
            track_zero.timeout = 0
            def track_cached(cache): return cache
            def setup_cache(): return 1
            setup_cache.timeout = 0.0
            track_cached.setup_cache = setup_cache
            setup_cache = None
            def track_soon(): return 1
            track_soon.timeout = 1e-9
            """
        )
        self.assertEqual(names, ["bench.track_soon"])
        self.assertEqual(errors["track_zero"], "`timeout` is 0 (int); it must be a number of seconds above 0")
        self.assertEqual(errors["track_cached"], "`setup_cache.timeout` is 0.0 (float); it must be a number of seconds above 0")

    def test_what_asv_gets_along_with_stays(self):
        errors, names = self.errors(
            """
            from fractions import Fraction
            class Suite:
                timeout = Fraction(1, 2)
                number = "5"
                repeat = [1, 2, 3.5]
                rounds = 2.0
                warmup_time = -1
                params = "ab"
                param_names = "x"
                def time_x(self, x): pass
            def track_long(): return 1
            track_long.timeout = float("inf")
            """
        )
        self.assertEqual((errors, names), ({}, ["bench.Suite.time_x", "bench.track_long"]))


class Running(SuiteCase):
    def test_what_a_setup_states_wrongly_is_named_too(self):
        text = """
            class Suite:
                def setup(self): self.repeat = "many"
                def time_x(self): pass
        """
        with Worker(self.suite(text)) as worker:
            worker.discover()
            events = worker.fork("bench.Suite.time_x")
        error = only(events, "failed")["error"]
        self.assertEqual(error["message"], "`repeat` is 'many' (str); it must be a whole number, 0 or more, or (least, most, seconds)")


if __name__ == "__main__":
    unittest.main()
