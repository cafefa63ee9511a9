"""Whether this process can be forked: what a fork would leave behind broken."""

import os
import sys

# Libraries whose thread pools survive a fork: they register handlers for it. GNU's OpenMP does not, and its first parallel region in a
# child hangs if the parent had one before.
POOLS = (b"openblas", b"libiomp5", b"libomp.so", b"libomp5")


def unsafe_reason():
    """A sentence that says why a fork would not be safe, or None when it is."""
    return device_in_use() or python_threads() or native_threads()


def python_threads():
    """Threads of Python other than the main one: a fork would lose them with whatever they hold."""
    threading = sys.modules.get("threading")
    names = []
    if threading is not None:
        main = threading.main_thread()
        names = [thread.name for thread in threading.enumerate() if thread is not main]
    from _thread import _count

    count = max(len(names), _count())
    if not count:
        return None
    named = f" ({', '.join(names)})" if names else ""
    return f"the import of the suite started {count} Python thread{'s' if count > 1 else ''}{named}"


def device_in_use():
    """A device that is open already: its driver does not survive a fork."""
    bridge = sys.modules.get("jax._src.xla_bridge")
    backends = getattr(bridge, "_backends", None)
    if backends:
        return f"the import of the suite initialised the JAX backend {', '.join(map(str, backends))}"
    if any(b"libcuda.so" in name for name in mapped_libraries()):
        return "the import of the suite loaded the CUDA driver library"
    return None


def native_threads():
    """Threads that no BLAS or OpenMP pool explains."""
    try:
        count = len(os.listdir("/proc/self/task")) - 1
    except OSError:
        return None
    if count <= 0:
        return None
    libraries = mapped_libraries()
    pools = sum(any(pool in name for pool in POOLS) for name in libraries)
    explained = pools * (pool_size() - 1)
    if count <= explained:
        return None
    sentence = f"the import of the suite started {count} native thread{'s' if count > 1 else ''}"
    if any(b"libgomp" in name for name in libraries):
        return sentence + " and uses GNU's OpenMP, whose threads do not survive a fork"
    if pools:
        return sentence + f", of which the pools of BLAS and OpenMP explain {explained}"
    return sentence


def pool_size():
    """The most threads that one pool has: one for each processor, or what a variable asks for."""
    size = os.cpu_count() or 1
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        value = os.environ.get(name, "")
        if value.isdigit():
            size = max(size, int(value))
    return size


def mapped_libraries():
    """The names of the files that are mapped into this process."""
    try:
        with open("/proc/self/maps", "rb") as maps:
            lines = maps.read().splitlines()
    except OSError:
        return set()
    names = set()
    for line in lines:
        start = line.find(b"/")
        if start >= 0:
            names.add(line[start:].rpartition(b"/")[2].lower())
    return names
