"""Timing what runs on a device: waiting for results, noticing results that are not waited for and compilations. Knows JAX."""

import sys

from lcmbench._worker.timers import CallTimer

COMPILE_EVENT = "backend_compile_duration"

# Number and seconds of compilations since the listener was registered.
_compilations = [0, 0.0]
_listening = False


class DeviceTimer(CallTimer):
    """Times calls, and waits inside the timed region for what they return if `wait` is true.

    The first timing looks at the last value that was returned: whether it is still being computed, and whether there is anything to wait
    for at all. After that the calls are as bare as they can be.
    """

    def __init__(self, function, clock, renew, scope, wait):
        super().__init__(function, clock, renew, scope)
        self._wait = wait
        self._looked = False
        self._unfinished = False
        self._compiled = []
        self._outside = 0

    def timeit(self, number):
        loaded = listen()
        before = _compilations[0]
        self._outside = 0
        seconds = super().timeit(number) if self._looked else self._look(number)
        compilations = _compilations[0] - before - self._outside
        self._compiled.append(compilations > 0 or (not loaded and listen()))
        return seconds

    def flags(self, count):
        """The flags of the last `count` timings."""
        words = []
        if self._unfinished:
            words.append("unfinished-array")
        if any(self._compiled[len(self._compiled) - count :]):
            words.append("compiled-while-timed")
        return words

    def _look(self, number):
        function, wait_inside = self.function, self._wait
        last = None

        def keep():
            nonlocal last
            last = function()
            if wait_inside:
                wait(last)

        def wait_for():
            wait(function())

        self.function = keep
        seconds = super().timeit(number)
        self._looked = True
        if wait_inside:
            self.function = wait_for if arrays_in(last) else function
        else:
            self._unfinished = any(not is_ready(array) for array in arrays_in(last))
            self.function = function
        return seconds

    def before(self):
        before = _compilations[0]
        super().before()
        self._outside += _compilations[0] - before


def wait(value):
    """Waits until every array in a value is computed."""
    if value is None:
        return
    method = getattr(value, "block_until_ready", None)
    if method is not None:
        method()
        return
    arrays = arrays_in(value)
    if not arrays:
        return
    jax = sys.modules.get("jax")
    if jax is not None and hasattr(jax, "block_until_ready"):
        jax.block_until_ready(arrays)
        return
    for array in arrays:
        array.block_until_ready()


def arrays_in(value):
    """Everything with a `block_until_ready` in lists, tuples, dicts, dataclasses and the trees that JAX knows."""
    found = []
    collect(value, found, set())
    return found


def collect(value, found, seen):
    """Adds the arrays of one value to what was found; `seen` breaks circles."""
    if value is None or isinstance(value, (str, bytes, int, float, complex)):
        return
    if hasattr(value, "block_until_ready"):
        found.append(value)
        return
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, dict):
        parts = value.values()
    elif isinstance(value, (list, tuple)):
        parts = value
    elif hasattr(type(value), "__dataclass_fields__"):
        parts = [getattr(value, name, None) for name in type(value).__dataclass_fields__]
    else:
        parts = leaves_of(value)
    for part in parts:
        collect(part, found, seen)


def leaves_of(value):
    """The leaves of a type that was registered with JAX as a tree; nothing for any other."""
    jax = sys.modules.get("jax")
    try:
        return [leaf for leaf in jax.tree_util.tree_leaves(value) if leaf is not value]
    except AttributeError:
        return []


def is_ready(array):
    """Whether an array is computed; one that cannot tell counts as computed."""
    method = getattr(array, "is_ready", None)
    return method is None or bool(method())


def listen():
    """Counts JAX's compilations from now on, if JAX is loaded. Returns whether it is."""
    global _listening
    if not _listening:
        if "jax" not in sys.modules:
            return False
        _listening = True
        try:
            from jax.monitoring import register_event_duration_secs_listener
        except ImportError:
            return True
        register_event_duration_secs_listener(count_compilation)
    return True


def compilations():
    """How often JAX has compiled since `listen`."""
    return _compilations[0]


def compile_totals():
    """Number and seconds of JAX's compilations since `listen`."""
    return tuple(_compilations)


def count_compilation(event, duration, **details):
    """Called by JAX for each of its durations."""
    if event.endswith(COMPILE_EVENT):
        _compilations[0] += 1
        _compilations[1] += duration
