"""A suite whose benchmarks end in every way there is."""

import ctypes
import os
import signal
import subprocess
import sys
import time


def time_loop():
    sum(range(100))


def track_answer():
    return 42


def track_nan():
    return float("nan")


def track_infinity():
    return float("inf")


def track_text():
    return "text"


def track_dict():
    return {"a": [1, None]}


def track_nothing():
    return None


def track_object():
    return object()


def track_raises():
    raise ValueError("broken on purpose")


def track_prints():
    print("to standard output")
    print("to standard error", file=sys.stderr)
    return 1


def track_prints_100_megabytes():
    line = b"x" * 99 + b"\n"
    block = line * 10000
    for turn in range(100):
        os.write(1, block)
    print("the end", flush=True)
    return 1


def track_closed_streams():
    os.close(1)
    os.close(2)
    return 1


def track_writes_to_closed():
    os.close(1)
    os.write(1, b"lost")
    return 1


def track_closes_all():
    os.closerange(0, 1000)
    return 1


def track_exit():
    os._exit(3)


def track_sys_exit():
    sys.exit("enough")


def track_segfault():
    # A real one, but without the core file.
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    ctypes.string_at(0)


def track_killed():
    os.kill(os.getpid(), signal.SIGKILL)


def track_hangs():
    print("hanging", flush=True)
    time.sleep(60)


def track_chatters():
    while True:
        print("again", flush=True)
        time.sleep(0.01)


def track_ignores_term():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print("ignoring", flush=True)
    while True:
        time.sleep(60)


def track_leaves_children():
    subprocess.Popen(["sleep", "61"])
    subprocess.Popen(["sleep", "62"], start_new_session=True)
    return 1


def track_leaves_a_fork():
    if not os.fork():
        time.sleep(60)
        os._exit(0)
    return 1


def track_folder():
    with open("file", "w") as file:
        file.write("text")
    return [os.getcwd(), os.path.exists("cache.pickle")]


def track_environment():
    return dict(os.environ)


def track_affinity():
    return sorted(os.sched_getaffinity(0))


def peakmem_block():
    return bytearray(50_000_000)


class Parameters:
    params = ([1, 2], ["a", "ü" * 300])
    param_names = ["number", "text"]

    def setup(self, number, text):
        if number == 2:
            raise NotImplementedError("not for two")

    def track_length(self, number, text):
        return number * len(text)


class Cached:
    def setup_cache(self):
        return {"made_in": os.getcwd()}

    def track_cache(self, cache):
        return [cache["made_in"], os.getcwd()]


class BadCache:
    def setup_cache(self):
        raise RuntimeError("no cache today")

    def track_cache(self, cache):
        return 1
