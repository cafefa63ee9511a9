"""The walk through a suite: the check of its files, its modules in order, and the benchmarks in each."""

import os
import sys
from importlib import import_module
from importlib.machinery import all_suffixes
from types import FunctionType, MethodType

from lcmbench._worker.kinds import kind_of

ABSTRACT = 1 << 20


class SuiteError(Exception):
    """The suite cannot be read at all."""


def check_name(folder):
    """Raises SuiteError where a folder's name cannot be imported as the name of a package."""
    name = os.path.basename(folder)
    if "." in name:
        raise SuiteError(f"The benchmark folder {folder} has a dot in its name, so that it cannot be imported; rename it.")
    loaded = sys.modules.get(name)
    if loaded is not None and folder not in (getattr(loaded, "__path__", None) or ()):
        raise SuiteError(f"The benchmark folder {folder} is called like the module `{name}`, which Python itself uses; rename it.")


def check_tree(folder):
    """Raises SuiteError where the files of a suite cannot be a package, as asv does before it starts."""
    if not os.path.isdir(folder):
        raise SuiteError(f"There is no benchmark folder {folder}.")
    if not os.path.isfile(os.path.join(folder, "__init__.py")):
        raise SuiteError(f"The benchmark folder {folder} has no __init__.py; create an empty one.")
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if name == "__pycache__" or not os.path.isfile(os.path.join(path, "__init__.py")):
            continue
        if os.path.isfile(path + ".py"):
            raise SuiteError(f"There are both {path}.py and the folder {path}; rename one of them.")
        check_tree(path)


def load(name, on_error):
    """Imports a module. Whatever it raises, `SystemExit` included, goes to `on_error(name, None, error)`, and None comes back."""
    try:
        return import_module(name)
    except BaseException as error:
        on_error(name, None, error)
        return None


def modules_of(name, on_error):
    """Yields the modules of a package, itself first, each followed by its own submodules; what cannot be imported is passed over."""
    module = load(name, on_error)
    if module is None:
        return
    yield module
    for child in child_names(getattr(module, "__path__", ())):
        yield from modules_of(f"{name}.{child}", on_error)


def child_names(folders):
    """The names of the modules and packages in a package's folders, alphabetical in each folder."""
    seen = {"__init__"}
    for folder in folders:
        try:
            entries = sorted(os.listdir(folder))
        except OSError:
            continue
        for entry in entries:
            name = module_name(folder, entry)
            if name is not None and name not in seen:
                seen.add(name)
                yield name


def module_name(folder, entry):
    """The name of the module that a directory entry holds, or None."""
    for suffix in sorted(all_suffixes(), key=len, reverse=True):
        if entry.endswith(suffix):
            name = entry[: -len(suffix)]
            return name if "." not in name else None
    path = os.path.join(folder, entry)
    if "." in entry or not os.path.isdir(path):
        return None
    return entry if any(os.path.isfile(os.path.join(path, "__init__" + suffix)) for suffix in all_suffixes()) else None


def candidates_in(module, on_error):
    """Yields (class or None, attribute name, function) of everything in a module that could be a benchmark by its name."""
    try:
        members = list(vars(module).items())
    except TypeError as error:
        # The module has put something without attributes into its own place.
        on_error(name_of(module), None, error)
        return
    for name, value in members:
        if name.startswith("_"):
            continue
        try:
            if isinstance(value, type):
                if not value.__flags__ & ABSTRACT:
                    yield from methods_of(value)
            elif isinstance(value, FunctionType) and is_wanted(name, value):
                yield None, name, value
        except Exception as error:
            on_error(name_of(module), name, error)


def name_of(module):
    """The name of a module, or of what stands in its place."""
    return getattr(module, "__name__", "")


def methods_of(cls):
    """Yields the methods of a class that could be benchmarks, alphabetically, inherited ones included."""
    for name in sorted(set(dir(cls))):
        try:
            value = getattr(cls, name)
        except AttributeError:
            continue
        if isinstance(value, (FunctionType, MethodType)) and is_wanted(name, value):
            yield cls, name, value


def is_wanted(name, function):
    """Whether a function is a benchmark by its name, or by the one that it was given, and is not to be left out."""
    return kind_of(searched_name(name, function)) is not None and not getattr(function, "skip_benchmark", False)


def build(module, cls, name, function, rules, instance=None):
    """The benchmark of one candidate; a method gets an instance of its own, unless there is one of its class that it can share."""
    sources = [module]
    if cls is not None:
        if type(instance) is not cls:
            instance = cls()
        function = getattr(instance, name)
        sources.insert(0, instance)
    sources.insert(0, function)
    kind = kind_of(searched_name(name, function))
    return kind(full_name(module, cls, name, function), function, sources, rules)


def searched_name(name, function):
    """The name that tells what kind of benchmark a function is: its own, or the end of the one that it was given."""
    given = getattr(function, "benchmark_name", None)
    return name if given is None else given.rpartition(".")[2]


def full_name(module, cls, name, function):
    """The name of a benchmark: the one that it was given, or module, class and attribute joined with dots. A function of a module goes by
    its own name, not by the one that the module has for it."""
    given = getattr(function, "benchmark_name", None)
    if given is not None:
        return given
    leaf = [function.__name__] if cls is None else [cls.__name__, name]
    return ".".join([*module.__name__.split(".")[1:], *leaf])


def module_below(name):
    """A module's name below the suite: empty for the package itself."""
    return name.partition(".")[2]


def suite_modules(package):
    """The suite's own loaded modules, dotted name below the package to file."""
    found = {}
    for name, module in list(sys.modules.items()):
        if name == package or name.startswith(package + "."):
            found[module_below(name)] = getattr(module, "__file__", None) or ""
    return found
