"""Timers: each has `timeit(n)`, the seconds that n calls take, with the garbage collector off."""

import gc
from itertools import repeat
from time import perf_counter


class CallTimer:
    """Times calls of a function. `renew` runs as `scope` says, outside of what is timed, but never before the first calls: the setup
    that the benchmark began with is still fresh.

    * `sample`: once for each `timeit`;
    * `call`: before each single call, which is timed alone;
    * `process`: never.
    """

    def __init__(self, function, clock, renew, scope):
        self.function = function
        self._clock = clock or perf_counter
        self._renew = renew if scope != "process" else None
        self._single = scope == "call"
        self._fresh = True

    def timeit(self, number):
        return self._time_singly(number) if self._single else self._time_together(number)

    def _time_together(self, number):
        self.before()
        collects = gc.isenabled()
        gc.disable()
        try:
            return time_calls(repeat(None, number), self._clock, self.function)
        finally:
            if collects:
                gc.enable()

    def _time_singly(self, number):
        clock, function = self._clock, self.function
        total = 0.0
        for _ in range(number):
            self.before()
            collects = gc.isenabled()
            gc.disable()
            try:
                began = clock()
                function()
                total += clock() - began
            finally:
                if collects:
                    gc.enable()
        return total

    def before(self):
        """Sets up again where that is due."""
        if self._fresh:
            self._fresh = False
        elif self._renew is not None:
            self._renew()


def time_calls(times, clock, function):
    """The loop of `timeit`, to the bytecode, so that an empty function takes as long as it does there."""
    began = clock()
    for _ in times:
        function()
    ended = clock()
    return ended - began


class CodeTimer:
    """Times a piece of code in an interpreter of its own, a fresh one for each `timeit`. `make_code` returns the statement, or the
    statement and its setup; `environment` is added to the child's variables."""

    def __init__(self, make_code, environment):
        self._make_code = make_code
        self._environment = environment

    def timeit(self, number):
        import os
        import subprocess
        import sys

        statement, setup = split_code(self._make_code())
        environment = {**os.environ, **{str(key): str(value) for key, value in self._environment.items()}}
        program = PROGRAM.format(statement=statement, setup=setup, number=number, mark=MARK)
        sys.stdout.flush()
        child = subprocess.run(
            [sys.executable, "-c", "import sys; exec(sys.stdin.read())"],
            input=program.encode("utf-8"),
            stdout=subprocess.PIPE,
            env=environment,
            check=False,
        )
        *printed, last = child.stdout.decode("utf-8", "replace").rstrip("\n").split("\n")
        seconds = last.rpartition(MARK)[2] if MARK in last else None
        printed = "\n".join([*printed, last.partition(MARK)[0]])
        if printed.strip():
            print(printed, flush=True)
        if child.returncode != 0 or seconds is None:
            raise RuntimeError(f"The interpreter of the timed code ended with status {child.returncode} and told no time.")
        return float(seconds)


# What stands before the seconds on the child's last line: the code may print on the same stream.
MARK = "lcmbench-seconds:"

PROGRAM = """\
import sys, timeit
seconds = timeit.repeat(stmt={statement!r}, setup={setup!r}, repeat=1, number={number})[0]
sys.stdout.flush()
sys.stdout.write("{mark}%r" % seconds)
"""


def split_code(code):
    """The dedented statement and setup of what a `timeraw_` function returns."""
    from textwrap import dedent

    statement, setup = code if isinstance(code, (tuple, list)) else (code, "pass")
    return dedent(statement), dedent(setup)
