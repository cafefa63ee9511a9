"""One measurement of one scenario: timings, outputs, compiled cores, memory, declarations."""

import inspect
import json
import os
import sys
import time

from lcmbench._worker.device import wait
from lcmbench._worker.peak import peak_bytes
from lcmbench.pair.scenarios import ScenarioError, Workload
from lcmbench.pair.tree import leaves

# Environment variables that say how the process ran.
NOTED = ("JAX_", "XLA_", "CUDA_", "NVIDIA_", "OMP_", "MKL_", "OPENBLAS_", "PYTHONHASHSEED", "TF_")


def measure(scenario, request):
    """Builds the workload, times it, and writes the evidence below `request["folder"]`."""
    folder = request["folder"]
    began = time.perf_counter()
    workload = scenario.build(precision=request["precision"], seed=request["seed"])
    built = time.perf_counter()
    check(scenario, workload)
    first_value = workload.run()
    wait(first_value)
    first = time.perf_counter()
    samples = sample(workload, request["samples"], request["seconds"])
    host_peak = peak_bytes()
    device_peak = device_memory(request["backend"])
    outputs = outputs_of(scenario, workload, first_value)
    return {
        "scenario": scenario.name,
        "seconds": {"build": built - began, "first": first - built, "samples": samples},
        "outputs": [save_leaf(folder, number, path, leaf) for number, (path, leaf) in enumerate(outputs)],
        "cores": [save_core(folder, number, name, core) for number, (name, core) in enumerate(workload.cores.items())],
        "memory": {"host_peak_bytes": host_peak, "device_peak": device_peak},
        "declarations": plain(workload.declarations),
        "environment": environment(),
    }


def check(scenario, workload):
    """Refuses what is no workload."""
    if inspect.isgenerator(workload):
        raise ScenarioError(f"scenario `{scenario.name}`: its builder returned a generator; it must return a Workload")
    if not isinstance(workload, Workload) and not all(hasattr(workload, name) for name in ("run", "outputs", "cores", "declarations")):
        raise ScenarioError(f"scenario `{scenario.name}`: its builder returned {type(workload).__name__}, not a Workload")
    if not callable(workload.run):
        raise ScenarioError(f"scenario `{scenario.name}`: what is to be timed, `run`, cannot be called")


def sample(workload, most, seconds):
    """Seconds of single calls: at least two, up to `most`, no more than fit into `seconds`."""
    samples = []
    started = time.perf_counter()
    while len(samples) < most:
        began = time.perf_counter()
        wait(workload.run())
        ended = time.perf_counter()
        samples.append(ended - began)
        if len(samples) >= 2 and ended - started > seconds:
            break
    return samples


def outputs_of(scenario, workload, value):
    """The leaves of the outputs with their paths."""
    outputs = workload.outputs
    if callable(outputs):
        outputs = outputs()
    elif outputs is None:
        outputs = value
    if inspect.isgenerator(outputs) or hasattr(outputs, "__next__"):
        raise ScenarioError(f"scenario `{scenario.name}`: its outputs are a generator; they must be a tree of arrays")
    found = list(leaves(outputs))
    if not found:
        raise ScenarioError(f"scenario `{scenario.name}` has no outputs, so nothing says that both sides compute the same")
    return found


def save_leaf(folder, number, path, leaf):
    """Writes the values of one leaf and describes it."""
    import numpy

    try:
        values = numpy.asarray(leaf)
    except Exception as error:
        raise ScenarioError(f"the output `{path}` is no array: {type(error).__name__}: {error}") from None
    if values.dtype.kind not in "biufcV":
        raise ScenarioError(f"the output `{path}` has the type {values.dtype}, which has no numbers")
    # Types such as bfloat16 are none of numpy's own: their bits are kept, and the name says what they are.
    stored = values.view(f"u{values.dtype.itemsize}") if values.dtype.kind == "V" else values
    file = os.path.join("outputs", f"{number:03}.npy")
    os.makedirs(os.path.join(folder, "outputs"), exist_ok=True)
    numpy.save(os.path.join(folder, file), numpy.ascontiguousarray(stored).reshape(stored.shape), allow_pickle=False)
    return {"path": path, "shape": list(values.shape), "dtype": str(values.dtype), "sharding": sharding_of(leaf), "file": file}


def sharding_of(leaf):
    """How an array lies on devices, in words that do not depend on the process."""
    sharding = getattr(leaf, "sharding", None)
    if sharding is None:
        return "host"
    devices = sorted(str(device) for device in getattr(sharding, "device_set", ()))
    mesh = getattr(sharding, "mesh", None)
    parts = [type(sharding).__name__]
    if mesh is not None:
        parts.append("mesh=" + ",".join(f"{name}:{size}" for name, size in dict(mesh.shape).items()))
    if getattr(sharding, "spec", None) is not None:
        parts.append(f"spec={tuple(sharding.spec)!r}")
    memory = getattr(sharding, "memory_kind", None)
    if memory:
        parts.append(f"memory={memory}")
    parts.append(f"devices={len(devices)}: {', '.join(devices)}")
    return " ".join(parts)


def save_core(folder, number, name, core):
    """Writes the program of one core and what its compiler says about it. What is missing is missing here too: the parent judges."""
    text = attempt(core.as_text) if hasattr(core, "as_text") else None
    file = None
    if text:
        file = os.path.join("cores", f"{number:03}.hlo.txt")
        os.makedirs(os.path.join(folder, "cores"), exist_ok=True)
        with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
            out.write(text)
    return {
        "name": str(name),
        "file": file,
        "memory": memory_of(core),
        "cost": cost_of(core),
        "layouts": layouts_of(core),
    }


MEMORY_FIELDS = (
    "argument_size_in_bytes",
    "output_size_in_bytes",
    "temp_size_in_bytes",
    "alias_size_in_bytes",
    "generated_code_size_in_bytes",
    "peak_memory_in_bytes",
)


def memory_of(core):
    """What the compiler says about memory, or None."""
    status = attempt(core.memory_analysis) if hasattr(core, "memory_analysis") else None
    if status is None:
        return None
    get = status.get if isinstance(status, dict) else lambda name: getattr(status, name, None)
    found = {name: get(name) for name in MEMORY_FIELDS}
    return {name: int(value) for name, value in found.items() if value is not None} or None


def cost_of(core):
    """The compiler's own figures of cost: best effort, a dict of numbers."""
    cost = attempt(core.cost_analysis) if hasattr(core, "cost_analysis") else None
    if isinstance(cost, (list, tuple)):
        cost = cost[0] if cost else None
    if not hasattr(cost, "items"):
        return None
    return {str(name): float(value) for name, value in cost.items() if isinstance(value, (int, float))}


def layouts_of(core):
    """The manifest of layouts: how arguments and results lie in memory and on devices."""
    manifest = {}
    for name in ("input_shardings", "output_shardings", "input_formats", "output_formats", "input_layouts", "output_layouts"):
        value = attempt(lambda name=name: getattr(core, name))
        if value is not None and not callable(value):
            manifest[name] = str(value)
    return manifest


def device_memory(backend):
    """The peak of each device, or that there is none to be had."""
    jax = sys.modules.get("jax")
    if backend == "cpu" or jax is None:
        return {"status": "not applicable", "reason": "the devices of a CPU use the memory of the host"}
    peaks = {}
    for device in jax.local_devices():
        stats = attempt(device.memory_stats) or {}
        if stats.get("peak_bytes_in_use") is not None:
            peaks[str(device)] = int(stats["peak_bytes_in_use"])
    if not peaks:
        return {"status": "missing", "reason": "the devices tell no peak"}
    return {"status": "measured", "bytes": max(peaks.values()), "devices": peaks}


def environment():
    """What the process ran with."""
    noted = {name: value for name, value in sorted(os.environ.items()) if name.startswith(NOTED)}
    found = {"variables": noted}
    jax = sys.modules.get("jax")
    if jax is not None:
        found["devices"] = [str(device) for device in jax.devices()]
        found["backend"] = jax.default_backend()
        found["x64"] = bool(jax.config.jax_enable_x64)
        found["jax"] = jax.__version__
    return found


def plain(declarations):
    """The declarations as JSON has them: tuples become lists, keys become texts."""
    try:
        return json.loads(json.dumps(declarations))
    except (TypeError, ValueError) as error:
        raise ScenarioError(f"the declarations are no plain data: {error}") from None


def attempt(call):
    """What a call returns, or None where it raises: these are figures that not every backend has."""
    try:
        return call()
    except Exception:
        return None
