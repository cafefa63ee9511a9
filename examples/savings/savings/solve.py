"""Value function iteration."""

from dataclasses import dataclass
from typing import List, Tuple

from savings.model import Model


@dataclass(frozen=True)
class Solution:
    """Value and savings by employment and position on the wealth grid."""

    model: Model
    values: Tuple[Tuple[float, ...], ...]
    # Positions on the wealth grid.
    policy: Tuple[Tuple[int, ...], ...]
    n_iterations: int


def solve(model: Model, tolerance: float = 1e-4) -> Solution:
    """Iterate on the Bellman equation until values move by less than `tolerance`."""
    n_points = len(model.wealth_grid)
    values: List[List[float]] = [[0.0] * n_points for _ in model.incomes]
    policy: List[List[int]] = []
    n_iterations = 0
    distance = float("inf")
    while distance > tolerance:
        continuation = _expected(model, values)
        updates = [_maximise(model, state, continuation[state]) for state in range(2)]
        new_values = [update[0] for update in updates]
        policy = [update[1] for update in updates]
        distance = max(
            abs(new - old)
            for new_row, old_row in zip(new_values, values)
            for new, old in zip(new_row, old_row)
        )
        values = new_values
        n_iterations += 1
    return Solution(
        model=model,
        values=tuple(map(tuple, values)),
        policy=tuple(map(tuple, policy)),
        n_iterations=n_iterations,
    )


def _expected(model: Model, values: List[List[float]]) -> List[List[float]]:
    """Return discounted expected values by employment today and savings."""
    return [
        [
            model.discount_factor * sum(p * value for p, value in zip(row, column))
            for column in zip(*values)
        ]
        for row in model.transitions
    ]


def _maximise(
    model: Model, state: int, continuation: List[float]
) -> Tuple[List[float], List[int]]:
    """Return the best value and savings at each point of the wealth grid."""
    best_values = []
    best_savings = []
    for wealth in model.wealth_grid:
        resources = (1.0 + model.interest_rate) * wealth + model.incomes[state]
        best_value = float("-inf")
        best = 0
        for position, savings in enumerate(model.wealth_grid):
            value = model.utility(resources - savings) + continuation[position]
            if value > best_value:
                best_value = value
                best = position
        best_values.append(best_value)
        best_savings.append(best)
    return best_values, best_savings
