"""The processes of a server's jobs, one job after the other. Each is forked before its job is known: it is made while the parent books
what the last one brought. None is made while something is measured.

After a fork whatever the server or the child writes to is copied page by page, and every call of a Python function writes to a few pages.
That is most of what a job costs, so the way from one fork to the next is short here, and has few functions.
"""

import os
import select
import sys
from mmap import mmap

from lcmbench._worker.fork import flush_streams, fork_silently, kill_group, live, own_group
from lcmbench._worker.wire import loads

# Bytes of memory that child and server share: two numbers, and room for what the child hands back.
NUMBERS = 16
SHARED = 1 << 17

UNIT_OF_MAXRSS = 1 if sys.platform == "darwin" else 1024
EXITED = b'{"event": "exited", "id": %d, "pid": %d, "status": %d, "max_rss": %d, "user": %a, "system": %a}'


class Forks:
    """Forks that answer `fork` requests with `run(job)`. `leave` is how a fork ends."""

    def __init__(self, channel, run, lifeline, fork=None, leave=os._exit):
        self._channel = channel
        self._run = run
        self._lifeline = lifeline
        self._leave = leave
        self._shared = mmap(-1, SHARED)
        # What a child tells its server: the number of its job and one, and how many bytes it hands back.
        self._told = memoryview(self._shared)[:NUMBERS].cast("q")
        # Python and JAX warn of forks with other threads around; whether these are safe has been looked at.
        self._fork = fork or (fork_silently if "jax" in sys.modules or "threading" in sys.modules else os.fork)

    def answer(self, job):
        """Runs a job in a fork, and then what jobs are asked for next, until another request comes or a process ends without a job.
        Raises OSError when no process can be had for the first."""
        flush_streams()
        goes_on = self.in_fork(lambda: self._begin(job))
        while goes_on and not self._channel.unread:
            try:
                goes_on = self.in_fork(self.wait_for_job)
            except OSError:
                # The next request is answered as the first was.
                return

    def in_fork(self, work):
        """Runs `work()` in a fork and reports its end. Returns whether it had a job."""
        told, channel = self._told, self._channel
        told[0] = told[1] = 0
        pid = self._fork()
        if pid == 0:
            self._leave(live(work, channel, self._lifeline))
        own_group(pid)
        wait_for(pid, channel.control)
        try:
            _, status, usage = os.wait4(pid, 0)
            used = (usage.ru_maxrss * UNIT_OF_MAXRSS, usage.ru_utime, usage.ru_stime)
        except ChildProcessError:
            # The suite reaps children itself. How this one ended is lost; its events are not.
            status, used = 0, (0, 0.0, 0.0)
        if told[1]:
            channel.put_back(self._shared[NUMBERS : NUMBERS + told[1]])
        if not told[0]:
            return False
        channel.write(EXITED % (told[0] - 1, pid, status, *used))
        return True

    # -- in the fork --------------------------------------------------------------------------

    def wait_for_job(self):
        """Reads the next request. One that is no `fork` goes back to the server, and this process ends."""
        line = self._channel.next_line()
        if line is None:
            return
        request = loads(line)
        if request.get("request") == "fork":
            self._hand_back(self._channel.unread)
            self._begin(request["job"])
        else:
            self._hand_back(line + b"\n" + self._channel.unread)

    def _hand_back(self, text):
        if text:
            text = text[: SHARED - NUMBERS]
            self._shared[NUMBERS : NUMBERS + len(text)] = text
            self._told[1] = len(text)

    def _begin(self, job):
        self._told[0] = job["id"] + 1
        self._channel.leave_requests()
        self._run(job)


def wait_for(pid, control):
    """Sleeps until a child ends. When the parent is gone before that, the child's group is killed."""
    try:
        child = os.pidfd_open(pid)
    except (AttributeError, OSError):
        return
    try:
        poll = select.poll()
        poll.register(child, select.POLLIN)
        poll.register(control, 0)
        if (child, select.POLLIN) not in poll.poll():
            kill_group(pid)
    finally:
        os.close(child)
