"""Writes the suites of the benches: `python make_suites.py NAME FOLDER`.

Real functions with a source text of their own, since asv hashes them.
"""

import sys
from pathlib import Path

ROWS = list(range(10))


def trivial(rows):
    """50 timed and 50 tracked benchmarks that do nothing; with `rows`, ten parameters each."""
    argument = "n" if rows else ""
    lines = []
    for i in range(50):
        for kind, body in (("time", "pass"), ("track", "return 1")):
            lines += [f"def {kind}_{i:02}({argument}):", f"    {body}", "", ""]
            if rows:
                lines += [f"{kind}_{i:02}.params = {ROWS}", "", ""]
    return lines


def empty():
    """An empty function, sampled in full."""
    return ["def time_empty():", "    pass"]


def slow():
    """One benchmark that lasts a while in its own process."""
    return ["import time", "", "", "def track_slow():", "    time.sleep(2)", "    return 1"]


def combinations():
    """8,000 parameter combinations in 40 benchmarks."""
    lines = []
    for i in range(40):
        lines += [f"def track_{i:02}(a, b):", "    return a * b", "", ""]
        lines += [f"track_{i:02}.params = [list(range(20)), list(range(10))]", "", ""]
    return lines


def compiling():
    """A set-up of two seconds and three metrics, as suites over compiled models have them."""
    return '''
import time


class Model:
    timeout = 120

    def setup(self):
        started = time.perf_counter()
        while time.perf_counter() - started < 2.0:
            sum(range(1000))
        self.compile_seconds = time.perf_counter() - started

    def track_compile_time(self):
        return self.compile_seconds

    def track_execution_time(self):
        started = time.perf_counter()
        sum(range(100_000))
        return time.perf_counter() - started

    def track_iterations(self):
        return 17
'''.splitlines()


SUITES = {
    "trivial": lambda: trivial(rows=False),
    "trivial-rows": lambda: trivial(rows=True),
    "empty": empty,
    "slow": slow,
    "combinations": combinations,
    "compiling": compiling,
}


def main():
    name, folder = sys.argv[1:]
    suite = Path(folder) / "benchmarks"
    suite.mkdir(parents=True)
    (suite / "__init__.py").write_text("")
    (suite / "bench.py").write_text("\n".join(SUITES[name]()) + "\n")


main()
