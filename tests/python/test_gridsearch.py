"""The example `gridsearch`: streamed and dense execution are two programs with one result. Needs JAX."""

import os
import sys

import pytest

jax = pytest.importorskip("jax")
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "examples", "gridsearch"))

from gridsearch import lifecycle, singleton  # noqa: E402
from gridsearch.plan import Plan  # noqa: E402


def text_and_values(function):
    compiled = jax.jit(function).lower().compile()
    return compiled.as_text(), compiled()


@pytest.mark.parametrize(
    "solve",
    [
        lambda plan: singleton.solve_hard_max(*singleton.grids(states=16), 2, plan),
        lambda plan: lifecycle.solve(3, 64, plan),
    ],
)
def test_streamed_and_dense_lower_to_different_programs_with_equal_values(solve):
    streamed, first = text_and_values(lambda: solve(Plan(streamed=True)))
    dense, second = text_and_values(lambda: solve(Plan(streamed=False)))
    assert streamed != dense
    assert " while(" in streamed
    assert float(abs(first - second).max()) <= 1e-5


def test_tiles_do_not_change_values():
    whole = singleton.solve_taste_shocks(*singleton.grids(), 2, 0.2, Plan(streamed=False))
    tiled = singleton.solve_taste_shocks(*singleton.grids(), 2, 0.2, Plan(streamed=False, tile=32))
    assert float(abs(whole - tiled).max()) <= 1e-5


def test_a_declaration_says_how_a_target_is_executed():
    assert Plan(streamed=True).declaration()["streams"] == ["action_product"]
    assert Plan(streamed=False, tile=32).declaration() == {"reducer": "dense", "streams": [], "tiles": ["state_cells"], "streamed": False}
