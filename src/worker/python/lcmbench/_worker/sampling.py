"""How many calls make a sample, and how many samples are taken: asv's algorithm."""

import sys
from time import perf_counter

# Seconds of warm-up where a benchmark states none, by implementation.
WARMUP = {"pypy": 1.0, "graalpy": 5.0}
USUAL_WARMUP = 0.1

# Seconds that a benchmark with its own `repeat` may take at most, where it has no time-out.
USUAL_TIMEOUT = 60.0


class Limits:
    """How long to sample. `repeat` is what the suite states: 0, a count, or (least, most, seconds)."""

    def __init__(self, repeat, rounds, timeout, sample_time, warmup_time, min_run_count):
        self.least, self.most, self.seconds = repeat_limits(repeat, rounds, timeout)
        self.sample_time = sample_time
        self.warmup_time = warmup_time if warmup_time >= 0 else WARMUP.get(sys.implementation.name, USUAL_WARMUP)
        self.min_run_count = min_run_count


def repeat_limits(repeat, rounds, timeout):
    """The least and the most number of samples, and the seconds after which no more are taken than the least."""
    if isinstance(repeat, (tuple, list)):
        least, most, seconds = repeat
        return int(least), int(most), float(seconds)
    if repeat == 0:
        return (1, 5, 10.0) if rounds > 1 else (1, 10, 20.0)
    return int(repeat), int(repeat), float(timeout or USUAL_TIMEOUT)


def take_samples(timer, number, limits, clock=perf_counter):
    """Samples in seconds per call, and the number of calls in each. `timer.timeit(n)` returns the seconds of n calls."""
    started = clock()
    warm_from = started + limits.warmup_time
    runs = 0

    def too_slow(samples):
        if runs < limits.min_run_count or samples < limits.least:
            return False
        return clock() > warm_from + limits.seconds

    if number == 0:
        number = 1
        while True:
            began = clock()
            timing = timer.timeit(number)
            actual = max(clock() - began, timing)
            runs += number
            if actual >= limits.sample_time:
                if clock() > warm_from:
                    break
            else:
                growth = min(10.0, max(1.1, limits.sample_time / actual)) if actual else 10.0
                number = max(number + 1, int(growth * number))
        if too_slow(1):
            return [timing / number], number
    elif limits.warmup_time > 0:
        while True:
            timing = timer.timeit(number)
            runs += number
            if clock() >= warm_from:
                break
        if too_slow(1):
            return [timing / number], number

    samples = []
    while len(samples) < limits.most:
        samples.append(timer.timeit(number) / number)
        runs += number
        if too_slow(len(samples)):
            break
    return samples, number
