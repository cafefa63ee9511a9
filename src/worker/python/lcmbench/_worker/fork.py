"""A child for each job, and waiting for it without a ripple: the server sleeps until the child or the parent is gone."""

import os
import select
import sys

# Not `signal`, whose enumerations cost milliseconds.
import _signal as signal


def fork_for(work, channel):
    """Runs `work()` in a fork that leads its own process group and ends there. Returns (pid, raw status, resource usage) of the child.
    Raises OSError when no process can be had."""
    flush_streams()
    # Python and JAX warn of forks with other threads around; whether these are safe has been looked at.
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pid = os.fork()
    if pid == 0:
        end(run_child(work, channel))
    own_group(pid)
    wait_for(pid, channel.control)
    try:
        _, status, usage = os.wait4(pid, 0)
    except ChildProcessError:
        # The suite reaps children itself. How this one ended is lost; its events are not.
        return pid, 0, None
    return pid, status, usage


def run_child(work, channel):
    """The child's life. Returns its exit status."""
    try:
        own_group(0)
        channel.hand_over()
        work()
    except BaseException:
        import traceback

        traceback.print_exc()
        return 1
    return 0


def end(status):
    """Ends a child at once: no handlers of `atexit`, no waiting for threads, but nothing printed is lost."""
    flush_streams()
    os._exit(status)


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
        while True:
            ready = dict(poll.poll())
            if child in ready:
                return
            if control in ready:
                kill_group(pid)
                return
    finally:
        os.close(child)


def kill_group(pid):
    """Kills a child and what it started."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except OSError:
        pass
