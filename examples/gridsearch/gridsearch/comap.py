"""Many agents at once, spread over devices: agents and their continuation are mapped together, so that no device needs another one's."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from gridsearch.reduce import largest
from gridsearch.singleton import value_of_action


def mesh(count):
    """A line of devices."""
    return Mesh(np.array(jax.devices()[:count]), ("agents",))


def agents(total, states, where):
    """The continuation of every agent, spread over the devices of a mesh."""
    shift = jnp.linspace(0.0, 1.0, total)[:, None]
    values = jnp.log(jnp.linspace(1.0, 20.0, states))[None, :] + shift
    return jax.device_put(values, NamedSharding(where, PartitionSpec("agents", None)))


def solver(assets, actions, periods, plan, where):
    """The compiled-to-be solver: values of all agents in the first period, each on the device of its agent."""
    spread = NamedSharding(where, PartitionSpec("agents", None))

    def one(continuation):
        for _ in range(periods):
            continuation = largest(value_of_action(assets, continuation), actions, assets, plan)
        return continuation

    return jax.jit(jax.vmap(one), in_shardings=spread, out_shardings=spread)
