"""One fixture at work: building paths, timing them, comparing their outputs, fitting."""

import hashlib
import math
import time

from lcmbench._worker import device
from lcmbench.paths.arrays import NotAnArray, array_of, largest_difference, not_finite, shape_of, times
from lcmbench.paths.declarations import definition_of, functions_of, kind_of, notes_of, parameters_of, paths_of
from lcmbench.paths.fixtures import entry_of
from lcmbench.paths.ladder import start_values
from lcmbench.paths.loop import Call
from lcmbench.paths.model import Fit
from lcmbench.paths.run import Run

# The start whose values are evaluated beside the initial ones, so that what was derived from those alone shows.
ELSEWHERE = 1


class PathFailure(Exception):
    """What a path or fit gave back is of no use; the message is a sentence."""


class Built:
    """A path with its plan and its outputs at the initial values and elsewhere."""

    def __init__(self, path, plan, call, output):
        self.path = path
        self.plan = plan
        self.call = call
        self.output = output
        self.elsewhere = None


class Bench:
    """A fixture with what has been built of it."""

    def __init__(self, fixture):
        self._fixture = fixture
        self._paths = {}
        self._parameters = []
        self._built = {}

    def load(self):
        """Loads the fixture and describes it."""
        fixture = self._fixture
        fixture.load()
        self._paths = paths_of(fixture)
        self._parameters = parameters_of(fixture)
        return {
            **entry_of(fixture),
            "notes": notes_of(fixture),
            "paths": [
                {"label": path.label, "unavailable": path.unavailable, "compiles": bool(path.compiles)} for path in self._paths.values()
            ],
            "reference": fixture.reference,
            "compiled": fixture.compiled,
            "parameters": [
                {"name": par.name, "value": par.value, "low": par.low, "high": par.high, "free": par.free} for par in self._parameters
            ],
            "fits": fixture.can_fit,
            "counted": [function.label for function in functions_of(fixture, "counted")],
            "planning": [function.label for function in functions_of(fixture, "planning")],
            "definition": hashlib.sha256(definition_of(fixture).encode("utf-8", "replace")).hexdigest(),
        }

    def build(self, label):
        """Makes the plan of a path and evaluates it once, at the parameters' own values."""
        path = self._paths[label]
        self._built.pop(label, None)
        listen_to_compilations()
        begun = time.perf_counter()
        plan = path.build()
        seconds = time.perf_counter() - begun
        call = Call(path, plan, [parameter.value for parameter in self._parameters])
        output, first = call.first()
        built = Built(path, plan, call, self._checked(label, output))
        self._built[label] = built
        return {"build": seconds, "first": first, "shape": shape_of(built.output)}

    def warm(self, label, calls):
        """Evaluates a path without telling how long that took."""
        self._built[label].call.bare(calls)
        return {}

    def block(self, label, calls):
        """Times a block of calls of a path that takes turns with others."""
        return {"seconds": self._built[label].call.block(calls)}

    def loop(self, label, calls):
        """Times calls of a path with nothing around them, not even one before."""
        return {"seconds": self._built[label].call.bare(calls)}

    def compare(self, label, against):
        """The largest difference of a path's output from that of others: at the initial values, first and now, and at those of another start,
        where the reference has an output there. The reference itself is compared with what it was at first."""
        built = self._built[label]
        if built.call.has_changed_values():
            raise PathFailure("`evaluate` changed the list of values that it was given, so that later calls got others")
        again = self._checked(label, built.call.output())
        if label == self._fixture.reference:
            return {"differences": {label: largest_difference(built.output, again)}}
        reference = self._output_elsewhere(self._built.get(self._fixture.reference), lenient=True)
        elsewhere = None if reference is None else self._output_elsewhere(built)
        differences = {}
        for other in against:
            there = self._built.get(other)
            if there is None:
                continue
            pairs = [(built.output, there.output), (again, there.output)]
            there_elsewhere = self._output_elsewhere(there, lenient=True)
            if elsewhere is not None and there_elsewhere is not None:
                pairs.append((elsewhere, there_elsewhere))
            differences[other] = max(largest_difference(*pair) for pair in pairs)
        return {"differences": differences}

    def fit(self, label, watch, start, known):
        """One fit on a path. `watch` names what is watched: `counted`, `planning` or nothing."""
        fixture = self._fixture
        functions = functions_of(fixture, watch) if watch else []
        run = Run(functions, start, known)
        compiled = listen_to_compilations()
        with run.spies:
            fit = fixture.fit(label, run)
        if not run.stages:
            raise PathFailure("the fit of the fixture has no stage: `with run.stage(...)` is missing")
        check_fit(fit)
        return {
            "stages": run.stages,
            "values": fit.values,
            "reduced_chi_square": fit.reduced_chi_square,
            "starts": run.starts,
            "compilations": listen_to_compilations() - compiled,
        }

    def _output_elsewhere(self, built, lenient=False):
        """The output at the values of another start. `lenient`: None where that is of no use."""
        if built is None or built.elsewhere is not None:
            return None if built is None else built.elsewhere
        starts = start_values(self._parameters, ELSEWHERE)
        values = [starts.get(parameter.name, parameter.value) for parameter in self._parameters]
        try:
            output = Call(built.path, built.plan, values).output()
            built.elsewhere = self._checked(built.path.label, output)
        except Exception as error:
            if lenient:
                return None
            message = f"at the values of start {ELSEWHERE}, where the reference has an output: {type(error).__name__}: {error}"
            raise PathFailure(message) from error
        return built.elsewhere

    def _checked(self, label, output):
        """The output as an array. Raises PathFailure for what cannot be right."""
        try:
            array = array_of(output)
        except NotAnArray as error:
            raise PathFailure(str(error)) from error
        if array.size == 0:
            raise PathFailure("its output is empty")
        bad = not_finite(array)
        if bad:
            raise PathFailure(f"{bad} of the {array.size} values of its output are NaN or infinite")
        shape, own, reference = shape_of(array), self._built.get(label), self._built.get(self._fixture.reference)
        if own is not None and shape != shape_of(own.output):
            raise PathFailure(f"its output was {times(shape_of(own.output))} at first and is {times(shape)} now")
        if reference is not None and shape != shape_of(reference.output):
            raise PathFailure(f"its output is {times(shape)}, that of the reference, {self._fixture.reference}, {times(shape_of(reference.output))}")
        return array


def check_fit(fit):
    """Raises PathFailure for what is no result of a fit."""
    if not isinstance(fit, Fit):
        raise PathFailure(f"fit() of the fixture must return a Fit, not {kind_of(fit)}")
    if not math.isfinite(fit.reduced_chi_square):
        raise PathFailure(f"the reduced chi-square of the fit is {fit.reduced_chi_square}")
    for name, value in fit.values.items():
        if not math.isfinite(value):
            raise PathFailure(f"the fitted value of `{name}` is {value}")


def listen_to_compilations():
    """How many programs JAX has compiled in this process, as far as that was watched."""
    device.listen()
    return device._compilations[0]
