"""What a project declares so that `lcmbench paths` can measure the evaluators of one model against each other."""

from lcmbench.paths.model import Fit, Function, ModelPaths, NoFixture, Parameter, Path, Unavailable

__all__ = ["Fit", "Function", "ModelPaths", "NoFixture", "Parameter", "Path", "Unavailable"]
