"""The fixtures of this example: `lcmbench paths --fixture paths.py`."""

import importlib.util
import inspect

import model
import numpy
from lcmbench.paths import Fit, Function, ModelPaths, Parameter, Path


class ExpressionPaths(ModelPaths):
    """What both models have in common. It has no number, so it is no fixture itself."""

    exercises = ("plain",)
    reference = "interpreter"
    compiled = "compiled"

    text = ""
    # Name: initial value, low and high bound, the value that made the data.
    known = {}

    def load(self):
        self.expression = self.new_expression()
        truth = [entry[3] for entry in self.known.values()]
        self.data = model.interpret(self.expression, truth) + self.noise()
        if self.why_no_jax() is None:
            # What is timed later is not to include the import.
            import jax  # noqa: F401

    def new_expression(self):
        energy = numpy.linspace(-5.0, 5.0, 200)
        time = numpy.linspace(0.0, 10.0, 100)
        return model.Expression(self.text, self.known, energy, time)

    def noise(self):
        """The same noise in each run."""
        return numpy.random.default_rng(1).normal(0.0, 0.01, self.expression.shape)

    def why_no_jax(self):
        if importlib.util.find_spec("jax") is None:
            return "JAX is not installed; install it with: pip install jax"
        return None

    def paths(self):
        return [
            Path("compiled", lambda: self.build("compiled"), self.evaluate),
            Path("interpreter", lambda: self.build("interpreter"), self.evaluate),
            Path("JAX", lambda: self.build("JAX"), self.evaluate, unavailable=self.why_no_jax(), compiles=True),
        ]

    def build(self, path):
        """The plan of a path: a function of the parameters' values."""
        expression = self.new_expression()
        if path == "interpreter":
            return lambda values: model.interpret(expression, values)
        if path == "compiled":
            program = model.compile_numpy(expression)
            return lambda values: model.run_compiled(expression, program, values)
        compiled = model.compile_jax(expression)
        return lambda values: compiled(numpy.asarray(values, dtype=float))

    def evaluate(self, plan, values):
        return plan(values)

    def parameters(self):
        return [Parameter(name, value, low, high) for name, (value, low, high, _) in self.known.items()]

    def fit(self, path, run):
        with run.stage("plan"):
            evaluate = self.build(path)
        start = run.initial(self.parameters())
        with run.stage("fit"):
            values, chi_square = model.fit(evaluate, list(start.values()), self.data)
        return Fit(dict(zip(start, values)), chi_square)

    def counted(self):
        return [Function("residual evaluations", model, "residuals")]

    def planning(self):
        return [Function("parsing", model, "parse"), Function("compiling", model, "compile_numpy")]

    def definition(self):
        return inspect.getsource(model) + inspect.getsource(ExpressionPaths) + inspect.getsource(type(self))


class Decay(ExpressionPaths):
    """A peak that decays: all parameters are determined."""

    number = 1
    name = "decay"
    text = "height * exp(-(energy - centre) ** 2 / (2 * width ** 2)) * exp(-time / tau) + offset"
    known = {
        "height": (2.0, 0.0, 10.0, 3.0),
        "centre": (0.5, -3.0, 3.0, 0.2),
        "width": (1.0, 0.1, 4.0, 0.8),
        "tau": (2.0, 0.1, 20.0, 3.0),
        "offset": (0.0, -1.0, 1.0, 0.1),
    }


class Product(ExpressionPaths):
    """Two factors of which the data determine the product alone: a flat direction."""

    number = 2
    name = "product"
    text = "gain * height * exp(-(energy - centre) ** 2) * (1 + sin(time))"
    known = {
        "gain": (2.0, 0.1, 10.0, 1.5),
        "height": (1.0, 0.1, 10.0, 2.0),
        "centre": (0.5, -3.0, 3.0, 0.2),
    }


def fixtures():
    """What `lcmbench paths` measures."""
    return [Decay(), Product()]
