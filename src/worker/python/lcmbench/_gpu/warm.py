"""Timing calls whose code is compiled already, and waiting for devices."""

from time import perf_counter

from lcmbench._worker import remarks
from lcmbench._worker.device import compilations, listen, wait


def synchronize(tree):
    """Waits until every array in a value is computed, and returns the value: lists, tuples, dicts, dataclasses and the trees that JAX
    knows."""
    wait(tree)
    return tree


def warm_call_seconds(execute, warm_samples=3):
    """Calls `execute` so many times and returns the seconds of each call, which include the wait for what it returns.

    The caller has called it before: a call that compiles is not warm, and marks the result as `compiled-while-timed`.
    """
    listen()
    before = compilations()
    seconds = []
    for _ in range(warm_samples):
        began = perf_counter()
        synchronize(execute())
        seconds.append(perf_counter() - began)
    if compilations() > before:
        remarks.flag("compiled-while-timed")
    return seconds
