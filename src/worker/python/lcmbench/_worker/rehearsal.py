"""A job that measures nothing and tells nobody. It lets the interpreter settle in the server on how to run the worker's code; else each
fork would do that for itself, and have the memory copied that it writes to in doing so."""

import sys
from types import SimpleNamespace

from lcmbench._worker import timers
from lcmbench._worker.job import Job, run_alone
from lcmbench._worker.kinds import Time, Track
from lcmbench._worker.protocol import encode
from lcmbench._worker.reporter import Reporter
from lcmbench._worker.wire import loads

REQUEST = (
    b'{"request": "fork", "job": {"id": 0, "kind": "benchmark", "cwd": "", "benchmarks": ["rehearsal"], "combination": 0, "attributes": '
    b'{"number": 1, "repeat": 1, "warmup_time": 0}, "attributes_by_benchmark": {}, "has_cache": false, "profile": false, '
    b'"profiles_before": {}, "timeout": 60.0}}'
)


# CPython adapts code within its first dozen of runs.
ENOUGH = 12


class Nobody:
    """A channel that only spells its events out."""

    def write(self, text):
        pass

    def send(self, event, **fields):
        encode({"event": event, **fields})


def settle(rules):
    """Rehearses until the interpreter has seen the code often enough to choose its final form."""
    for _ in range(ENOUGH):
        rehearse(rules)
    # What is timed begins as it was compiled, not adapted to a function of ours.
    timers.time_calls.__code__ = timers.time_calls.__code__.replace()


def rehearse(rules):
    """Runs one timed and one tracked job of nothing."""
    # With JAX a timer looks at devices, which only a benchmark may do.
    for kind in (Track,) if "jax" in sys.modules else (Time, Track):
        job = Job(loads(REQUEST)["job"], SETTINGS)
        reporter = Reporter(Nobody(), job.id)
        reporter.started(0)
        reporter.expect(job.names)
        benchmark = kind(job.names[0], nothing, [nothing, SETTINGS], rules)
        benchmark.prefer(job.attributes_of(benchmark.name))
        run_alone(job, benchmark, None, reporter)


def nothing(_):
    return 0


nothing.params = [0]

# What a job takes from its worker, and a source of attributes that has none.
SETTINGS = SimpleNamespace(setup_scope="process", device_sync=False, package=None, package_file=None)
