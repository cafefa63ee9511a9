"""How much device memory a process would have to itself."""

import json
import os
import subprocess
import sys


class NoBudget(RuntimeError):
    """There is no pool of device memory to take a budget from."""


def default_memory_budget():
    """Bytes per device, an int, that a process which preallocates gets under the present environment; the smallest over the local devices.

    The pool has the same limit whether it is allocated at once or on demand, so that a process which allocates on demand can ask for it.
    Raises NoBudget where the devices have no pool, as processors do not.
    """
    import jax

    devices = jax.local_devices()
    platforms = sorted({device.platform for device in devices})
    if "cpu" in platforms:
        raise NoBudget("there is no budget of device memory: JAX's backend is the CPU, which has no pool of its own")
    limits = pool_limits(devices)
    if limits is None:
        limits = ask_another_process()
    return min(limits)


def pool_limits(devices):
    """The limit of each device's pool; None if one has none, as without a pooling allocator."""
    limits = []
    for device in devices:
        stats = device.memory_stats() or {}
        limit = stats.get("bytes_limit")
        if not isinstance(limit, int) or limit <= 0:
            return None
        limits.append(limit)
    return limits or None


PROGRAM = """\
import json, sys
import jax
limits = [(device.memory_stats() or {}).get("bytes_limit") for device in jax.local_devices()]
sys.stdout.write("\\n" + json.dumps(limits))
"""


def ask_another_process():
    """The limits that a process with the usual allocator has; it holds the device for a moment only."""
    environment = {**os.environ, "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
    environment.pop("XLA_PYTHON_CLIENT_ALLOCATOR", None)
    child = subprocess.run([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True, env=environment, check=False)
    lines = child.stdout.splitlines() or [""]
    try:
        limits = json.loads(lines[-1])
    except ValueError:
        limits = []
    if child.returncode != 0 or not limits or not all(isinstance(limit, int) and limit > 0 for limit in limits):
        raise NoBudget("there is no budget of device memory: the devices do not tell the limit of their pools")
    return limits
