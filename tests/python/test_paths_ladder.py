"""The starts of the variability report."""

import math
import unittest

import package  # noqa: F401
from lcmbench.paths.ladder import factor, start_value, start_values
from lcmbench.paths.model import Parameter
from lcmbench.paths.run import Run, SameStart

INFINITE = math.inf


class Ladder(unittest.TestCase):
    def test_parameters_take_turns_on_the_rungs(self):
        self.assertEqual([factor(0, run) for run in (1, 2, 3, 4)], [0.6, 0.8, 1.25, 1.6])
        self.assertEqual([factor(index, 1) for index in range(5)], [0.6, 0.8, 1.25, 1.6, 0.6])
        self.assertEqual(factor(1, 4), 0.6)

    def test_runs_beyond_the_fourth_take_higher_powers(self):
        squares = [factor(0, run) for run in (5, 6, 7, 8)]
        for got, expected in zip(squares, [0.36, 0.64, 1.5625, 2.56]):
            self.assertAlmostEqual(got, expected)
        self.assertAlmostEqual(factor(0, 9), 0.216)
        factors = [round(factor(0, run), 12) for run in range(1, 21)]
        self.assertEqual(len(set(factors)), 20)

    def test_values_are_scaled_and_clipped_with_a_margin(self):
        self.assertAlmostEqual(start_value(Parameter("a", 10.0, 0.0, 100.0), 0, 1), 6.0)
        self.assertAlmostEqual(start_value(Parameter("a", 84.5, 82.0, 88.0), 0, 1), 82.06)
        self.assertAlmostEqual(start_value(Parameter("a", 84.5, 82.0, 88.0), 0, 4), 87.94)
        self.assertAlmostEqual(start_value(Parameter("a", -1.0, -5.0, 5.0), 0, 4), -1.6)

    def test_zero_moves_by_a_tenth_of_the_span_where_there_is_one(self):
        self.assertAlmostEqual(start_value(Parameter("a", 0.0, -0.75, 0.75), 0, 1), 0.15)
        self.assertAlmostEqual(start_value(Parameter("a", 0.0, -0.75, 0.75), 2, 1), 0.15)
        self.assertEqual(start_value(Parameter("a", 0.0, -1.0, INFINITE), 0, 1), 0.0)
        self.assertEqual(start_value(Parameter("a", 0.0), 0, 1), 0.0)

    def test_a_value_that_would_leave_one_sided_bounds_stays(self):
        self.assertEqual(start_value(Parameter("a", 2.0, 1.5, INFINITE), 0, 1), 2.0)
        self.assertAlmostEqual(start_value(Parameter("a", 2.0, 1.5, INFINITE), 0, 3), 2.5)
        self.assertEqual(start_value(Parameter("a", -1.0, -INFINITE, -0.7), 0, 1), -1.0)

    def test_the_index_counts_free_parameters_alone(self):
        parameters = [Parameter("a", 1.0), Parameter("b", 1.0, free=False), Parameter("c", 1.0)]
        self.assertEqual(start_values(parameters, 1), {"a": 0.6, "c": 0.8})
        self.assertEqual(start_values(parameters, 0), {"a": 1.0, "c": 1.0})


class Runs(unittest.TestCase):
    def test_the_same_start_is_not_run_twice(self):
        # One parameter that both the first and the fifth run push to its lower bound.
        parameters = [Parameter("a", 1.0, 0.9, 1.1)]
        first = Run([], 1)
        first.initial(parameters)
        known = [{"a": 1.0}, first.starts, None, None, None]
        with self.assertRaises(SameStart) as caught:
            Run([], 5, known).initial(parameters)
        self.assertEqual(caught.exception.run, 1)
        self.assertIn("run 1", str(caught.exception))
        self.assertEqual(Run([], 3, known).initial(parameters), {"a": 1.098})

    def test_stages_are_timed_and_counted(self):
        import lcmbench.paths.ladder as owner
        from lcmbench.paths.model import Function

        run = Run([Function("factors", owner, "factor")])
        original = owner.factor
        with run.spies:
            with run.stage("one"):
                owner.factor(0, 1)
                owner.factor(0, 2)
            owner.factor(0, 3)
            with run.stage("two"):
                pass
        self.assertIs(owner.factor, original)
        counts = [(stage["label"], stage["watched"]["factors"]["calls"]) for stage in run.stages]
        self.assertEqual(counts, [("one", 2), ("two", 0)])
        self.assertTrue(all(stage["seconds"] >= 0 for stage in run.stages))


class Spies(unittest.TestCase):
    def test_the_time_of_inner_calls_is_not_counted_twice_and_functions_are_put_back(self):
        import time
        import types

        from lcmbench.paths.model import Function
        from lcmbench.paths.spies import Spies

        owner = types.SimpleNamespace()
        owner.inner = lambda: time.sleep(0.02)
        owner.outer = lambda: owner.inner()
        originals = vars(owner).copy()
        spies = Spies([Function("outer", owner, "outer"), Function("inner", owner, "inner")])
        with self.assertRaises(ZeroDivisionError):
            with spies:
                owner.outer()
                raise ZeroDivisionError
        self.assertEqual(spies.calls, {"outer": 1, "inner": 1})
        self.assertGreaterEqual(spies.seconds["inner"], 0.02)
        self.assertLess(spies.seconds["outer"], spies.seconds["inner"])
        self.assertEqual(vars(owner), originals)

    def test_a_function_that_is_not_there_leaves_the_others_as_they_were(self):
        import types

        from lcmbench.paths.model import Function
        from lcmbench.paths.spies import Spies

        owner = types.SimpleNamespace(there=len)
        with self.assertRaises(AttributeError):
            with Spies([Function("a", owner, "there"), Function("b", owner, "gone")]):
                pass
        self.assertIs(owner.there, len)


if __name__ == "__main__":
    unittest.main()
