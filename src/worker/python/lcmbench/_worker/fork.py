"""What a process does around a fork."""

import os
import sys

# Not `signal`, whose enumerations cost milliseconds.
import _signal as signal


def fork_silently():
    """`os.fork`, without warnings."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return os.fork()


def live(work, channel, lifeline):
    """The life of a child up to its last step, whose exit status comes back: it leads its own process group, runs `work()`, and is to end at
    once then: no handlers of `atexit`, no waiting for threads, but nothing printed is lost."""
    status = 0
    try:
        own_group(0)
        lifeline.hold()
        channel.hand_over()
        work()
    except BaseException:
        import traceback

        traceback.print_exc()
        status = 1
    flush_streams()
    return status


def flush_streams():
    """Writes out what was printed so far."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):
            pass
    if "ctypes" in sys.modules:
        flush_c_streams()


def flush_c_streams():
    """Writes out what extension modules have printed through C's streams."""
    try:
        import ctypes

        ctypes.CDLL(None).fflush(None)
    except (OSError, AttributeError):
        pass


def own_group(pid):
    """Makes a process the leader of its own group. Parent and child both ask for it, so that it holds for both from their next step on."""
    try:
        os.setpgid(pid, pid)
    except OSError:
        pass


def kill_group(pid):
    """Kills a child and what it started."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except OSError:
        pass
