"""The fresh process whose peak of device memory is taken: `peak_main.py <descriptor>`, with the work pickled on standard input."""

import os
import pickle
import sys


def main():
    descriptor = int(sys.argv[1])
    request = pickle.load(sys.stdin.buffer)
    del sys.path[0]
    sys.path.insert(0, request["package"])
    from lcmbench._worker.imports import clean_module_path, install_finders

    del sys.path[0]
    clean_module_path()
    install_finders(request["package"], request["suite"])
    if request["project"]:
        # Behind everything installed: only what is found nowhere else comes from the project's folder.
        sys.path.append(request["project"])
    module, name, values = request["work"]
    answer(descriptor, measure(module, name, values))


def measure(module, name, values):
    """The answer to the parent. What the benchmark raises ends the process with its traceback."""
    import jax

    devices = jax.local_devices()
    if all(device.platform == "cpu" for device in devices):
        return {"not_applicable": "JAX's backend is the CPU, which has no device memory"}
    from importlib import import_module

    benchmark = getattr(import_module(module), name)()
    prepare = getattr(benchmark, "setup_for_gpu_measurement", None) or getattr(benchmark, "setup", None)
    if prepare is not None:
        prepare(*values)
    from lcmbench._worker.device import wait

    wait(benchmark.execute_for_measurement(*values))
    jax.effects_barrier()
    peaks = [(device.memory_stats() or {}).get("peak_bytes_in_use") for device in devices]
    if any(not isinstance(peak, int) for peak in peaks):
        return {"error": "the allocator does not count what is in use (XLA_PYTHON_CLIENT_ALLOCATOR may name one that does not)"}
    return {"peak": max(peaks)}


def answer(descriptor, fields):
    """Tells the parent."""
    import json

    sys.stdout.flush()
    os.write(descriptor, json.dumps(fields).encode("ascii"))
    os.close(descriptor)


if __name__ == "__main__":
    main()
