"""The household: preferences, income and the grid of wealth."""

from dataclasses import dataclass
from math import log
from typing import Tuple

DISCOUNT_FACTORS = {"impatient": 0.85, "patient": 0.92}


@dataclass(frozen=True)
class Model:
    """All that describes a household; wealth and income are in yearly mean incomes."""

    discount_factor: float
    risk_aversion: float
    interest_rate: float
    # Income when unemployed and when employed.
    incomes: Tuple[float, float]
    # Row: employment today. Column: employment tomorrow.
    transitions: Tuple[Tuple[float, float], Tuple[float, float]]
    # Rising; the household cannot borrow, so the first is zero.
    wealth_grid: Tuple[float, ...]

    def utility(self, consumption: float) -> float:
        """Return utility of constant relative risk aversion; minus infinity at or below zero."""
        if consumption <= 0.0:
            return float("-inf")
        if self.risk_aversion == 1.0:
            return log(consumption)
        exponent = 1.0 - self.risk_aversion
        return consumption**exponent / exponent


def household(kind: str, n_points: int, risk_aversion: float = 2.0) -> Model:
    """Return the household of a kind (`impatient`, `patient`) with `n_points` of wealth."""
    if risk_aversion <= 0.0:
        raise ValueError(f"risk aversion must be positive, not {risk_aversion}")
    # Closer together near zero, where the policy bends.
    grid = tuple(20.0 * (i / (n_points - 1)) ** 2 for i in range(n_points))
    return Model(
        discount_factor=DISCOUNT_FACTORS[kind],
        risk_aversion=risk_aversion,
        interest_rate=0.03,
        incomes=(0.4, 1.1),
        transitions=((0.5, 0.5), (0.1, 0.9)),
        wealth_grid=grid,
    )
