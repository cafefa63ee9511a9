"""trspecfit's example workflows as fixtures: the compiled evaluator against the interpreter and JAX."""

import hashlib
import os

from lcmbench.paths import trspecfit_names as trspecfit
from lcmbench.paths.arrays import times
from lcmbench.paths.calls import DYNAMICS, MODEL, PROFILE
from lcmbench.paths.model import Fit, Function, ModelPaths, NoFixture, Parameter, Path, Unavailable
from lcmbench.paths.sentences import Sentence
from lcmbench.paths.workflows import AUXILIARY, DATA, ENERGY, ENERGY_MODELS, TIME, workflows_in

# The rows of the data, first and last, that the baseline is averaged over.
BASELINE = (0, 10)

# Grows when the work that is measured changes.
REVISION = 1

INTERPRETER, COMPILED, JAX = "interpreter", "compiled", "JAX"

FUNCTIONS = {INTERPRETER: trspecfit.INTERPRETER, COMPILED: trspecfit.COMPILED, JAX: trspecfit.JAX}

NOT_LOWERABLE = "the model cannot be lowered: trspecfit's can_lower_2d refuses its graph"


class WorkflowError(Sentence):
    """The data of a workflow do not fit together; the message is a sentence."""


def fixtures_in(folder):
    """The fixtures of a folder of workflows, and what is none."""
    return [
        WorkflowPaths(workflow) if workflow.reason is None else NoFixture(workflow.number, workflow.name, workflow.reason)
        for workflow in workflows_in(folder)
    ]


class WorkflowPaths(ModelPaths):
    """One workflow."""

    reference = INTERPRETER
    compiled = COMPILED

    def __init__(self, workflow):
        self.number = workflow.number
        self.name = workflow.name
        self.exercises = workflow.exercises
        self.error = workflow.error
        self._workflow = workflow
        self._names = None
        self._model = None

    def load(self):
        self._names = trspecfit.Names()
        file = self._file(FUNCTIONS[COMPILED])
        self._attach(file, DYNAMICS)
        self._energy = file.energy
        self._model = self._names.model(file)
        self._graph = self._names.build_graph(self._model)
        self._lowerable = self._names.can_lower(self._graph)
        self._no_jax = self._why_no_jax()
        if self._no_jax is None:
            try:
                self._names.import_jax()
            except ImportError as error:
                self._no_jax = f"JAX cannot be imported: {error}"

    def paths(self):
        return [
            Path(COMPILED, self._build_compiled, self._evaluate(COMPILED), unavailable=None if self._lowerable else NOT_LOWERABLE),
            Path(INTERPRETER, lambda: (self._model, 2), self._evaluate(INTERPRETER)),
            Path(JAX, self._build_jax, self._evaluate(JAX), unavailable=self._no_jax, compiles=True),
        ]

    def parameters(self):
        return self._parameters_of(self._model)

    def fit(self, path, run):
        names = self._names
        file = self._file(FUNCTIONS[path])
        names.define_baseline(file, *BASELINE)
        with run.stage("baseline fit"):
            names.fit_baseline(file, MODEL)
        self._attach(file, DYNAMICS)
        model = names.model(file)
        changed = self._start(model, run)
        with run.stage("2D fit"):
            names.fit_2d(file, MODEL, from_model=changed)
        outcome = names.outcome(model)
        values = {parameter.name: outcome.params[parameter.name].value for parameter in self._parameters_of(model) if parameter.free}
        return Fit(values, outcome.redchi)

    def counted(self):
        return [Function("residual evaluations", self._names.fitlib, "residual_fun")]

    def planning(self):
        return [
            Function("graph building", self._names.graph, "build_graph"),
            Function("scheduling", self._names.graph, "schedule_2d"),
        ]

    def notes(self):
        calls = self._workflow.calls
        lines = [f"lowerable: {'yes' if self._lowerable else 'no'}"]
        lines += [f"profile: {call['target_parameter']} ← {shown(call['profile_model'])}" for call in calls[PROFILE]]
        lines += [f"dynamics: {call['target_parameter']} ← {shown(call['dynamics_model'])}" for call in calls[DYNAMICS]]
        return lines

    def definition(self):
        digest = hashlib.sha256()
        folder = self._workflow.folder
        files = [name for name in sorted(os.listdir(folder)) if name.endswith(".yaml")] + [DATA, ENERGY, TIME, AUXILIARY]
        for name in files:
            if os.path.isfile(os.path.join(folder, name)):
                with open(os.path.join(folder, name), "rb") as file:
                    digest.update(name.encode() + b"\0" + file.read() + b"\0")
        return f"{REVISION} {BASELINE} {self._workflow.calls} {digest.hexdigest()}"

    def _file(self, function):
        """A new file with the data, the 2D model and its profiles. Evaluates with that function of `spectra`."""
        names = self._names
        project = names.project(self._workflow.folder)
        names.choose(project, function)
        file = names.file(project, **read_data(self._workflow))
        names.load(file, ENERGY_MODELS, MODEL)
        self._attach(file, PROFILE)
        return file

    def _attach(self, file, function):
        for call in self._workflow.calls[function]:
            self._names.attach(file, function, call)

    def _parameters_of(self, model):
        known = self._names.parameters(model)
        parameters = [(name, known[name]) for name in self._names.parameter_names(model)]
        return [Parameter(name, par.value, par.min, par.max, free=par.vary and not par.expr) for name, par in parameters]

    def _start(self, model, run):
        """Sets the initial values of a run; returns whether they are others than the model's own."""
        own = self._parameters_of(model)
        starts = run.initial(own)
        changed = {parameter.name for parameter in own if parameter.free and starts[parameter.name] != parameter.value}
        known = self._names.parameters(model)
        for name in changed:
            known[name].value = starts[name]
        return bool(changed)

    def _evaluate(self, label):
        function, energy = self._names.evaluation(FUNCTIONS[label]), self._energy

        def evaluate(plan, values):
            return function(energy, values, True, *plan)

        return evaluate

    def _build_compiled(self):
        names = self._names
        plan = names.schedule(names.build_graph(self._model))
        return plan, self._indices(plan), self._model, 2

    def _build_jax(self):
        names = self._names
        plan = names.schedule(names.build_graph(self._model))
        try:
            evaluator, jacobian = names.jax_evaluators(plan)
        except ValueError as error:
            raise Unavailable(f"the plan is not supported by JAX: {error}") from error
        return evaluator, jacobian, self._indices(plan), self._model, 2

    def _indices(self, plan):
        """Where the parameters that a plan takes stand among all."""
        import numpy

        order = {name: index for index, name in enumerate(self._names.parameter_names(self._model))}
        return numpy.array([order[name] for name in self._names.optimised_names(plan)], dtype=numpy.intp)

    def _why_no_jax(self):
        if not self._lowerable:
            return NOT_LOWERABLE
        if not trspecfit.has_jax():
            return trspecfit.INSTALL_JAX
        if not self._names.can_lower_jax(self._graph):
            return "the plan is not supported by JAX: trspecfit's can_lower_jax_2d refuses its graph"
        return None


def read_data(workflow):
    """Data and axes of a workflow. Raises WorkflowError where they do not fit together."""
    energy, time = (read_csv(workflow, name, 1) for name in (ENERGY, TIME))
    data = read_csv(workflow, DATA, 2)
    expected = (len(time), len(energy))
    if data.shape != expected:
        raise WorkflowError(
            f"{workflow.path(DATA)} is {times(data.shape)}, but {TIME} has {len(time)} and {ENERGY} has {len(energy)} values: "
            f"{times(expected)} is expected, time × energy"
        )
    contents = {"data": data, "energy": energy, "time": time}
    if os.path.isfile(workflow.path(AUXILIARY)):
        contents["aux_axis"] = read_csv(workflow, AUXILIARY, 1)
    return contents


def read_csv(workflow, name, dimensions):
    """A table of numbers as an array."""
    import numpy

    path = workflow.path(name)
    try:
        array = numpy.loadtxt(path, delimiter=",", ndmin=dimensions)
    except (OSError, ValueError) as error:
        raise WorkflowError(f"{path} cannot be read: {error}") from error
    if array.ndim != dimensions or array.size == 0:
        raise WorkflowError(f"{path} holds {times(array.shape)} numbers; a list of numbers is expected, one a line")
    return array


def shown(models):
    """One model's name, or several."""
    return models if isinstance(models, str) else ", ".join(models)
