"""A reduced life-cycle model: 18 regimes (three phases of life, two states of health, three of work), each with its own preferences and
income, and grid search over consumption in every one of them."""

import jax
import jax.numpy as jnp

from gridsearch.reduce import largest

PHASES, HEALTH, WORK = 3, 2, 3
REGIMES = PHASES * HEALTH * WORK
BETA, RETURN, PERIODS = 0.97, 1.02, 6


def regimes():
    """Columns by regime: income, weight of consumption, and where life goes from here."""
    number = jnp.arange(REGIMES)
    phase, health, work = number // (HEALTH * WORK), number // WORK % HEALTH, number % WORK
    income = jnp.where(work == 0, 2.0 - 0.4 * health, jnp.where(work == 1, 0.8, 0.5 + 0.3 * phase))
    weight = 1.0 + 0.1 * phase - 0.2 * health
    return income, weight, transition(phase, health, work)


def transition(phase, health, work):
    """Chances to go from one regime to another: phases only go on, health and work come and go."""
    onward = jnp.where(phase[None, :] == phase[:, None], 0.8, jnp.where(phase[None, :] == phase[:, None] + 1, 0.2, 0.0))
    same_health = jnp.where(health[None, :] == health[:, None], 0.9, 0.1)
    same_work = jnp.where(work[None, :] == work[:, None], 0.7, 0.15)
    chances = onward * same_health * same_work
    return chances / chances.sum(axis=1, keepdims=True)


def solve(assets_points, consumption_points, plan):
    """Values of all regimes and assets in the first period."""
    assets = jnp.linspace(1.0, 30.0, assets_points)
    share = jnp.linspace(0.05, 0.95, consumption_points)
    income, weight, chances = regimes()

    def regime_values(income, weight, expected):
        def value(cell, share):
            wealth = RETURN * cell + income
            later = jnp.interp(wealth * (1.0 - share), assets, expected)
            return weight * jnp.log(wealth * share) + BETA * later

        return largest(value, share, assets, plan)

    values = jnp.broadcast_to(jnp.log(assets), (REGIMES, assets_points))
    for _ in range(PERIODS):
        values = jax.vmap(regime_values)(income, weight, chances @ values)
    return values
