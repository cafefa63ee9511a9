"""Prints what the worker costs: `python tests/python/figures.py [python]`. No test; figures of a loaded machine mean little."""

import os
import statistics
import subprocess
import sys
import tempfile
import time

from driver import MAIN, Worker

COUNT = 50


def write_suite(folder):
    """A suite of trivial benchmarks."""
    os.mkdir(folder)
    open(os.path.join(folder, "__init__.py"), "w").close()
    with open(os.path.join(folder, "trivial.py"), "w") as file:
        for number in range(COUNT):
            file.write(f"def time_{number}():\n    pass\n\n\ndef track_{number}():\n    return {number}\n\n\n")
    return folder


def milliseconds(work, times):
    """Median and least time of a piece of work."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        taken.append(1000 * (time.perf_counter() - began))
    return f"median {statistics.median(taken):6.2f} ms, least {min(taken):6.2f} ms"


def main():
    python = sys.argv[1] if len(sys.argv) > 1 else sys.executable
    quick = {"number": 1, "repeat": 1, "warmup_time": 0}
    with tempfile.TemporaryDirectory() as folder:
        suite = write_suite(os.path.join(folder, "suite"))
        print("bare interpreter       ", milliseconds(lambda: subprocess.run([python, "-c", "pass"], check=True), 10))

        def hello():
            with Worker(suite, python=python) as worker:
                worker.event()

        def discover():
            with Worker(suite, python=python) as worker:
                worker.discover()

        def spawn():
            with Worker(suite, python=python) as worker:
                worker.run("trivial.time_1", attributes=quick)

        def everything():
            with Worker(suite, python=python) as worker:
                names = [event["record"]["name"] for event in worker.discover() if event["event"] == "benchmark"]
                for name in names:
                    worker.fork(name, attributes=quick)

        print("start to hello, end    ", milliseconds(hello, 10))
        print(f"start, discover {2 * COUNT}, end ", milliseconds(discover, 10))
        print("spawn one, end         ", milliseconds(spawn, 10))
        with Worker(suite, python=python) as worker:
            worker.discover()
            print("fork, run, result, reap", milliseconds(lambda: worker.fork("trivial.time_1", attributes=quick), 200))
        print(f"all {2 * COUNT} quick, forked   ", milliseconds(everything, 5))


if __name__ == "__main__":
    assert os.path.exists(MAIN)
    main()
