"""Where imports come from: the module path without the parent's leftovers, the suite, this package, a stand-in for `asv_runner`."""

import os
import sys
from importlib.machinery import PathFinder


class PackageFinder:
    """Finds one top-level package in its parent folder, and nothing else, so that the folder's other content stays invisible."""

    def __init__(self, name, folder):
        self._name = name
        self._folder = folder

    def find_spec(self, name, path=None, target=None):
        if name != self._name:
            return None
        return PathFinder.find_spec(name, [self._folder])


class StandInFinder:
    """Finds `asv_runner.benchmarks.mark` where no `asv_runner` is installed. It stands last, so that a real one wins."""

    MODULES = {
        "asv_runner": None,
        "asv_runner.benchmarks": None,
        "asv_runner.benchmarks.mark": "lcmbench._worker.mark",
    }

    def find_spec(self, name, path=None, target=None):
        if name not in self.MODULES or is_real(sys.modules.get("asv_runner")):
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, self, is_package=self.MODULES[name] is None)

    def create_module(self, spec):
        source = self.MODULES[spec.name]
        if source is None:
            return None
        from importlib import import_module

        return import_module(source)

    def exec_module(self, module):
        """There is nothing left to run."""


def is_real(package):
    """Whether a loaded `asv_runner` comes from an installation."""
    return package is not None and getattr(package, "__file__", None) is not None


def install_finders(package_folder, benchmark_dir):
    """Makes `lcmbench`, the suite and `asv_runner.benchmarks.mark` importable."""
    global _folders
    _folders = (package_folder, benchmark_dir, os.getcwd())
    parent, name = os.path.split(benchmark_dir)
    sys.meta_path.insert(0, PackageFinder("lcmbench", package_folder))
    sys.meta_path.insert(0, PackageFinder(name, parent))
    sys.meta_path.append(StandInFinder())


_folders = None


def installed_folders():
    """The folder of `lcmbench`, that of the suite, and the project's: the one that this process was started in."""
    return _folders


def clean_module_path():
    """Takes the entries of `PYTHONPATH` off the module path, so that what is installed is measured; puts those of `ASV_PYTHONPATH` before
    it instead, if that is set."""
    replacement = os.environ.get("ASV_PYTHONPATH")
    if replacement is not None:
        sys.path[:0] = [entry for entry in replacement.split(os.pathsep) if entry]
        return
    foreign = os.environ.get("PYTHONPATH")
    if not foreign:
        return
    unwanted = {os.path.abspath(entry) for entry in foreign.split(os.pathsep)} - own_folders()
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) not in unwanted]


def own_folders():
    """The folders that belong to the interpreter, and stay even if `PYTHONPATH` names them."""
    folders = {os.path.dirname(os.__file__)}
    site = sys.modules.get("site")
    if site is not None:
        folders.update(site.getsitepackages())
        folders.add(site.getusersitepackages())
    return {os.path.abspath(folder) for folder in folders}
