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


def is_standard(place, standard):
    """Whether a file lies in the standard library."""
    if not place.startswith(standard):
        return False
    return not place[len(standard) :].startswith(("site-packages" + os.sep, "dist-packages" + os.sep))
