"""What the suite imported that is neither its own nor Python's."""

import os
import sys

OWN = ("lcmbench", "__main__", "__mp_main__")


def foreign_packages(suite):
    """Top-level names of loaded modules outside the standard library and the suite, with their file, or their folder when they have no file."""
    standard = os.path.dirname(os.__file__) + os.sep
    names = getattr(sys, "stdlib_module_names", frozenset())
    found = {}
    for name, module in list(sys.modules.items()):
        if "." in name or name in names or name in OWN or name == suite:
            continue
        place = place_of(module)
        if place and not is_standard(place, standard):
            found[name] = place
    return found


def place_of(module):
    """The file of a module, the folder of a namespace package, or None for what lies in no file."""
    file = getattr(module, "__file__", None)
    if isinstance(file, str):
        return file
    try:
        return next(iter(module.__path__), None)
    except (AttributeError, TypeError):
        return None


def place_of_package(name):
    """Where a package was imported from or, if it was not imported yet, would be; None where it cannot be found. A package inside a package
    is looked for without importing the outer one."""
    import importlib.util
    from importlib.machinery import PathFinder

    if name in sys.modules:
        return place_of(sys.modules[name])
    try:
        outer, *inner = name.split(".")
        spec = importlib.util.find_spec(outer)
        for depth, _ in enumerate(inner, start=2):
            if spec is None or spec.submodule_search_locations is None:
                return None
            spec = PathFinder.find_spec(".".join(name.split(".")[:depth]), spec.submodule_search_locations)
    except (ImportError, ValueError):
        return None
    if spec is None:
        return None
    return spec.origin if spec.has_location else next(iter(spec.submodule_search_locations or ()), None)


def is_standard(place, standard):
    """Whether a file lies in the standard library."""
    if not place.startswith(standard):
        return False
    return not place[len(standard) :].startswith(("site-packages" + os.sep, "dist-packages" + os.sep))


def strays(package, package_file):
    """The loaded modules of a package that have a file outside of the package's folder, with that file: parts of a namespace package, and
    whatever an import hook has found elsewhere."""
    if not package or not package_file:
        return {}
    folder = (package_file if os.path.isdir(package_file) else os.path.dirname(package_file)) + os.sep
    found = {}
    for name, module in list(sys.modules.items()):
        if name.startswith(package + "."):
            file = getattr(module, "__file__", None)
            if isinstance(file, str) and not file.startswith(folder):
                found[name] = file
    return found


class ImportedElsewhere(ImportError):
    """What is measured is not what the discovery found, or is not checked out: the value would be one of other code."""

    # Python prints the name alone, then.
    __module__ = "builtins"


def check_package(package, expected, checkout=None):
    """Raises ImportedElsewhere where the loaded package is not the one that the discovery found, or where a module of it lies outside of the
    checkout, if one is named."""
    module = sys.modules.get(package) if expected else None
    if module is None:
        return
    place = place_of(module)
    if place != expected and place is not None and not is_same_file(place, expected):
        raise ImportedElsewhere(
            f"the package `{package}` was imported from {place} in this benchmark, and from {expected} when the suite was discovered; "
            "the benchmark or its setup changes `sys.path` or imports the package again from somewhere else"
        )
    if checkout:
        for name, file in strays(package, expected).items():
            if not is_checked_out(file, checkout):
                raise ImportedElsewhere(f"the module `{name}` of the measured package was imported from {file}, which is not checked out in {checkout}")


def is_checked_out(file, checkout):
    """Whether a file lies in a checkout and is no installed copy. Symbolic links are followed."""
    file, checkout = os.path.realpath(file), os.path.realpath(checkout)
    if not file.startswith(checkout + os.sep):
        return False
    folders = file[len(checkout) :].split(os.sep)
    return "site-packages" not in folders and "dist-packages" not in folders


def is_same_file(one, other):
    """Whether two paths lead to one file."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False
