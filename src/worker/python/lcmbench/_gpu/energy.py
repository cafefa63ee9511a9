"""Energy of a call, from the driver's counter."""

import ctypes
import os
from time import perf_counter

from lcmbench._gpu.notapplicable import NotApplicable
from lcmbench._gpu.warm import synchronize

# The counter moves some ten times a second: less than this says nothing.
LEAST_SECONDS = 1.0


def energy_per_call(execute, seconds=2.0):
    """Joules that all visible GPUs take for one call of `execute`, on average over calls that take `seconds` (at least one) together.

    What the devices take for other work meanwhile, and at rest, is included. Raises NotApplicable where no GPU counts its energy.
    """
    counters = Counters()
    seconds = max(seconds, LEAST_SECONDS)
    synchronize(execute())
    calls = 0
    before = counters.joules()
    began = perf_counter()
    while perf_counter() - began < seconds:
        synchronize(execute())
        calls += 1
    return (counters.joules() - before) / calls


class Counters:
    """The energy counters of the GPUs that CUDA shows to this process."""

    def __init__(self):
        name = os.environ.get("LCMBENCH_NVML_LIBRARY") or "libnvidia-ml.so.1"
        try:
            self._library = ctypes.CDLL(name)
            code = self._library.nvmlInit_v2()
        except (OSError, AttributeError):
            raise NotApplicable("not applicable: there is no GPU of NVIDIA's") from None
        if code != 0:
            raise NotApplicable(f"not applicable: the driver of NVIDIA's cannot be asked (code {code})")
        self._devices = visible(self._all())
        if not self._devices:
            raise NotApplicable("not applicable: no GPU is visible")
        self.joules()

    def joules(self):
        """What they have taken together since the driver was loaded."""
        total = 0
        for device in self._devices:
            value = ctypes.c_ulonglong()
            try:
                code = self._library.nvmlDeviceGetTotalEnergyConsumption(device, ctypes.byref(value))
            except AttributeError:
                code = None
            if code != 0:
                raise NotApplicable("not applicable: the GPU does not count its energy")
            total += value.value
        return total / 1000

    def _all(self):
        """(UUID, handle) of every GPU, in the order of the bus."""
        count = ctypes.c_uint()
        if self._library.nvmlDeviceGetCount_v2(ctypes.byref(count)) != 0:
            return []
        found = []
        for index in range(count.value):
            handle = ctypes.c_void_p()
            uuid = ctypes.create_string_buffer(96)
            if self._library.nvmlDeviceGetHandleByIndex_v2(index, ctypes.byref(handle)) == 0:
                self._library.nvmlDeviceGetUUID(handle, uuid, len(uuid))
                found.append((uuid.value.decode("ascii", "replace"), handle))
        return found


def visible(devices):
    """The handles of those that CUDA_VISIBLE_DEVICES names, up to the first word that it does not know; a slice counts with its whole GPU only
    where that is the only one."""
    words = os.environ.get("CUDA_VISIBLE_DEVICES")
    if words is None:
        return [handle for _, handle in devices]
    chosen = []
    for word in (word.strip() for word in words.split(",")):
        if word.isdigit() and int(word) < len(devices):
            chosen.append(devices[int(word)][1])
        elif word.startswith("MIG-") and len(devices) == 1:
            chosen.append(devices[0][1])
        else:
            named = [handle for uuid, handle in devices if word and uuid.startswith(word)]
            if len(named) != 1:
                break
            chosen += named
    return chosen
