"""The suite as a whole: discovery, and finding one benchmark by its name."""

import os
import sys

from lcmbench._worker import kinds
from lcmbench._worker.source import forget_sources, place_of
from lcmbench._worker.walk import build, candidates_in, check_name, check_tree, full_name, module_below, modules_of, name_of


class Suite:
    """The package of benchmarks in one folder."""

    def __init__(self, folder, rules):
        self.folder = folder
        self.name = os.path.basename(folder)
        self._rules = rules
        self._found = None
        # The benchmarks of functions: nothing about them has to be made anew for a job.
        self._built = {}
        self._needs_pympler = False
        self._needs_pickle = False

    def add_plugins(self, packages, on_error):
        """Learns the kinds of benchmark that installed distributions add. One that cannot be imported goes to `on_error`, like a module."""
        names = [name for name in packages if name.startswith("asv-bench")]
        if names:
            from lcmbench._worker.plugins import plugin_kinds

            for name in names:
                try:
                    kinds.plugins += plugin_kinds(name)
                except Exception as error:
                    on_error(self.name, name, error)

    def discover(self, on_benchmark, on_error):
        """Imports all modules; calls `on_benchmark(fields)` for each benchmark in the order of the walk, and `on_error(module name,
        object name or None, error)` for each thing that cannot be imported or examined. Raises SuiteError."""
        check_tree(self.folder)
        check_name(self.folder)
        self._found, self._built = {}, {}
        for module in modules_of(self.name, on_error):
            broken = set()
            for cls, name, function in candidates_in(module, on_error):
                if cls in broken:
                    continue
                place = name
                try:
                    if cls is not None:
                        place = cls.__name__
                        instance = cls()
                        place = f"{cls.__name__}.{name}"
                    benchmark = build(module, cls, name, function, self._rules, instance if cls is not None else None)
                    fields = event_fields(benchmark, module, cls)
                except BaseException as error:
                    if cls is not None and place == cls.__name__:
                        broken.add(cls)
                    on_error(name_of(module), place, error)
                    continue
                self._found.setdefault(benchmark.name, (module, cls, name, function))
                if cls is None:
                    self._built.setdefault(benchmark.name, benchmark)
                self._needs_pympler |= isinstance(benchmark, kinds.Memory)
                self._needs_pickle |= benchmark.setup_cache is not None
                on_benchmark(fields)

    def add(self, name, benchmark):
        """Puts a benchmark of a function in."""
        self._found = {name: (None, None, name, benchmark.function)}
        self._built = {name: benchmark}

    def preload(self):
        """Imports what the children will need, so that not each of them does it for itself, and drops what they will not."""
        forget_sources()
        if "jax" in sys.modules:
            from lcmbench._worker.device import listen

            listen()
        if self._needs_pickle:
            import pickle  # noqa: F401
        if self._needs_pympler:
            try:
                import pympler.asizeof  # noqa: F401
            except Exception:
                # The children that use it will say what is wrong with it.
                pass

    @property
    def discovered(self):
        return self._found is not None

    def find(self, name, instance=None):
        """A fresh benchmark of that name, on an instance if there is one of its class.

        Without discovery the module that the name tells is imported, and the rest of the suite only where that finds nothing. Raises what
        the import of that module raises, or LookupError.
        """
        if self._found is not None:
            if name not in self._found:
                raise LookupError(f"There is no benchmark {name}.")
            return self._built.get(name) or build(*self._found[name], self._rules, instance)
        errors = []
        for module in self._likely_modules(name, errors):
            for cls, attribute, function in candidates_in(module, lambda *error: errors.append(error[-1])):
                if full_name(module, cls, attribute, function) == name:
                    return build(module, cls, attribute, function, self._rules, instance)
        if errors:
            raise errors[0]
        raise LookupError(f"There is no benchmark {name}.")

    def _likely_modules(self, name, errors):
        from lcmbench._worker.walk import load

        parts = name.split(".")
        tried = set()
        for length in (len(parts) - 1, len(parts) - 2):
            if length >= 0 and self._has_module(parts[:length]):
                dotted = ".".join([self.name, *parts[:length]])
                tried.add(dotted)
                module = load(dotted, lambda *error: errors.append(error[-1]))
                if module is not None:
                    yield module
        if errors:
            return
        for module in modules_of(self.name, lambda *error: errors.append(error[-1])):
            if name_of(module) not in tried:
                yield module

    def _has_module(self, parts):
        path = os.path.join(self.folder, *parts)
        return os.path.isfile(path + ".py") or os.path.isfile(os.path.join(path, "__init__.py"))


def event_fields(benchmark, module, cls):
    """What the parent learns of one benchmark."""
    record = benchmark.record()
    return {
        "record": record,
        "source": place_of(benchmark.function, module),
        "skip_params": benchmark.skipped_combinations(),
        "module": module_below(module.__name__),
        "class": None if cls is None else cls.__name__,
        "setup_cache_line": record.get("setup_cache_key"),
    }
