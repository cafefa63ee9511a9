"""Drives the worker over its two pipes, as the program does, and collects what it says."""

import json
import os
import subprocess
import sys
import tempfile

MAIN = os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "worker", "python", "lcmbench", "_worker", "main.py"
)
MAIN = os.path.realpath(MAIN)

CACHE = tempfile.TemporaryDirectory()


class Worker:
    """One worker process. Use it in a `with` block; what it printed is in `stdout` and `stderr` after that."""

    def __init__(self, benchmark_dir, python=None, environment=None, cwd=None, **configuration):
        control_read, self._control = os.pipe()
        events_write_end = os.pipe()
        self._events = os.fdopen(events_write_end[0], "rb")
        self._out = tempfile.TemporaryFile()
        self._err = tempfile.TemporaryFile()
        variables = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "ASV_PYTHONPATH")}
        # Bytecode beside the sources would be embedded into the program together with them.
        variables["PYTHONPYCACHEPREFIX"] = CACHE.name
        variables.update(environment or {})
        self.process = subprocess.Popen(
            [python or sys.executable, MAIN, str(control_read), str(events_write_end[1])],
            stdin=subprocess.DEVNULL,
            stdout=self._out,
            stderr=self._err,
            pass_fds=(control_read, events_write_end[1]),
            env=variables,
            cwd=cwd,
        )
        os.close(control_read)
        os.close(events_write_end[1])
        self.ask("configure", benchmark_dir=benchmark_dir, **configuration)
        self._next_id = 0

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def close(self):
        """Ends the worker by the end of its control stream, and keeps what it printed."""
        if self._control is not None:
            os.close(self._control)
            self._control = None
        self.process.wait(timeout=60)
        self._events.close()
        self.stdout = read_back(self._out)
        self.stderr = read_back(self._err)

    def ask(self, request, **fields):
        """Sends a request."""
        os.write(self._control, (json.dumps({"request": request, **fields}) + "\n").encode("utf-8"))

    def event(self):
        """The next event, or None when the worker is gone."""
        for line in self._events:
            try:
                event = json.loads(line)
            except ValueError:
                continue
            if isinstance(event, dict):
                return event
        return None

    def events_until(self, *names):
        """The events up to and including the first one of those names, or up to the worker's end."""
        events = []
        while True:
            event = self.event()
            if event is None:
                return events
            events.append(event)
            if event["event"] in names:
                return events

    def discover(self):
        """All events of discovery, `hello` first."""
        self.ask("discover")
        return self.events_until("discovered", "suite_error")

    def job(self, benchmarks, **fields):
        """A job with the defaults of the protocol; benchmarks may be one name."""
        self._next_id += 1
        names = [benchmarks] if isinstance(benchmarks, str) else list(benchmarks)
        job = {"id": self._next_id, "kind": "benchmark", "cwd": os.getcwd(), "benchmarks": names, "combination": None}
        job.update({"attributes": {}, "has_cache": False, "profile": False, "timeout": None}, **fields)
        return job

    def fork(self, benchmarks, **fields):
        """The events of a job in a fork."""
        self.ask("fork", job=self.job(benchmarks, **fields))
        return self.events_until("exited", "suite_error")

    def run(self, benchmarks, **fields):
        """The events of a job in the worker itself, `hello` aside."""
        self.ask("run", job=self.job(benchmarks, **fields))
        events = self.events_until()
        return [event for event in events if event["event"] != "hello"]


def read_back(file):
    """The text of a file that another process wrote through the same open file."""
    file.seek(0)
    text = file.read().decode("utf-8", "replace")
    file.close()
    return text


def records(events):
    """The records among the events of discovery."""
    return [event["record"] for event in events if event["event"] == "benchmark"]


def only(events, name):
    """The one event of that name."""
    found = [event for event in events if event["event"] == name]
    if len(found) != 1:
        raise AssertionError(f"expected one `{name}` among {[event['event'] for event in events]}")
    return found[0]
