"""One benchmark: what its record says, and its setups, function and teardowns."""

from lcmbench._worker.attributes import first, hooks_of, is_bound
from lcmbench._worker.blocks import source_lines
from lcmbench._worker.expected import check_callable, check_timeout
from lcmbench._worker.params import Parameters, as_tuples, quick_to_search
from lcmbench._worker.source import code_of, version_of
from lcmbench._worker.wire import dumps

# Names that a copied function attribute never replaces.
RESERVED = frozenset(
    "check code do_profile do_run do_setup do_setup_cache do_teardown func insert_param name name_regex param_names params pretty_name "
    "redo_setup run set_cache set_param_idx setup_cache_key setup_cache_timeout timeout type unit version version_alts".split()
)

EXPORTED_TYPES = (str, int, float, list, dict)


class Skip(Exception):
    """A setup, or the benchmark itself, says that it does not apply here."""


class Benchmark:
    """A benchmark of any kind. `sources` are where its attributes come from, in order: function, instance, module."""

    type = "track"
    unit = "unit"
    # Further names that a copied function attribute never replaces.
    reserved = frozenset()
    # Whether one more call under the profiler makes sense.
    can_profile = True

    def __init__(self, name, function, sources, rules):
        self.name = name
        self.function = function
        self.sources = list(sources)
        self.rules = rules
        self.pretty_name = getattr(function, "pretty_name", None)
        self.timeout = first(sources, "timeout")
        self.instance = sources[1] if len(sources) > 2 else None
        own, *common = map(hooks_of, sources)
        self._own_setups = hooks_named("setup", [own])
        self._common_setups = hooks_named("setup", common)[::-1]
        self._own_teardowns = hooks_named("teardown", [own])
        self._common_teardowns = hooks_named("teardown", common)
        self.setup_cache = first(sources, "setup_cache")
        self.parameters = Parameters(first(sources, "params"), first(sources, "param_names"))
        self.arguments = ()

    @property
    def setups(self):
        """All setups in the order in which they run."""
        return [*self._common_setups, *self._own_setups]

    def prefer(self, attributes):
        """Lets extra attributes come before those of the suite; they count for what is read at run time."""
        self.sources.insert(0, Attributes(attributes))

    def attribute(self, name, default=None):
        """An attribute as it is now: `setup` may have changed it."""
        return first(self.sources, name, default)

    # -- discovery ----------------------------------------------------------------------------

    def check(self):
        """Raises WrongAttribute for what the suite states and nobody can use: better one clear word now than a strange one in every job."""
        check_timeout("timeout", self.timeout)
        check_timeout("setup_cache.timeout", getattr(self.setup_cache, "timeout", None))
        check_callable("setup_cache", self.setup_cache)
        for name, hooks in (("setup", self.setups), ("teardown", [*self._common_teardowns, *self._own_teardowns])):
            for hook in hooks:
                check_callable(name, hook)

    def record(self):
        """What asv's discovery exports, key for key."""
        self.check()
        code = code_of([self.function, *self.setups, self.setup_cache])
        version = first(self.sources, "version")
        fields = {
            "name": self.name,
            "pretty_name": self.pretty_name,
            "setup_cache_key": self.setup_cache_key(),
            "setup_cache_timeout": getattr(self.setup_cache, "timeout", None),
            "timeout": self.timeout,
            "code": code,
            "version": str(version) if version is not None else version_of(self.versioned_text(code)),
            "type": self.type,
            "unit": self.unit,
            "param_names": self.parameters.names,
            "params": self.parameters.strings(),
        }
        if self.rules.copies_attributes:
            fields.update(self.copied_attributes())
        fields.update(self.own_fields())
        return {key: value for key, value in fields.items() if isinstance(value, EXPORTED_TYPES) and can_be_written(value)}

    def copied_attributes(self):
        """The attributes of the function that records hold from asv_runner 0.3.2 on."""
        for key, value in getattr(self.function, "__dict__", {}).items():
            if not key.startswith("_") and not callable(value) and key not in RESERVED and key not in self.reserved:
                yield key, value

    def own_fields(self):
        """What only this kind of benchmark exports."""
        return {}

    def versioned_text(self, code):
        """The text whose hash is the version."""
        return code

    def setup_cache_key(self):
        """What benchmarks that share a cache have in common; None without a cache."""
        if self.setup_cache is None:
            return None
        _, line = source_lines(self.setup_cache)
        place = ".".join(self.setup_cache.__module__.split(".")[1:])
        if not place:
            from inspect import getsourcefile

            place = getsourcefile(self.setup_cache)
        return f"{place}:{line}"

    def skipped_combinations(self):
        """Indices of the combinations that the suite skips."""
        return self.parameters.indices_of(first(self.sources, "skip_params"))

    # -- running ------------------------------------------------------------------------------

    def choose(self, combination, cache):
        """Sets the arguments: the cache, unless it is None, then the values of the combination. Raises Skip when the suite skips it."""
        values = () if combination is None else self.parameters.combination(combination)
        skipped = first(self.sources, "skip_params")
        if skipped and values and values in quick_to_search(as_tuples(skipped)):
            raise Skip("the suite skips this combination of parameters")
        self.arguments = values if cache is None else (cache, *values)

    def set_up(self):
        """Runs the setups of module, instance and function. Raises Skip for the first that raises NotImplementedError."""
        self.set_up_common()
        self.set_up_own()

    def tear_down(self):
        """Runs the teardowns of function, instance and module."""
        self.tear_down_own()
        self.tear_down_common()

    def set_up_common(self):
        """Runs the setups of module and instance, which the benchmarks of a class have in common."""
        self._run_setups(self._common_setups)

    def set_up_own(self):
        """Runs the function's own setup."""
        self._run_setups(self._own_setups)

    def tear_down_common(self):
        """Runs the teardowns of instance and module."""
        for teardown in self._common_teardowns:
            teardown(*self.arguments)

    def tear_down_own(self):
        """Runs the function's own teardown."""
        for teardown in self._own_teardowns:
            teardown(*self.arguments)

    def _run_setups(self, setups):
        for setup in setups:
            try:
                setup(*self.arguments)
            except NotImplementedError as error:
                raise Skip(str(error) or repr(error)) from error

    def renew(self):
        """Tears down and sets up again, between measurements."""
        self.tear_down()
        self.set_up()

    def make_cache(self):
        """What `setup_cache` returns, after the setups that need no arguments."""
        for setup in self.setups:
            if self.rules.cache_after_functions_only and is_bound(setup):
                continue
            if not needs_arguments(setup):
                setup()
        return self.setup_cache()

    def run(self, timing):
        """Measures. Returns any value, or for timings a dict with `samples` and `number`."""
        raise NotImplementedError

    def call(self):
        """One plain call, for the profiler."""
        return self.function(*self.arguments)


def hooks_named(name, hooks):
    """The hooks of one name out of those of several sources."""
    return [one[name] for one in hooks if name in one]


class Attributes:
    """Extra attributes as a source."""

    def __init__(self, attributes):
        self.__dict__.update(attributes)


def needs_arguments(function):
    """Whether a call without arguments is an error."""
    from inspect import Parameter, signature

    for parameter in signature(function).parameters.values():
        if parameter.default is Parameter.empty and parameter.kind not in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD):
            return True
    return False


def can_be_written(value):
    """Whether JSON has a form for a value."""
    if isinstance(value, (list, dict)):
        try:
            dumps(value)
        except (TypeError, ValueError):
            return False
    return True
