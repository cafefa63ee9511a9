"""Seconds per call of the same calls in the loop of `lcmbench paths` and in a bare loop around `perf_counter`, in turns.

Prints a line for each workload: its name, both medians, and the median over the rounds of their ratio.
"""

import math
import os
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src", "worker", "python"))

import numpy
from lcmbench.paths.loop import Call
from lcmbench.paths.model import Path

ROUNDS = 200


def scalar(plan, values):
    return math.exp(-plan * values[0]) + values[1]


def small(plan, values):
    return values[0] * numpy.exp(-plan) + values[1]


def large(plan, values):
    return values[0] * numpy.exp(-plan * values[1])


# Name: evaluation, plan, calls of a block.
WORKLOADS = {
    "scalar arithmetic": (scalar, 0.5, 20_000),
    "array of 1,000": (small, numpy.linspace(0.0, 1.0, 1_000), 2_000),
    "array of 240,000": (large, numpy.linspace(0.0, 1.0, 240_000), 10),
}


def bare(evaluate, plan, values, calls):
    begun = time.perf_counter()
    for _ in range(calls):
        evaluate(plan, values)
    return time.perf_counter() - begun


def main():
    for name, (evaluate, plan, calls) in WORKLOADS.items():
        values = [2.0, 0.5]
        call = Call(Path(name, None, evaluate), plan, values)
        call.first()
        pairs = []
        for turn in range(ROUNDS):
            # Whoever comes second finds the caches warm, so they swap.
            if turn % 2:
                ours = call.block(calls)
                theirs = bare(evaluate, plan, values, calls)
            else:
                theirs = bare(evaluate, plan, values, calls)
                ours = call.block(calls)
            pairs.append((ours / calls, theirs / calls))
        ours, theirs = (statistics.median(column) for column in zip(*pairs))
        ratio = statistics.median(ours / theirs for ours, theirs in pairs)
        print(f"{name}\t{ours!r}\t{theirs!r}\t{ratio!r}")


if __name__ == "__main__":
    main()
