"""The kinds of benchmark, told apart by the names of their functions."""

from lcmbench._worker.attributes import first
from lcmbench._worker.benchmark import Benchmark
from lcmbench._worker.expected import WrongAttribute, check_timed, whole
from lcmbench._worker.sampling import Limits, take_samples


class Memory(Benchmark):
    """`mem_`: the size of the object that the function returns, in bytes."""

    type = "memory"
    unit = "bytes"

    def run(self, timing):
        import copy

        from pympler.asizeof import asizeof

        found = self.function(*self.arguments)
        twin = copy.copy(found)
        return asizeof([found, twin]) - asizeof([found, found])


class PeakMemory(Benchmark):
    """`peakmem_`: the most memory that the process ever had in use, in bytes, imports and setup included."""

    type = "peakmemory"
    unit = "bytes"

    def run(self, timing):
        from lcmbench._worker.peak import peak_bytes

        self.function(*self.arguments)
        return peak_bytes()


class Track(Benchmark):
    """`track_`: whatever the function returns."""

    def __init__(self, name, function, sources, rules):
        super().__init__(name, function, sources, rules)
        self.type = first(sources, "type", "track")
        self.unit = first(sources, "unit", "unit")

    def run(self, timing):
        return self.function(*self.arguments)


class Time(Benchmark):
    """`time_`: seconds for a call."""

    type = "time"
    unit = "seconds"
    usual_number = 0
    reserved = frozenset("benchmark_timing timer rounds repeat number sample_time warmup_time min_run_count".split())

    def __init__(self, name, function, sources, rules):
        super().__init__(name, function, sources, rules)
        name = "rounds" if first(sources, "rounds") is not None else "processes"
        self.stated_rounds = whole(name, first(sources, name, 2))

    def check(self):
        super().check()
        check_timed(self.attribute)

    def own_fields(self):
        return {
            "rounds": self.stated_rounds,
            "repeat": self.attribute("repeat", 0),
            "min_run_count": self.attribute("min_run_count", 2),
            "number": self.number(),
            "sample_time": self.attribute("sample_time", 0.01),
            "warmup_time": self.attribute("warmup_time", -1),
        }

    def number(self):
        return whole("number", self.attribute("number", self.usual_number))

    def run(self, timing):
        try:
            return self.sample(timing)
        except (TypeError, ValueError):
            # A setup may have changed them since the discovery. Only now is there time to look.
            check_timed(self.attribute)
            raise

    def sample(self, timing):
        """The samples of the attributes as they are now."""
        scope = self.setup_scope(timing)
        number = self.number()
        if scope == "call" and number == 0:
            number = 1
        limits = Limits(
            self.attribute("repeat", 0),
            self.stated_rounds,
            timing.timeout,
            self.attribute("sample_time", 0.01),
            self.attribute("warmup_time", -1),
            self.attribute("min_run_count", 2),
        )
        timer = self.timer(timing, scope)
        samples, number = take_samples(timer, number, limits)
        timing.note(timer, len(samples))
        return {"samples": samples, "number": number}

    def setup_scope(self, timing):
        """How often `setup` runs: before each call only where there is one."""
        return "sample" if timing.setup_scope == "call" and not self.setups else timing.setup_scope

    def timer(self, timing, scope):
        return timing.timer(self.bound_call(), self.attribute("timer"), self.renew, scope)

    def bound_call(self):
        """The function as a callable without arguments. Without arguments to bind there is nothing between the timer and the suite; with
        them there is as much as in asv, so that values of years ago stay comparable."""
        arguments = self.arguments
        return (lambda: self.function(*arguments)) if arguments else self.function


class TimeRaw(Time):
    """`timeraw_`: seconds for a call of code that the function returns, in an interpreter of its own."""

    usual_number = 1
    can_profile = False

    def check(self):
        super().check()
        environment = first(self.sources, "env")
        if environment is not None and not hasattr(environment, "items"):
            raise WrongAttribute("env", environment, "a dict of names and values")

    def versioned_text(self, code):
        environment = first(self.sources, "env")
        if not environment or not self.rules.versions_environment:
            return code
        return f"{code}\n# timeraw_env\n{sorted(environment.items())!r}"

    def setup_scope(self, timing):
        """The code has its own setup; that of the suite runs once."""
        return "process"

    def timer(self, timing, scope):
        from lcmbench._worker.timers import CodeTimer

        return CodeTimer(self.bound_call(), self.attribute("env", {}))


# The beginning of a method's and of a function's name, in asv's order.
KINDS = (
    ("Mem", "mem_", Memory),
    ("PeakMem", "peakmem_", PeakMemory),
    ("Time", "time_", Time),
    ("Timeraw", "timeraw_", TimeRaw),
    ("Track", "track_", Track),
)


# Kinds that installed distributions add; they come after asv's own.
plugins = []


def kind_of(name):
    """The class of benchmark that a name stands for, or None. `TimeX...`, `Time_...` and `time_...` are benchmarks, `Timex` is none."""
    for word, prefix, kind in KINDS:
        if fits(name, word, prefix) and (kind is not Memory or pympler_is_there()):
            return kind
    for kind in plugins:
        if kind.fits(name):
            return kind
    return None


def fits(name, word, prefix):
    """Whether a name begins with the prefix, or with the word and then a capital letter or an underscore, and goes on after that."""
    if name.startswith(prefix):
        return len(name) > len(prefix)
    following = name[len(word) : len(word) + 1]
    return name.startswith(word) and len(name) > len(word) + 1 and ("A" <= following <= "Z" or following == "_")


_pympler = []


def pympler_is_there():
    """Whether the environment can measure the size of objects. Looked up once."""
    if not _pympler:
        from importlib.util import find_spec

        _pympler.append(find_spec("pympler") is not None)
    return _pympler[0]
