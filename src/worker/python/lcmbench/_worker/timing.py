"""How one benchmark is to be timed, and what was noticed on the way."""

import sys

from lcmbench._worker.timers import CallTimer


class Timing:
    """The settings of one measurement. `flags` collects the words that go with the result."""

    def __init__(self, setup_scope, timeout, device_sync):
        self.setup_scope = setup_scope
        self.timeout = timeout
        self.device_sync = device_sync
        self.flags = []

    def timer(self, function, clock, renew, scope):
        """A timer; a plain one where nothing can run on a device, so that such a suite pays nothing."""
        if self.device_sync or "jax" in sys.modules:
            from lcmbench._worker.device import DeviceTimer

            return DeviceTimer(function, clock, renew, scope, self.device_sync)
        return CallTimer(function, clock, renew, scope)

    def note(self, timer, count):
        """Keeps the flags of a timer whose last `count` timings are the samples."""
        flags = getattr(timer, "flags", None)
        if flags is not None:
            self.flags += flags(count)
