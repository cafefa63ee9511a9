"""A consumption-savings model of a household with risky income, solved on a grid."""

from savings.model import Model, household
from savings.simulate import simulate
from savings.solve import Solution, solve

__all__ = ["Model", "Solution", "household", "simulate", "solve"]
