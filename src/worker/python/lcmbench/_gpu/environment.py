"""The variables of a process whose peak of device memory is taken."""

import os

AUTOTUNING_OFF = "--xla_gpu_autotune_level=0"

# Under these a process would have another share of the device than in production.
SHARES = ("XLA_PYTHON_CLIENT_MEM_FRACTION", "XLA_CLIENT_MEM_FRACTION")

CACHES = {
    "JAX_COMPILATION_CACHE_DIR": "jax",
    "CUDA_CACHE_PATH": "cuda",
    "TRITON_CACHE_DIR": "triton",
    "TORCHINDUCTOR_CACHE_DIR": "inductor",
    "NUMBA_CACHE_DIR": "numba",
}


def peak_environment(base, preallocate, caches):
    """The variables of `base`, with autotuning off, the usual share of the device, and preallocation as wanted.

    Autotuning tries kernels out while it compiles, with large buffers that differ from run to run and hide what the program itself needs.
    With preallocation every buffer is cut to size from one pool, as in production; a pool that grows on demand hands out whole regions and
    reads higher for the same programs. `caches` is an empty folder for compiled programs: the run is cold.
    """
    environment = {name: value for name, value in base.items() if name not in SHARES}
    environment["XLA_PYTHON_CLIENT_PREALLOCATE"] = "true" if preallocate else "false"
    environment["XLA_FLAGS"] = f"{base.get('XLA_FLAGS', '')} {AUTOTUNING_OFF}".strip()
    for name, folder in CACHES.items():
        environment[name] = os.path.join(caches, folder)
    return environment


def allocator_mode(environment):
    """The word for the mode in which a process with these variables takes device memory; peaks of different modes are not comparable."""
    allocator = environment.get("XLA_PYTHON_CLIENT_ALLOCATOR", "").lower()
    if allocator not in ("", "default", "bfc"):
        return allocator
    return "on-demand" if environment.get("XLA_PYTHON_CLIENT_PREALLOCATE", "true").lower() in ("false", "0") else "preallocated"
