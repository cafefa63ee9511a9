"""Benchmarks that change the state of the stand-in while they run."""

import os
import subprocess
import time


def play(state):
    """From now on this is the state of the stand-in."""
    path = os.environ["LCMBENCH_STANDIN_STATE"]
    with open(path + ".benchmark", "w") as file:
        file.write(state + "\n")
    os.replace(path + ".benchmark", path)


def track_a_quiet():
    play("gpu0.processes %d:1048576" % os.getpid())
    time.sleep(1.2)
    play("gpu0.energy 5150000")
    return 1


def track_b_hot():
    play("gpu0.reasons 0x20")
    time.sleep(1.8)
    play("")
    return 2


def track_c_counter():
    # Too short for a look, but the counter knows it.
    play("gpu0.violation.thermal 1000")
    return 3


def track_d_foreign():
    # Its parent is gone, but it is a descendant all the same: only a stranger counts.
    play("gpu0.processes %s:1024" % os.environ["FOREIGN_PROCESS"])
    time.sleep(1.8)
    play("")
    return 4


def track_e_own_child():
    child = subprocess.Popen(["sleep", "0.8"])
    play("gpu0.processes %d:1024" % child.pid)
    child.wait()
    play("")
    return 5


def track_f_lost():
    play("gpu0.lost 1")
    return 6
