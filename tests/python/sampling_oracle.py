"""Runs asv's sampling and the worker's on the same made-up clocks, in an environment with `asv_runner`, and counts where they differ."""

import os
import random
import sys
import types

import asv_runner.benchmarks.time as theirs

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "src", "worker", "python"))

from lcmbench._worker.kinds import Time  # noqa: E402
from lcmbench._worker.rules import Rules  # noqa: E402
from lcmbench._worker.timing import Timing  # noqa: E402
import lcmbench._worker.sampling as ours  # noqa: E402

CASES = 300


class Clock:
    """Time that passes by a tick at each look, and by the price of the work at each call."""

    def __init__(self, seed, price, tick):
        self.now, self.looks = 1000.0, 0
        self._random = random.Random(seed)
        self._price, self._tick = price, tick

    def __call__(self):
        self.now += self._tick
        self.looks += 1
        return self.now

    def work(self):
        self.now += self._price * self._random.choice([1, 1, 1.1, 3])


def benchmark_parts(clock, attributes, has_setup):
    """The function and module of a benchmark."""
    module = types.ModuleType("suite.bench")

    def time_it():
        clock.work()

    for name, value in {**attributes, "timer": clock, "pretty_source": "x"}.items():
        setattr(time_it, name, value)
    if has_setup:
        module.setup = types.MethodType(lambda *a: None, 0)
    return time_it, module


def asv_samples(*case):
    clock = Clock(*case[:3])
    function, module = benchmark_parts(clock, *case[3:])
    theirs.wall_timer = clock
    benchmark = theirs.TimeBenchmark("bench.time_it", function, [function, module])
    benchmark.do_setup()
    result = benchmark.run()
    return result, clock.looks


def our_samples(*case, scope):
    clock = Clock(*case[:3])
    function, module = benchmark_parts(clock, *case[3:])
    ours.take_samples.__defaults__ = (clock,)
    benchmark = Time("bench.time_it", function, [function, module], Rules(None))
    benchmark.set_up()
    result = benchmark.run(Timing(scope, benchmark.timeout, False))
    return result, clock.looks


def outcome(measure, *case, **more):
    try:
        return measure(*case, **more)
    except Exception as error:
        return type(error).__name__


def random_case(source, seed):
    """Attributes and clock of one case."""
    choices = {
        "number": [0, 1, 2, 7],
        "repeat": [0, 1, 3, (1, 4, 0.2), (2, 5, 0.0), (1, 3, 1.5), [2, 3, 0.4], (3, 2, 1)],
        "sample_time": [0, 0.001, 0.05, 0.5],
        "warmup_time": [0, -1, 0.3, 1.0],
        "min_run_count": [0, 1, 2, 30],
        "rounds": [1, 2, 3],
        "timeout": [0.1, 1, 100],
    }
    attributes = {name: source.choice(values) for name, values in choices.items() if source.random() < 0.5}
    return seed, source.choice([1e-3, 0.02, 0.3, 2, 30]), source.choice([0, 1e-5, 1e-2]), attributes, source.random() < 0.5


def main():
    interleaves = hasattr(theirs, "_SetupInterleavedTimer")
    scope = "call" if interleaves else "sample"
    source = random.Random(7)
    differences = 0
    sys.stderr = open(os.devnull, "w")
    for seed in range(CASES):
        case = random_case(source, seed)
        expected, found = outcome(asv_samples, *case), outcome(our_samples, *case, scope=scope)
        if expected != found:
            differences += 1
            if differences < 4:
                print(case, "asv:", expected, "worker:", found)
    print(f"{differences} differences in {CASES} cases")


if __name__ == "__main__":
    main()
