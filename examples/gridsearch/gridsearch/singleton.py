"""One agent with assets who consumes and works."""

import jax.numpy as jnp

from gridsearch.reduce import expected_largest, largest

BETA, RETURN, WAGE = 0.95, 1.03, 1.2


def grids(states=64, consumption=24, hours=5):
    """Cells of the state, and the product of all actions as columns."""
    assets = jnp.linspace(1.0, 20.0, states)
    product = jnp.meshgrid(jnp.linspace(0.2, 8.0, consumption), jnp.linspace(0.0, 1.0, hours), indexing="ij")
    return assets, tuple(column.ravel() for column in product)


def value_of_action(assets_grid, continuation):
    """Value of one action in one cell: utility now, and the interpolated value of what is left."""

    def value(assets, action):
        consumption, hours = action
        left = RETURN * (assets - consumption) + WAGE * hours
        utility = jnp.log(consumption) - 0.5 * hours**2
        later = jnp.interp(left, assets_grid, continuation)
        return jnp.where(left >= 0.0, utility + BETA * later, -1e10)

    return value


def solve_hard_max(assets, actions, periods, plan):
    """Values of all periods, the last first, when the best action is taken."""
    values = [jnp.log(assets)]
    for _ in range(periods):
        values.append(largest(value_of_action(assets, values[-1]), actions, assets, plan))
    return jnp.stack(values)


def solve_taste_shocks(assets, actions, periods, scale, plan):
    """The same with a taste shock on every action."""
    values = [jnp.log(assets)]
    for _ in range(periods):
        values.append(expected_largest(value_of_action(assets, values[-1]), actions, assets, scale, plan))
    return jnp.stack(values)
