"""One fit as the fixture sees it: its stages and its initial values."""

import contextlib
import time

from lcmbench.paths.ladder import start_values
from lcmbench.paths.sentences import Sentence
from lcmbench.paths.spies import Spies


class SameStart(Exception):
    """The start of this run is that of an earlier one, once it is clipped into the bounds."""

    def __init__(self, run):
        super().__init__(f"the start is that of run {run}")
        self.run = run


class SameStage(Sentence):
    """Two stages of a fit cannot be told apart."""


class Run:
    """Given to `ModelPaths.fit`. `start` is the number of the start, 0 for the model's own values; `known` are the starts of earlier runs."""

    def __init__(self, functions, start=0, known=()):
        self.spies = Spies(functions)
        self.stages = []
        self.starts = None
        self._start = start
        self._known = list(known)

    @contextlib.contextmanager
    def stage(self, label):
        """Times a stage and counts in it."""
        if any(stage["label"] == str(label) for stage in self.stages):
            raise SameStage(f"two stages of the fit have the label `{label}`")
        before = self.spies.snapshot()
        begun = time.perf_counter()
        yield
        seconds = time.perf_counter() - begun
        watched = {
            name: {"calls": calls - before[name][0], "seconds": spent - before[name][1]}
            for name, (calls, spent) in self.spies.snapshot().items()
        }
        self.stages.append({"label": str(label), "seconds": seconds, "watched": watched})

    def initial(self, parameters):
        """The initial values of the free parameters by name, for this run."""
        self.starts = start_values(list(parameters), self._start)
        for number, known in enumerate(self._known):
            if known is not None and known == self.starts:
                raise SameStart(number)
        return dict(self.starts)
