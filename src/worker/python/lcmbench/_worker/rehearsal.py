"""Jobs that measure nothing and tell nobody. They let the interpreter settle in the server on how to run the worker's code; else each fork
would do that for itself, and have the memory copied that it writes to in doing so.

All that a fork runs is rehearsed, from the fork to the last step, and in between with a request that is read and events that are written.
"""

import os
import sys

from lcmbench._worker import timers
from lcmbench._worker.forks import Forks
from lcmbench._worker.kinds import Time, Track
from lcmbench._worker.lifeline import Lifeline
from lcmbench._worker.protocol import Channel
from lcmbench._worker.suite import Suite

REQUEST = (
    b'{"request": "fork", "job": {"id": 0, "cwd": ".", "benchmarks": ["rehearsal"], "combination": 0, "attributes": '
    b'{"number": 1, "repeat": 1, "warmup_time": 0}, "timeout": 60.0}}\n'
)

# CPython adapts code within its first dozen of runs.
ENOUGH = 12

# A built-in function without arguments, as `os.fork` is, that returns what that returns in a fork.
FORK = (0).conjugate


class Over(BaseException):
    """Stands for the end of the process."""


def settle(understudy, rules):
    """Rehearses until the interpreter has seen the code often enough to choose its final form. `understudy(channel, suite)` makes a worker."""
    # With JAX a timer looks at devices, which only a benchmark may do.
    kinds = (Track,) if "jax" in sys.modules else (Time, Track)
    with open(os.devnull, "wb", buffering=0) as nobody:
        for _ in range(ENOUGH):
            for kind in kinds:
                rehearse(understudy, suite_of(kind, rules), nobody.fileno())
    # What is timed begins as it was compiled, not adapted to a function of ours.
    timers.time_calls.__code__ = timers.time_calls.__code__.replace()


def suite_of(kind, rules):
    """A suite of one benchmark."""
    suite = Suite("", rules)
    suite.add("rehearsal", kind("rehearsal", nothing, [nothing, sys], rules))
    return suite


def rehearse(understudy, suite, nobody):
    """Lives the life of a fork; the events go to the descriptor `nobody`."""
    requests, writing = os.pipe()
    os.write(writing, REQUEST)
    os.close(writing)
    channel = Channel(requests, nobody)
    lifeline = Lifeline(deadly=False)
    forks = Forks(channel, understudy(channel, suite)._run, lifeline, FORK, leave)
    try:
        forks.in_fork(forks.wait_for_job)
    except Over:
        os.close(lifeline.reading)


def leave(status):
    raise Over


def nothing(_):
    return 0


nothing.params = [0]
