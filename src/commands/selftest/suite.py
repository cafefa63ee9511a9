"""What `lcmbench selftest` measures: three kinds of plain Python. How much of it is done, the environment says."""

import os

WORK = float(os.environ["LCMBENCH_SELFTEST_WORK"])


def time_arithmetic():
    total = 0
    for number in range(round(6000 * WORK)):
        total += number * number % 7
    return total


def time_objects():
    rows = [{"key": number, "text": str(number)} for number in range(round(1500 * WORK))]
    return sum(len(row["text"]) for row in rows)


def time_copies(block=bytes(1 << 16)):
    for _ in range(round(100 * WORK)):
        bytearray(block)
