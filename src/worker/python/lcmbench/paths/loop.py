"""Timing: a bare loop over the calls of one path."""

import time
from functools import partial
from itertools import repeat

from lcmbench._worker.device import arrays_in, wait


class Call:
    """The evaluation of one path, ready to be repeated. Arrays that are still being computed are waited for, inside the timed region."""

    def __init__(self, path, plan, values):
        self._bare = partial(path.evaluate, plan, values)
        self._repeated = self._bare

    def first(self):
        """The first evaluation: (output, seconds). Looks at what has to be waited for in all others."""
        begun = time.perf_counter()
        output = self._bare()
        wait(output)
        seconds = time.perf_counter() - begun
        if arrays_in(output):
            bare = self._bare
            self._repeated = lambda: wait(bare())
        return output, seconds

    def output(self):
        """One more evaluation's output, finished."""
        output = self._bare()
        wait(output)
        return output

    def block(self, calls):
        """Seconds of so many calls, after one that is not measured: it brings back what other paths drove out of the caches."""
        self._repeated()
        return timed(self._repeated, calls)

    def bare(self, calls):
        """Seconds of so many calls, with nothing before them."""
        return timed(self._repeated, calls)


def timed(call, calls):
    """Seconds of so many calls. Nothing else happens between the two looks at the clock."""
    clock = time.perf_counter
    begun = clock()
    for _ in repeat(None, calls):
        call()
    return clock() - begun
