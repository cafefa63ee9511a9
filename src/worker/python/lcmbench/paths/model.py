"""The protocol: a model, its evaluators ("paths"), its parameters and its fit."""

import math


class Unavailable(Exception):
    """Raised by `Path.build` when this path cannot be had here after all; the message is the reason, and the path is skipped."""


class Path:
    """One way to evaluate the model.

    `label` names it in reports. `build()` makes the plan, whatever `evaluate` needs, and is called once a plan. `evaluate(plan, values)`
    returns the model's output, an array or nested lists of numbers, for the parameters' values in the order of `ModelPaths.parameters`.
    `unavailable` is the reason why this path cannot be had here, or None. `compiles` says that the first evaluation compiles: its cost is
    reported apart, as it is paid once a plan.
    """

    def __init__(self, label, build, evaluate, unavailable=None, compiles=False):
        self.label = label
        self.build = build
        self.evaluate = evaluate
        self.unavailable = unavailable
        self.compiles = compiles


class Parameter:
    """A parameter of the model: its initial value, its bounds (infinite where there are none), and whether a fit may change it."""

    def __init__(self, name, value, low=-math.inf, high=math.inf, free=True):
        self.name = name
        self.value = float(value)
        self.low = -math.inf if low is None else float(low)
        self.high = math.inf if high is None else float(high)
        self.free = bool(free)


class Function:
    """A function that is watched while a fit runs: the attribute `name` of `owner`, a module or class, under the label of the report.

    It is replaced while the fit runs, so whoever calls it must look it up in `owner` at the time of the call.
    """

    def __init__(self, label, owner, name):
        self.label = label
        self.owner = owner
        self.name = name


class Fit:
    """What a fit came to: the fitted values of the free parameters by name, and the reduced chi-square."""

    def __init__(self, values, reduced_chi_square):
        self.values = {name: float(value) for name, value in values.items()}
        self.reduced_chi_square = float(reduced_chi_square)


class NoFixture:
    """Stands in a list of fixtures for an example that is none, with the reason."""

    def __init__(self, number, name, reason):
        self.number = number
        self.name = name
        self.reason = reason


class ModelPaths:
    """One model with several evaluators: the fixture of `lcmbench paths`. Projects derive from it.

    The class attributes name the fixture: `number` (as on the command line, from 1), `name` (by default that of the class), `exercises`
    (words such as `plain`, `convolution`, `subcycle`, `profile`), `reference` (the label of the path whose values are right) and `compiled`
    (the label of the path that is profiled, that fits run on, and that compiling paths are compared with as well).
    """

    number = None
    name = None
    exercises = ("plain",)
    reference = "interpreter"
    compiled = "compiled"

    def load(self):
        """Called once before anything else but the class attributes is used: import what is measured, read data. Raise what is wrong."""

    def paths(self):
        """The paths, a list of `Path`. Required."""
        raise NotImplementedError(f"{type(self).__name__} declares no paths()")

    def parameters(self):
        """All parameters of the complete model in the model's order, a list of `Parameter`. Required."""
        raise NotImplementedError(f"{type(self).__name__} declares no parameters()")

    def fit(self, path, run):
        """One full fit on the path of that label, with a model of its own; returns a `Fit`.

        `with run.stage("label"):` around each stage of the fit times it and counts in it; the last stage is the one that is compared.
        `run.initial(parameters)`, called where the initial values of the fit are set, returns the values to start from by name.
        """
        raise NotImplementedError(f"{type(self).__name__} declares no fit()")

    def counted(self):
        """What is counted in a fit, a list of `Function`: usually the one that computes residuals."""
        return []

    def planning(self):
        """What planning consists of, a list of `Function`."""
        return []

    def notes(self):
        """Lines about the model for the head of the report."""
        return []

    def definition(self):
        """A text that changes when the measured work does: stored results of another definition are not compared with. By default the
        source of the class."""
        import inspect

        return inspect.getsource(type(self))

    @property
    def can_fit(self):
        """Whether a fit is declared."""
        return type(self).fit is not ModelPaths.fit
