"""Kinds of benchmark that installed distributions named `asv_bench...` add."""

from importlib import import_module

from lcmbench._worker.benchmark import Benchmark
from lcmbench._worker.walk import child_names


def plugin_kinds(distribution):
    """The classes that the `benchmarks` submodules of a distribution list as `export_as_benchmark`, each behind an adapter."""
    package = import_module(distribution.replace("-", "_") + ".benchmarks")
    kinds = []
    for child in child_names(package.__path__):
        module = import_module(f"{package.__name__}.{child}")
        kinds += [adapter(kind) for kind in getattr(module, "export_as_benchmark", ())]
    return kinds


def adapter(foreign):
    """A kind of benchmark that lets a class made for `asv_runner` do the measuring."""

    class Plugin(Benchmark):
        can_profile = False

        def __init__(self, name, function, sources, rules):
            super().__init__(name, function, sources, rules)
            self._measuring = foreign(name, function, list(sources))
            self.type = self._measuring.type
            self.unit = self._measuring.unit

        @staticmethod
        def fits(name):
            return foreign.name_regex.match(name) is not None

        def own_fields(self):
            return {key: value for key, value in vars(self._measuring).items() if not key.startswith("_")}

        def run(self, timing):
            return self._measuring.run(*self.arguments)

    return Plugin
