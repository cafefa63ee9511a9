"""One job, from its arguments to its last event. Runs in the process that the job has for itself."""

import os

from lcmbench._worker.benchmark import Skip
from lcmbench._worker.imported import check_package
from lcmbench._worker.sharing import run_shared
from lcmbench._worker.timing import Timing

CACHE_FILE = "cache.pickle"


class Job:
    """A job as the parent describes it."""

    def __init__(self, fields, config):
        self.id = fields["id"]
        self.kind = fields.get("kind", "benchmark")
        self.cwd = fields["cwd"]
        self.names = fields["benchmarks"]
        self.combination = fields.get("combination")
        self.has_cache = fields.get("has_cache", False)
        self.wants_profile = fields.get("profile", False)
        self.profiles_before = fields.get("profiles_before") or {}
        self.timeout = fields.get("timeout")
        self.setup_scope = config.setup_scope
        self.device_sync = config.device_sync
        self.package = config.package
        self.package_file = config.package_file
        self.checkout = config.checkout
        self._attributes = fields.get("attributes") or {}
        self._by_benchmark = fields.get("attributes_by_benchmark") or {}

    def attributes_of(self, name):
        """The extra attributes of one benchmark."""
        return {**self._attributes, **self._by_benchmark.get(name, {})}

    def timing(self, benchmark, setup_scope=None):
        """How one benchmark of the job is timed."""
        timeout = self.timeout if self.timeout is not None else benchmark.timeout
        return Timing(setup_scope or self.setup_scope, timeout, self.device_sync)


def run_job(job, suite, reporter):
    """Runs a job. Every benchmark of it gets exactly one report, whatever happens, as long as this process lives."""
    reporter.expect(job.names)
    try:
        os.chdir(job.cwd)
        benchmarks = find_all(job.names, suite)
        if job.kind == "setup_cache":
            write_cache(benchmarks[0])
            check_package(job.package, job.package_file, job.checkout)
            reporter.cached()
            return
        cache = read_cache() if job.has_cache else None
        for benchmark in benchmarks:
            benchmark.prefer(job.attributes_of(benchmark.name))
        if len(benchmarks) > 1:
            run_shared(job, benchmarks, cache, reporter)
        else:
            run_alone(job, benchmarks[0], cache, reporter)
    except BaseException as error:
        reporter.fail_rest(error)


def find_all(names, suite):
    """The benchmarks of a job; those of one class get the same instance."""
    benchmarks = []
    for name in names:
        benchmarks.append(suite.find(name, benchmarks[0].instance if benchmarks else None))
    return benchmarks


def run_alone(job, benchmark, cache, reporter):
    """Sets up, measures, tears down, and reports what came of it."""
    name = benchmark.name
    timing = job.timing(benchmark)
    try:
        benchmark.choose(job.combination, cache)
        value, profile = measure(job, benchmark, timing)
    except Skip as skip:
        reporter.skipped(name, str(skip))
    except BaseException as error:
        reporter.failed(name, "exception", error)
    else:
        reporter.result(name, value, timing.flags, profile)


def measure(job, benchmark, timing):
    """The value of a benchmark and its profile. A failed setup is not torn down, a skipped one is."""
    try:
        benchmark.set_up()
    except Skip:
        benchmark.tear_down()
        raise
    try:
        return run_and_profile(job, benchmark, timing)
    finally:
        benchmark.tear_down()


def run_and_profile(job, benchmark, timing):
    """Measures a benchmark that is set up, then profiles one more call if that is wanted."""
    try:
        value = benchmark.run(timing)
    except Exception as error:
        if says_skip(error):
            raise Skip(str(error) or repr(error)) from error
        raise
    if job.package:
        check_package(job.package, job.package_file, job.checkout)
    if not (job.wants_profile and benchmark.can_profile):
        return value, None
    from lcmbench._worker.profiling import profile_call

    if timing.setup_scope != "process":
        benchmark.renew()
    return value, profile_call(benchmark.call, job.profiles_before.get(benchmark.name))


def says_skip(error):
    """Whether a benchmark's exception is `SkipNotImplemented`, of `asv_runner` or of its stand-in."""
    return any(kind.__name__ == "SkipNotImplemented" for kind in type(error).__mro__)


def write_cache(benchmark):
    """Leaves what `setup_cache` returns in the current folder, complete or not at all."""
    import pickle

    folder = os.getcwd()
    value = benchmark.make_cache()
    path = os.path.join(folder, CACHE_FILE)
    with open(path + ".part", "wb") as file:
        pickle.dump(value, file)
    os.replace(path + ".part", path)


def read_cache():
    """What `setup_cache` left in the current folder."""
    import pickle

    with open(CACHE_FILE, "rb") as file:
        return pickle.load(file)
