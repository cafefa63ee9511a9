"""Helpers for suites whose benchmarks run on a device: warm calls, peak memory, budgets, compiling, energy. They know JAX.

Nothing here imports JAX before it is needed, so that a suite may import this at the top of a module.
"""

from lcmbench._gpu.budget import NoBudget, default_memory_budget
from lcmbench._gpu.compiling import compile_count, compile_seconds
from lcmbench._gpu.energy import energy_per_call
from lcmbench._gpu.notapplicable import NotApplicable
from lcmbench._gpu.peak import PeakError, peak_gpu_bytes
from lcmbench._gpu.warm import synchronize, warm_call_seconds

__all__ = [
    "GpuPeakMem",
    "NoBudget",
    "NotApplicable",
    "PeakError",
    "compile_count",
    "compile_seconds",
    "default_memory_budget",
    "energy_per_call",
    "peak_gpu_bytes",
    "synchronize",
    "warm_call_seconds",
]


class GpuPeakMem:
    """The peak of device memory of another benchmark's class, as a benchmark of its own.

    A subclass sets `bench_module` and `bench_class`; it then has `track_gpu_peak_mem`, in bytes. `preallocate` is the mode of the allocator
    that is measured. `setup` does nothing, so that the process that waits for the measurement does not touch the device itself.
    """

    bench_module = ""
    bench_class = ""
    preallocate = True
    version = "1"
    timeout = 1200

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        # Only subclasses have it, so that the base class itself is no benchmark.
        cls.track_gpu_peak_mem = track_gpu_peak_mem

    def setup(self, *values):
        """Leaves the device alone."""


def track_gpu_peak_mem(self, *values):
    """The peak in bytes; `values` are those of the benchmark's parameters."""
    return peak_gpu_bytes(self.bench_module, self.bench_class, *values, preallocate=self.preallocate)


track_gpu_peak_mem.unit = "bytes"
