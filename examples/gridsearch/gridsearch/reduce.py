"""Reducers over the product of all actions."""

import jax
import jax.numpy as jnp


def largest(values_of, actions, cells, plan):
    """The largest value of each cell. `values_of(cell, action)` is the value of one action in one cell."""
    table = jax.vmap(jax.vmap(values_of, in_axes=(None, 0)), in_axes=(0, None))
    if not plan.streamed:
        return over_tiles(lambda some: jnp.max(table(some, actions), axis=1), cells, plan.tile)
    blocks = in_blocks(actions, plan.block)
    start = jnp.full(count(cells), -jnp.inf, dtype=dtype_of(cells))

    def step(best, block):
        return jnp.maximum(best, jnp.max(table(cells, block), axis=1)), None

    return jax.lax.scan(step, start, blocks)[0]


def expected_largest(values_of, actions, cells, scale, plan):
    """The expected largest value of each cell when every action has a taste shock of the extreme-value kind: scale times the logarithm of a
    sum of exponentials."""
    table = jax.vmap(jax.vmap(values_of, in_axes=(None, 0)), in_axes=(0, None))

    def reduce(some):
        return scale * jax.nn.logsumexp(table(some, actions) / scale, axis=1)

    return over_tiles(reduce, cells, plan.tile)


def over_tiles(reduce, cells, tile):
    """Applies a dense reducer to all cells, or tile by tile where their number allows it."""
    total = count(cells)
    if tile is None or total % tile:
        return reduce(cells)
    tiles = jax.tree.map(lambda column: column.reshape(total // tile, tile, *column.shape[1:]), cells)
    return jax.lax.map(reduce, tiles).reshape(total)


def in_blocks(actions, block):
    """The actions as a stack of blocks; the last ones are repeated where the block does not go into their number, which no maximum sees."""
    total = count(actions)
    missing = -total % block

    def stack(column):
        padded = jnp.concatenate([column, jnp.repeat(column[-1:], missing, axis=0)])
        return padded.reshape((total + missing) // block, block, *column.shape[1:])

    return jax.tree.map(stack, actions)


def count(columns):
    """The number of rows of a table, whose columns are a tree of arrays."""
    return jax.tree.leaves(columns)[0].shape[0]


def dtype_of(columns):
    """The type of its numbers."""
    return jnp.result_type(*jax.tree.leaves(columns))
