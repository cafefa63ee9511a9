"""Ends a job together with the one process that holds the writing end of a pipe: the kernel kills the job when that end is closed.

A forked job ends with its server, before it gets another parent. Orphans become children of lcmbench itself, so that a benchmark that
signals its parent again and again would end the server first and then the whole run. A dying process closes its files before its children
are handed on.

A job in a process of its own ends with lcmbench, through whatever wrapper it was started, and so does what it started in its process
group.
"""

import os
import select

# Not `signal`, whose enumerations cost milliseconds.
import _signal as signal

_ends = []


def prepare():
    """Makes the pipe, in the server. Where the system has no such signals nothing is made, and nothing is guarded."""
    if _ends:
        return
    try:
        import fcntl

        reading, writing = os.pipe()
        fcntl.fcntl(reading, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    except (ImportError, AttributeError, OSError):
        return
    _ends.extend((reading, writing, fcntl))


def hold():
    """Ties this process, a fork of the server, to it."""
    if not _ends:
        return
    reading, writing, fcntl = _ends
    try:
        fcntl.fcntl(reading, fcntl.F_SETOWN, os.getpid())
        os.close(writing)
    except OSError:
        # The suite has closed what is not its own.
        pass


def hold_to_parent(control):
    """Ties this process and its group to the program that writes the requests; call it when the last one is there, since more of them would
    kill as well."""
    try:
        import fcntl

        fcntl.fcntl(control, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(control, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(control, fcntl.F_SETFL, fcntl.fcntl(control, fcntl.F_GETFL) | os.O_ASYNC)
    except (ImportError, AttributeError, OSError):
        return
    # It may have gone before that.
    poll = select.poll()
    poll.register(control, 0)
    if poll.poll(0):
        os.killpg(0, signal.SIGKILL)
