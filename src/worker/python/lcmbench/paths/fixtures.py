"""The fixtures of a project: those of a module, or trspecfit's example workflows."""

import importlib
import importlib.util
import os
import sys

from lcmbench.paths.model import ModelPaths, NoFixture


class FixtureError(Exception):
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

    folder = os.path.join(directory, examples or DEFAULT_FOLDER)
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
        return import_without_trace(name)
    path = os.path.join(directory, name)
    if not os.path.isfile(path):
        raise FixtureError(f"there is no file {path}")
    sys.path.insert(0, os.path.dirname(path))
    stem = os.path.splitext(os.path.basename(path))[0]
    return import_without_trace(stem)


def import_without_trace(name):
    """Imports a module without leaving a folder of compiled files beside it, which would make a clean worktree dirty."""
    writes = sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    try:
        return importlib.import_module(name)
    finally:
        sys.dont_write_bytecode = writes


def fixtures_of_module(module, name):
    """What `fixtures()` of the module returns, or one of each class of it that derives from `ModelPaths`."""
    declare = getattr(module, "fixtures", None)
    if callable(declare):
        found = list(declare())
    else:
        found = [entry() for entry in vars(module).values() if is_fixture_class(entry, module)]
    if not found:
        raise FixtureError(f"{name} declares no fixture: no class that derives from lcmbench.paths.ModelPaths")
    seen = {}
    for fixture in found:
        check(fixture, name, seen)
    return found


def is_fixture_class(entry, module):
    """Whether something in a module is a fixture's class that was written there."""
    return isinstance(entry, type) and issubclass(entry, ModelPaths) and entry.__module__ == module.__name__


def check(fixture, module, seen):
    """Raises FixtureError for what is no usable fixture."""
    shown = name_of(fixture)
    if not isinstance(fixture, (ModelPaths, NoFixture)):
        raise FixtureError(f"{module}: {fixture!r} does not derive from lcmbench.paths.ModelPaths")
    if not isinstance(fixture.number, int) or fixture.number < 1:
        raise FixtureError(f"{module}: the fixture {shown} needs a `number` of at least 1")
    if fixture.number in seen:
        raise FixtureError(f"{module}: the fixtures {seen[fixture.number]} and {shown} have the same number {fixture.number}")
    seen[fixture.number] = shown


def name_of(fixture):
    """The name of a fixture in reports."""
    return str(getattr(fixture, "name", None) or type(fixture).__name__)


def entry_of(fixture):
    """A fixture in the list: what `--list` shows."""
    if isinstance(fixture, NoFixture):
        return {"number": fixture.number, "name": name_of(fixture), "exercises": [], "reason": fixture.reason, "error": None}
    words = fixture.exercises
    words = [words] if isinstance(words, str) else [str(word) for word in words]
    error = getattr(fixture, "error", None)
    return {"number": fixture.number, "name": name_of(fixture), "exercises": words, "reason": None, "error": error}
