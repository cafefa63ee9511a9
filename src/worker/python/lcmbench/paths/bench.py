"""One fixture at work: building paths, timing them, comparing their outputs, fitting."""

import hashlib
import time

from lcmbench._worker import device
from lcmbench.paths.arrays import NotAnArray, array_of, largest_difference, not_finite, shape_of, times
from lcmbench.paths.fixtures import entry_of
from lcmbench.paths.ladder import start_values
from lcmbench.paths.loop import Call
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
        self._paths = {path.label: path for path in fixture.paths()}
        self._parameters = list(fixture.parameters())
        for role in ("reference", "compiled"):
            if getattr(fixture, role) not in self._paths:
                raise PathFailure(f"the {role} of the fixture, `{getattr(fixture, role)}`, is none of its paths: {', '.join(self._paths)}")
        return {
            **entry_of(fixture),
            "notes": [str(note) for note in fixture.notes()],
            "paths": [
                {"label": path.label, "unavailable": path.unavailable, "compiles": path.compiles} for path in self._paths.values()
            ],
            "reference": fixture.reference,
            "compiled": fixture.compiled,
            "parameters": [
                {"name": par.name, "value": par.value, "low": par.low, "high": par.high, "free": par.free} for par in self._parameters
            ],
            "fits": fixture.can_fit,
            "counted": [function.label for function in fixture.counted()],
            "planning": [function.label for function in fixture.planning()],
            "definition": hashlib.sha256(fixture.definition().encode("utf-8", "replace")).hexdigest(),
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
        where the reference has an output there."""
        built = self._built[label]
        again = self._checked(label, built.call.output())
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
        functions = {"counted": fixture.counted, "planning": fixture.planning, None: list}[watch]()
        run = Run(functions, start, known)
        compiled = listen_to_compilations()
        with run.spies:
            fit = fixture.fit(label, run)
        if not run.stages:
            raise PathFailure("the fit of the fixture has no stage: `with run.stage(...)` is missing")
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
        bad = not_finite(array)
        if bad:
            raise PathFailure(f"{bad} of the {array.size} values of its output are NaN or infinite")
        reference = self._built.get(self._fixture.reference)
        if reference is not None and label != self._fixture.reference and shape_of(array) != shape_of(reference.output):
            raise PathFailure(
                f"its output is {times(shape_of(array))}, that of the reference, {self._fixture.reference}, {times(shape_of(reference.output))}"
            )
        return array


def listen_to_compilations():
    """How many programs JAX has compiled in this process, as far as that was watched."""
    device.listen()
    return device._compilations[0]
