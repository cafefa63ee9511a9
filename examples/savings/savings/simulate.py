"""Simulated lives of households that follow a solution."""

from bisect import bisect_right
from random import Random
from typing import List

from savings.solve import Solution


def simulate(solution: Solution, n_households: int, n_periods: int, seed: int = 0) -> List[float]:
    """Return wealth in the last period, one number a household."""
    model = solution.model
    random = Random(seed)
    wealth = [0.0] * n_households
    employed = [True] * n_households
    for _ in range(n_periods):
        for i in range(n_households):
            wealth[i] = _savings(solution, int(employed[i]), wealth[i])
            employed[i] = random.random() < model.transitions[employed[i]][1]
    return wealth


def _savings(solution: Solution, state: int, wealth: float) -> float:
    """Return savings, interpolated between the two points of the grid around `wealth`."""
    grid = solution.model.wealth_grid
    upper = min(max(bisect_right(grid, wealth), 1), len(grid) - 1)
    weight = (wealth - grid[upper - 1]) / (grid[upper] - grid[upper - 1])
    policy = solution.policy[state]
    below, above = grid[policy[upper - 1]], grid[policy[upper]]
    return below + min(weight, 1.0) * (above - below)
