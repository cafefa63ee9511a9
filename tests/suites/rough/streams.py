"""Benchmarks that are rough with their streams."""

import os
import sys


def track_prints_100_megabytes():
    line = "x" * 1023 + "\n"
    for _ in range(50 * 1024):
        sys.stdout.write(line)
        sys.stderr.write(line)
    return 1


def track_writes_binary():
    os.write(1, bytes(range(256)))
    return 2


def track_writes_to_a_closed_descriptor():
    os.close(1)
    os.write(1, b"text")


def track_closes_its_streams():
    os.close(1)
    os.close(2)
    return 3


def track_closes_everything():
    """Also the descriptor over which the result would go."""
    os.closerange(0, 256)
    return 4
