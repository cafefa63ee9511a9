"""Functions that are watched while a fit runs: how often they are called and how long they take."""

import functools
import time


class Spies:
    """Replaces functions by watched ones inside a `with` block, and puts them back after it.

    The time of a call leaves out that of watched calls inside it, so that the times add up.
    """

    def __init__(self, functions):
        self._functions = list(functions)
        self._originals = []
        self._inner = []
        self.calls = {function.label: 0 for function in self._functions}
        self.seconds = {function.label: 0.0 for function in self._functions}

    def __enter__(self):
        try:
            for function in self._functions:
                original = getattr(function.owner, function.name)
                self._originals.append((function, original))
                setattr(function.owner, function.name, self._watched(function.label, original))
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exc):
        while self._originals:
            function, original = self._originals.pop()
            setattr(function.owner, function.name, original)

    def snapshot(self):
        """Calls and seconds so far, by label."""
        return {label: (self.calls[label], self.seconds[label]) for label in self.calls}

    def _watched(self, label, original):
        calls, seconds, inner, clock = self.calls, self.seconds, self._inner, time.perf_counter

        @functools.wraps(original)
        def watched(*arguments, **keywords):
            calls[label] += 1
            inner.append(0.0)
            begun = clock()
            try:
                return original(*arguments, **keywords)
            finally:
                elapsed = clock() - begun
                seconds[label] += elapsed - inner.pop()
                if inner:
                    inner[-1] += elapsed

        return watched
