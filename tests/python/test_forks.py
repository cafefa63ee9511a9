"""The processes that the server makes ahead of their jobs: what they leave to the server, and what becomes of them."""

import json
import os
import signal
import time
import unittest

from driver import Worker, only
from suites import SuiteCase

SUITE = "import os\n\ndef track_pid(): return os.getpid()\n\ndef track_parent(): return os.getppid()\n"


def children_of(pid):
    """The living children of a process."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat") as file:
                state, parent = file.read().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == pid and state != "Z":
            found.append(int(entry))
    return found


def value(events):
    return only(events, "result")["value"]


@unittest.skipUnless(os.path.isdir("/proc/self"), "no /proc to look for processes in")
class Ahead(SuiteCase):
    def test_the_process_of_the_next_job_is_there_before_its_job(self):
        with Worker(self.suite(SUITE)) as worker:
            worker.discover()
            first = value(worker.fork("bench.track_pid"))
            waiting = self.child_of(worker)
            second = value(worker.fork("bench.track_pid"))
            self.assertEqual(second, waiting)
            self.assertNotEqual(first, second)

    def test_requests_that_come_at_once_are_all_answered(self):
        with Worker(self.suite(SUITE)) as worker:
            worker.discover()
            for _ in range(2):
                jobs = [worker.job("bench.track_pid") for _ in range(3)]
                lines = [json.dumps({"request": "fork", "job": job}) + "\n" for job in jobs]
                os.write(worker._control, "".join(lines).encode())
                for job in jobs:
                    events = worker.events_until("exited")
                    self.assertEqual([event["id"] for event in events], [job["id"]] * 3)

    def test_another_request_goes_to_the_server(self):
        with Worker(self.suite(SUITE)) as worker:
            worker.discover()
            server = value(worker.fork("bench.track_parent"))
            self.assertEqual(worker.discover()[-1]["event"], "discovered")
            self.assertEqual(value(worker.fork("bench.track_parent")), server)
            worker.ask("nonsense")
            self.assertIn("nonsense", only(worker.events_until("suite_error"), "suite_error")["message"])
            worker.ask("quit")
            self.assertEqual(worker.process.wait(timeout=30), 0)

    def test_one_that_is_killed_while_it_waits_is_replaced(self):
        with Worker(self.suite(SUITE)) as worker:
            worker.discover()
            worker.fork("bench.track_pid")
            waiting = self.child_of(worker)
            os.kill(waiting, signal.SIGKILL)
            while os.path.exists(f"/proc/{waiting}"):
                time.sleep(0.01)
            self.assertNotEqual(value(worker.fork("bench.track_pid")), waiting)

    def test_none_is_left_when_the_server_is_killed(self):
        with Worker(self.suite(SUITE)) as worker:
            worker.discover()
            worker.fork("bench.track_pid")
            waiting = self.child_of(worker)
            worker.process.kill()
            os.close(worker._control)
            worker._control = None
            deadline = time.monotonic() + 30
            while is_alive(waiting) and time.monotonic() < deadline:
                time.sleep(0.01)
            self.assertFalse(is_alive(waiting))

    def child_of(self, worker):
        """The one child that the server has, once it is there."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            children = children_of(worker.process.pid)
            if children:
                self.assertEqual(len(children), 1)
                return children[0]
            time.sleep(0.01)
        self.fail("the server has made no process")


def is_alive(pid):
    """Whether a process runs; one that has ended and waits to be reaped does not."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


if __name__ == "__main__":
    unittest.main()
