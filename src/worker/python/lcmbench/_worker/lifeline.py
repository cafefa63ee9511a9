"""Ends a job together with the one process that holds the writing end of a pipe: the kernel kills the job when that end is closed.

A forked job ends with its server, before it gets another parent. Orphans become children of lcmbench itself, so that a benchmark that
signals its parent again and again would end the server first and then the whole run. A dying process closes its files before its children
are handed on.

A job in a process of its own ends with lcmbench, through whatever wrapper it was started, and so does what it started in its process
group.
"""

import fcntl
import os
import select
import sys

# Not `signal`, whose enumerations cost milliseconds.
import _signal as signal

# Linux's F_SETOWN_EX, and its kind of owner that is a process.
SET_OWNER = 15
PROCESS = (1).to_bytes(4, sys.byteorder)


class Lifeline:
    """The pipe, made in the server. Where the system has no such signals nothing is made, and nothing is guarded. One that is not `deadly`
    is a pipe like any other."""

    def __init__(self, deadly=True):
        self.reading = self.writing = None
        try:
            reading, writing = os.pipe()
            if deadly:
                fcntl.fcntl(reading, fcntl.F_SETSIG, signal.SIGKILL)
                fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
        except (AttributeError, OSError):
            return
        self.reading, self.writing = reading, writing

    def hold(self):
        """Ties this process, a fork of the server, to it."""
        if self.reading is None:
            return
        try:
            # The owner as bytes: Python looks for those first, and a number costs it an exception, and a fork some pages.
            fcntl.fcntl(self.reading, SET_OWNER, PROCESS + os.getpid().to_bytes(4, sys.byteorder))
            os.close(self.writing)
        except OSError:
            # The suite has closed what is not its own.
            pass


def hold_to_parent(control):
    """Ties this process and its group to the program that writes the requests; call it when the last one is there, since more of them would
    kill as well."""
    try:
        fcntl.fcntl(control, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(control, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(control, fcntl.F_SETFL, fcntl.fcntl(control, fcntl.F_GETFL) | os.O_ASYNC)
    except (AttributeError, OSError):
        return
    # It may have gone before that.
    poll = select.poll()
    poll.register(control, 0)
    if poll.poll(0):
        os.killpg(0, signal.SIGKILL)
