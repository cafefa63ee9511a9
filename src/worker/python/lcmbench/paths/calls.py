"""The calls that complete a workflow's "2D" model: from its notebook, or from a `calls.json` where there is none."""

import json
import os

from lcmbench.paths.notebook import NotebookError, calls_in
from lcmbench.paths.sentences import Sentence

MODEL = "2D"
NOTEBOOK = "example.ipynb"
CALLS_FILE = "calls.json"

PROFILE = "add_par_profile"
DYNAMICS = "add_time_dependence"

# The positional arguments of both functions.
SIGNATURES = {
    PROFILE: ("target_model", "target_parameter", "profile_yaml", "profile_model"),
    DYNAMICS: ("target_model", "target_parameter", "dynamics_yaml", "dynamics_model"),
}


class CallsError(Sentence):
    """The calls of a workflow cannot be known; the message is a sentence."""


def calls_of_workflow(folder):
    """The keyword arguments of the calls that target the model "2D": a list for each of the two functions."""
    notebook = os.path.join(folder, NOTEBOOK)
    if os.path.exists(notebook):
        try:
            found = calls_in(notebook, SIGNATURES, targets_model)
        except NotebookError as error:
            raise CallsError(str(error)) from error
        return {name: [call.arguments for call in found if call.function == name] for name in SIGNATURES}
    listed = os.path.join(os.path.dirname(folder), CALLS_FILE)
    if os.path.exists(listed):
        return from_file(listed, os.path.basename(folder))
    raise CallsError(f"{folder} has no {NOTEBOOK}, and there is no {listed} with its calls")


def targets_model(arguments):
    """Whether a call of a notebook is about the model "2D"; the name of the argument that tells, if that is missing."""
    if "target_model" not in arguments:
        return "target_model"
    return arguments["target_model"] == MODEL


def from_file(path, name):
    """The calls of one workflow as a `calls.json` lists them."""
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except (OSError, ValueError) as error:
        raise CallsError(f"{path} cannot be read: {error}") from error
    entry = content.get(name) if isinstance(content, dict) else None
    if not isinstance(entry, dict):
        raise CallsError(f"{path} has no entry `{name}`, and that folder has no {NOTEBOOK}")
    return {function: listed_calls(path, name, function, entry.get(function, [])) for function in SIGNATURES}


def listed_calls(path, name, function, calls):
    """The listed calls of one function, checked."""
    where = f"{path}, `{name}`, `{function}`"
    if not isinstance(calls, list) or not all(isinstance(call, dict) for call in calls):
        raise CallsError(f"{where}: a list of objects is expected")
    for call in calls:
        for key, value in call.items():
            if not is_argument(value):
                raise CallsError(f"{where}: `{key}` must be a string, a number or a list of strings")
        if "target_model" not in call:
            raise CallsError(f"{where}: a call has no `target_model`")
    return [call for call in calls if call["target_model"] == MODEL]


def is_argument(value):
    """Whether a value is one of the kinds that these calls take."""
    if isinstance(value, list):
        return all(isinstance(item, str) for item in value)
    return isinstance(value, (str, int, float)) and not isinstance(value, bool)
