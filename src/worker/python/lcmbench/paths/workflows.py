"""The example workflows of a trspecfit checkout: which there are, which are fixtures, what each exercises. Imports nothing of it."""

import os
import re

from lcmbench.paths.calls import DYNAMICS, PROFILE, CallsError, calls_of_workflow

DEFAULT_FOLDER = os.path.join("examples", "fitting_workflows")

ENERGY_MODELS = "models_energy.yaml"
DATA = os.path.join("data", "data.csv")
ENERGY = os.path.join("data", "energy.csv")
TIME = os.path.join("data", "time.csv")
AUXILIARY = os.path.join("data", "aux_axis.csv")
REQUIRED = (ENERGY_MODELS, ENERGY, TIME, DATA)

# Workflows that are not there to be measured, by number.
REASONS = {
    10: "compares models with each other; no fixture",
    11: "shows saving, loading and exporting; no fixture",
    20: "fits several files one by one, which is not supported",
    21: "fits several files with shared parameters, which is not supported",
}

_NUMBERED = re.compile(r"(\d\d)_")


class Workflow:
    """A numbered folder. `reason` says why it is no fixture; None where it is one."""

    def __init__(self, folder):
        self.folder = folder
        self.name = os.path.basename(folder)
        self.number = int(self.name[:2])
        self.calls = {}
        self.exercises = ()
        self.reason = self._reason()
        self.error = None
        if self.reason is None:
            self._read_calls()

    def _reason(self):
        if self.number in REASONS:
            return REASONS[self.number]
        missing = [name for name in REQUIRED if not os.path.isfile(os.path.join(self.folder, name))]
        return f"has no {', '.join(missing)}; no fixture" if missing else None

    def _read_calls(self):
        try:
            self.calls = calls_of_workflow(self.folder)
        except CallsError as error:
            self.error = str(error)
            return
        self.exercises = exercises(self.folder, self.calls)

    def path(self, name):
        """The path of one of the workflow's files."""
        return os.path.join(self.folder, name)


def workflows_in(folder):
    """The workflows of a folder by number. Folders of saved fits (`*_fits`) are none."""
    names = sorted(name for name in os.listdir(folder) if _NUMBERED.match(name) and not name.endswith("_fits"))
    folders = [os.path.join(folder, name) for name in names]
    return [Workflow(path) for path in folders if os.path.isdir(path)]


def exercises(folder, calls):
    """What the model of a workflow exercises beyond plain dynamics."""
    words = []
    if any(is_subcycle(call) for call in calls[DYNAMICS]):
        words.append("subcycle")
    if calls[PROFILE]:
        words.append("profile")
    if any(convolves(folder, call) for call in calls[DYNAMICS]):
        words.append("convolution")
    return tuple(words) or ("plain",)


def is_subcycle(call):
    """Whether the dynamics repeat: several models, or a frequency."""
    models = call.get("dynamics_model")
    return (isinstance(models, list) and len(models) > 1) or call.get("frequency", -1) > 0


def convolves(folder, call):
    """Whether one of the dynamics' models has a component that convolves."""
    models = call.get("dynamics_model")
    wanted = models if isinstance(models, list) else [models]
    components = components_of(os.path.join(folder, str(call.get("dynamics_yaml"))))
    return any(name.endswith("CONV") for model in wanted for name in components.get(model, []))


def components_of(path):
    """The names of the components of each model in a YAML file: the keys of the first and the second level of its indentation. Names may
    repeat, which YAML's own readers refuse. Nothing for a file that cannot be read: that is said when the model is loaded."""
    models, current, indent = {}, None, None
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, ValueError):
        return {}
    for line in lines:
        match = re.match(r"( *)(['\"]?)([\w ]+)\2\s*:", line)
        if not match:
            continue
        depth, key = len(match.group(1)), match.group(3)
        if depth == 0:
            current, indent = models.setdefault(key, []), None
        elif current is not None and indent in (None, depth):
            indent = depth
            current.append(re.sub(r"_\d+$", "", key))
    return models
