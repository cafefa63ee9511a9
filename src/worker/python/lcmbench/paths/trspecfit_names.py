"""Everything that is asked of trspecfit, in one place: it is young and renames things between versions."""

import importlib
import inspect
import os
import sys

from lcmbench.paths.sentences import Sentence

# The version that these names are those of.
KNOWN = "0.20.0"

INTERPRETER = "fit_model_mcp"
COMPILED = "fit_model_gir"
JAX = "fit_model_jax"

INSTALL = "install it into the environment of the benchmarks: pip install trspecfit"
INSTALL_JAX = 'JAX is not installed; install it with: pip install "trspecfit[jax]"'


class MissingName(Sentence):
    """trspecfit, or something in it, is not there; the message names the version and what is missing."""


def version():
    """The installed version, or `unknown`."""
    from importlib import metadata

    try:
        return metadata.version("trspecfit")
    except metadata.PackageNotFoundError:
        return "unknown"


def missing(name):
    """The error about a name that is not there."""
    return MissingName(f"trspecfit {version()} has no `{name}`; this version of lcmbench knows the names of trspecfit {KNOWN}")


def attribute(owner, name, shown):
    """An attribute that must be there."""
    try:
        return getattr(owner, name)
    except AttributeError:
        raise missing(shown) from None


class Names:
    """trspecfit's modules, classes and functions, looked up once."""

    def __init__(self):
        quiet_plots()
        try:
            package = importlib.import_module("trspecfit")
        except ImportError as error:
            if error.name != "trspecfit":
                raise
            raise MissingName(f"trspecfit is not installed for {sys.executable}; {INSTALL}") from None
        self.project_class = attribute(package, "Project", "Project")
        self.file_class = attribute(package, "File", "File")
        self.fitlib = self._module("fitlib", "residual_fun")
        self.graph = self._module("graph_ir", "build_graph", "can_lower_2d", "can_lower_jax_2d", "schedule_2d")
        self.spectra = self._module("spectra", INTERPRETER, COMPILED, JAX)

    def _module(self, name, *required):
        try:
            module = importlib.import_module(f"trspecfit.{name}")
        except ImportError as error:
            if error.name != f"trspecfit.{name}":
                raise
            raise missing(name) from None
        for attribute_name in required:
            attribute(module, attribute_name, f"{name}.{attribute_name}")
        return module

    def project(self, folder):
        """A silent project of a workflow's folder."""
        project = self.project_class(path=folder, name="lcmbench")
        for name in ("show_output", "spec_fun_str"):
            attribute(project, name, f"Project.{name}")
        project.show_output = 0
        return project

    def choose(self, project, function):
        """Makes fits of a project evaluate the model with this function of `spectra`."""
        project.spec_fun_str = function

    def file(self, project, **contents):
        """A file with data and axes."""
        return self.file_class(parent_project=project, name="lcmbench", **contents)

    def load(self, file, models, model):
        """Loads an energy model."""
        self._method(file, "load_model")(models, model)

    def attach(self, file, function, arguments):
        """Calls `add_par_profile` or `add_time_dependence`."""
        self._method(file, function)(**arguments)

    def model(self, file):
        """The model that was loaded last."""
        return attribute(file, "model_active", "File.model_active")

    def parameter_names(self, model):
        """The names of all parameters in the model's order."""
        return list(attribute(model, "parameter_names", "Model.parameter_names"))

    def parameters(self, model):
        """lmfit's parameters of a model."""
        return attribute(model, "_lmfit_pars", "Model._lmfit_pars")

    def define_baseline(self, file, first, last):
        """Takes the rows of the data from `first` to `last` for the baseline."""
        self._method(file, "define_baseline")(first, last, time_type="ind", show_plot=False)

    def fit_baseline(self, file, model):
        """Fits the baseline in two stages, without confidence intervals."""
        self._method(file, "fit_baseline")(model, stages=2, try_ci=0)

    def fit_2d(self, file, model, from_model):
        """Fits all data in two stages, without confidence intervals. `from_model`: from the model's values as they are, else from those of
        the baseline fit where it has any."""
        fit = self._method(file, "fit_2d")
        if from_model:
            if "seed_source" not in inspect.signature(fit).parameters:
                raise missing("File.fit_2d(seed_source=...)")
            fit(model, stages=2, try_ci=0, seed_source="model")
        else:
            fit(model, stages=2, try_ci=0)

    def outcome(self, model):
        """lmfit's result of the last fit of a model."""
        result = attribute(model, "result", "Model.result")
        outcome = attribute(result, "par_fin", "Model.result.par_fin")
        for name in ("params", "redchi"):
            attribute(outcome, name, f"Model.result.par_fin.{name}")
        return outcome

    def build_graph(self, model):
        """The graph of a model."""
        return self.graph.build_graph(model)

    def can_lower(self, graph):
        """Whether the compiled evaluator takes the graph."""
        return bool(self.graph.can_lower_2d(graph))

    def can_lower_jax(self, graph):
        """Whether the JAX evaluator takes the graph."""
        return bool(self.graph.can_lower_jax_2d(graph))

    def schedule(self, graph):
        """The compiled evaluator's plan."""
        return self.graph.schedule_2d(graph)

    def optimised_names(self, plan):
        """The names of the parameters that a plan takes, in its order."""
        return list(attribute(plan, "opt_param_names", "ScheduledPlan2D.opt_param_names"))

    def import_jax(self):
        """Imports the JAX evaluator, so that nothing that is timed later has to."""
        return self._module("eval_jax", "make_evaluator_2d_jax", "make_jacobian_2d_jax")

    def jax_evaluators(self, plan):
        """The jitted evaluator and Jacobian of a plan. Raises ValueError for a plan that JAX does not support."""
        module = self.import_jax()
        return module.make_evaluator_2d_jax(plan), module.make_jacobian_2d_jax(plan)

    def evaluation(self, function):
        """A function of `spectra` that evaluates a model."""
        return getattr(self.spectra, function)

    def _method(self, file, name):
        return attribute(file, name, f"File.{name}")


def has_jax():
    """Whether JAX can be imported."""
    import importlib.util

    return importlib.util.find_spec("jax") is not None


def quiet_plots():
    """Keeps matplotlib, which trspecfit imports, from looking for a display and from writing below the home folder."""
    os.environ.setdefault("MPLBACKEND", "Agg")
    if "MPLCONFIGDIR" not in os.environ and not os.access(os.path.expanduser("~"), os.W_OK):
        import tempfile

        os.environ["MPLCONFIGDIR"] = tempfile.mkdtemp(prefix="lcmbench-matplotlib-")
