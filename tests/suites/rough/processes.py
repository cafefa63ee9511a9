"""Benchmarks that are rough with processes; ids are left in the folder ROUGH_FOLDER."""

import os
import signal
import subprocess
import sys
import time


def note(name, pid):
    with open(os.path.join(os.environ["ROUGH_FOLDER"], name), "w") as file:
        file.write(str(pid))


def track_child_outlives_it():
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    note("child", child.pid)
    return 1


def track_detached_child_outlives_it():
    child = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True
    )
    note("detached", child.pid)
    return 2


def track_ignores_sigterm():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    note("stubborn", os.getpid())
    time.sleep(600)


track_ignores_sigterm.timeout = 0.5


def track_talks_and_never_ends():
    """A line now and then must not put the deadline off."""
    while True:
        print("still here", flush=True)
        time.sleep(0.05)


track_talks_and_never_ends.timeout = 0.5


def track_exits():
    print("the last words")
    sys.stdout.flush()
    os._exit(7)


def track_exits_with_zero():
    os._exit(0)


def track_aborts():
    os.abort()


def track_segfaults():
    os.kill(os.getpid(), signal.SIGSEGV)


def track_kills_its_group():
    os.killpg(0, signal.SIGTERM)
    time.sleep(600)


track_kills_its_group.timeout = 20
