"""Two members of a household who decide together. What they weigh depends on the values that the search before has found."""

import jax.numpy as jnp

from gridsearch.reduce import largest
from gridsearch.singleton import BETA, RETURN, WAGE


def grids(states=64, consumption=10, hours=3):
    """Cells of the state, and the product of both members' actions."""
    assets = jnp.linspace(1.0, 20.0, states)
    axes = [jnp.linspace(0.2, 5.0, consumption)] * 2 + [jnp.linspace(0.0, 1.0, hours)] * 2
    return assets, tuple(column.ravel() for column in jnp.meshgrid(*axes, indexing="ij"))


def solve(assets, actions, periods, plan):
    """Values of the household and the weight of its first member in every period, the last first."""
    values, weights = [jnp.log(assets)], [jnp.full_like(assets, 0.5)]
    for _ in range(periods):
        # The inputs of this search: the better the household stands, the more its first member has to say.
        weight = 0.3 + 0.4 / (1.0 + jnp.exp(-0.1 * values[-1]))
        cells = (assets, weight)
        values.append(largest(joint_value(assets, values[-1]), actions, cells, plan))
        weights.append(weight)
    return jnp.stack(values), jnp.stack(weights)


def joint_value(assets_grid, continuation):
    """Value of one joint action in one cell."""

    def value(cell, action):
        assets, weight = cell
        first, second, first_hours, second_hours = action
        left = RETURN * (assets - first - second) + WAGE * (first_hours + 0.8 * second_hours)
        own = jnp.log(first) - 0.5 * first_hours**2
        other = jnp.log(second) - 0.5 * second_hours**2
        later = jnp.interp(left, assets_grid, continuation)
        return jnp.where(left >= 0.0, weight * own + (1.0 - weight) * other + BETA * later, -1e10)

    return value
