"""Ends a forked job together with its server, before it gets another parent.

Orphans become children of lcmbench itself. A benchmark that signals its parent again and again would end the server first and then the
whole run. So the server holds the writing end of a pipe alone, and the kernel kills the job when that end is closed: a dying process
closes its files before its children are handed on.
"""

import os

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
