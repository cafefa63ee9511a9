"""Timing: a bare loop over the calls of one path."""

import time
from itertools import repeat

from lcmbench._worker.device import arrays_in, wait


class Call:
    """The evaluation of one path, ready to be repeated. Arrays that are still being computed are waited for, inside the timed region."""

    def __init__(self, path, plan, values):
        self._evaluate = path.evaluate
        self._plan = plan
        self._values = values
        self._given = tuple(values)
        self._timed = timed

    def first(self):
        """The first evaluation: (output, seconds). Looks at whether all others have to be waited for."""
        begun = time.perf_counter()
        output = self.output()
        seconds = time.perf_counter() - begun
        if arrays_in(output):
            self._timed = timed_and_awaited
        return output, seconds

    def output(self):
        """One evaluation's output, finished."""
        output = self._evaluate(self._plan, self._values)
        wait(output)
        return output

    def has_changed_values(self):
        """Whether an evaluation changed the list of values, so that the next one got others."""
        return len(self._values) != len(self._given) or any(now is not given for now, given in zip(self._values, self._given))

    def block(self, calls):
        """Seconds of so many calls, after one that is not measured: it brings back what other paths drove out of the caches."""
        self.bare(1)
        return self.bare(calls)

    def bare(self, calls):
        """Seconds of so many calls, with nothing before them."""
        return self._timed(self._evaluate, self._plan, self._values, calls)


def timed(evaluate, plan, values, calls):
    """Seconds of so many evaluations. Nothing else happens between the two looks at the clock."""
    clock = time.perf_counter
    begun = clock()
    for _ in repeat(None, calls):
        evaluate(plan, values)
    return clock() - begun


def timed_and_awaited(evaluate, plan, values, calls):
    """Seconds of so many evaluations, each awaited before the next."""
    clock = time.perf_counter
    begun = clock()
    for _ in repeat(None, calls):
        wait(evaluate(plan, values))
    return clock() - begun
