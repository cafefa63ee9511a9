"""The example `gridsearch`, in the environment that LCMBENCH_TEST_VENV_JAX names: streamed and dense execution are two programs with one
result, and so are tiles and the whole."""

import json
import os
import subprocess
import unittest

EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "gridsearch")

PROGRAM = """
import json
import jax
from gridsearch import lifecycle, singleton
from gridsearch.plan import Plan

def program(solve, plan):
    compiled = jax.jit(lambda: solve(plan)).lower().compile()
    return compiled.as_text(), compiled()

def compared(solve, one, other):
    (first_text, first), (second_text, second) = program(solve, one), program(solve, other)
    return {
        "differ": first_text != second_text,
        "loops": [" while(" in first_text, " while(" in second_text],
        "largest": float(abs(first - second).max()),
    }

shocks = lambda plan: singleton.solve_taste_shocks(*singleton.grids(), 1, 0.2, plan)
print(json.dumps({
    "singleton": compared(lambda plan: singleton.solve_hard_max(*singleton.grids(states=16), 1, plan), Plan(True), Plan(False)),
    "life-cycle": compared(lambda plan: lifecycle.solve(3, 64, plan), Plan(True), Plan(False)),
    "tiles": compared(shocks, Plan(False, tile=32), Plan(False)),
    "declared": [Plan(True).declaration(), Plan(False, tile=32).declaration()],
}))
"""


class GridSearch(unittest.TestCase):
    def setUp(self):
        folder = os.environ.get("LCMBENCH_TEST_VENV_JAX")
        if not folder:
            self.skipTest("LCMBENCH_TEST_VENV_JAX is not set")
        python = os.path.join(folder, "bin", "python")
        environment = {**os.environ, "PYTHONPATH": EXAMPLE, "JAX_PLATFORMS": "cpu", "PYTHONDONTWRITEBYTECODE": "1"}
        run = subprocess.run([python, "-c", PROGRAM], capture_output=True, text=True, env=environment, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.found = json.loads(run.stdout)

    def test_streamed_and_dense_are_two_programs_with_one_result(self):
        for name in ("singleton", "life-cycle"):
            with self.subTest(name):
                self.assertTrue(self.found[name]["differ"])
                self.assertTrue(self.found[name]["loops"][0])
                self.assertLessEqual(self.found[name]["largest"], 1e-5)

    def test_tiles_do_not_change_values(self):
        self.assertTrue(self.found["tiles"]["differ"])
        self.assertLessEqual(self.found["tiles"]["largest"], 1e-5)

    def test_a_plan_declares_how_it_is_executed(self):
        streamed, tiled = self.found["declared"]
        self.assertEqual(streamed["streams"], ["action_product"])
        self.assertEqual(tiled, {"reducer": "dense", "streams": [], "tiles": ["state_cells"], "streamed": False})


if __name__ == "__main__":
    unittest.main()
