"""The fixtures of a project: those of a module, or trspecfit's example workflows."""

import importlib
import importlib.util
import os
import sys

from lcmbench.paths.declarations import check_all, name_of, words_of
from lcmbench.paths.model import ModelPaths, NoFixture
from lcmbench.paths.sentences import Sentence


class FixtureError(Sentence):
    """There are no fixtures to be had; the message is a sentence."""


def find_fixtures(directory, module, examples):
    """All fixtures, and what stands among them and is none, by number.

    `module` is the dotted name or the path of a module that declares fixtures, or None; `examples` a folder of trspecfit workflows, or None
    for the folder where a checkout of trspecfit has them.
    """
    if module is not None:
        found = fixtures_of_module(import_module(directory, module), module)
    else:
        found = fixtures_of_workflows(directory, examples)
    return sorted(found, key=lambda fixture: (fixture.number, name_of(fixture)))


def fixtures_of_workflows(directory, examples):
    """trspecfit's workflows."""
    from lcmbench.paths.trspecfit_adapter import fixtures_in
    from lcmbench.paths.workflows import DEFAULT_FOLDER

    folder = os.path.normpath(os.path.join(directory, examples or DEFAULT_FOLDER))
    if not os.path.isdir(folder):
        if examples:
            raise FixtureError(f"there is no folder {folder}")
        raise FixtureError(
            f"there are no fixtures: {directory} has no folder {DEFAULT_FOLDER}. Run this in a checkout of trspecfit, name a folder of its "
            "workflows with --examples, or a module that declares fixtures with --fixture"
        )
    found = fixtures_in(folder)
    if not found:
        raise FixtureError(f"{folder} holds no workflow: no folder whose name begins with two digits and an underscore")
    return found


def import_module(directory, name):
    """The module of that name or path; the project's folder is on the module path."""
    sys.path.insert(0, directory)
    if not (name.endswith(".py") or os.sep in name):
        return without_trace(import_dotted, name, directory)
    path = os.path.normpath(os.path.join(directory, name))
    if not os.path.isfile(path):
        raise FixtureError(f"there is no file {path}")
    sys.path.insert(0, os.path.dirname(path))
    return without_trace(import_file, path)


def without_trace(load, *arguments):
    """Imports without leaving a folder of compiled files beside a module, which would make a clean worktree dirty."""
    writes = sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    try:
        return load(*arguments)
    finally:
        sys.dont_write_bytecode = writes


def import_dotted(name, directory):
    """The module of a dotted name."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        raise FixtureError(f"there is no module `{error.name}`: {directory} was looked in first, then Python's own module path") from None


def import_file(path):
    """The module in a file, whatever else is imported under its name."""
    stem = os.path.splitext(os.path.basename(path))[0]
    name = f"lcmbench_fixture_{stem}" if stem in sys.modules else stem
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None:
        raise FixtureError(f"{path} is no file of Python: its name must end with .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def fixtures_of_module(module, name):
    """What `fixtures()` of the module returns, or one of each class of it that derives from `ModelPaths`."""
    declare = getattr(module, "fixtures", None)
    if callable(declare):
        found = declare()
        if not isinstance(found, (list, tuple)):
            raise FixtureError(f"{name}: fixtures() must return a list of fixtures, not {type(found).__name__}")
    else:
        found = [entry() for entry in vars(module).values() if is_fixture_class(entry, module)]
    if not found:
        raise FixtureError(f"{name} declares no fixture: no class that derives from lcmbench.paths.ModelPaths")
    check_all(found, name)
    return found


def is_fixture_class(entry, module):
    """Whether something in a module is a fixture's class that was written there."""
    return isinstance(entry, type) and issubclass(entry, ModelPaths) and entry.__module__ == module.__name__


def entry_of(fixture):
    """A fixture in the list: what `--list` shows."""
    if isinstance(fixture, NoFixture):
        return {"number": fixture.number, "name": name_of(fixture), "exercises": [], "reason": fixture.reason, "error": None}
    error = getattr(fixture, "error", None)
    return {"number": fixture.number, "name": name_of(fixture), "exercises": words_of(fixture), "reason": None, "error": error}
