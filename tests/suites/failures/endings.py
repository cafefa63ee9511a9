"""Every way to end without a number."""

import os
import signal
import time


def track_raises():
    raise ValueError("on purpose")


def time_raises():
    raise ValueError("on purpose")


def track_returns_nothing():
    pass


def track_nan():
    return float("nan")


def track_infinity():
    return float("inf")


def track_minus_infinity():
    return float("-inf")


def track_text():
    return "text"


def track_dict():
    return {"a": 1}


def track_list():
    return [1, 2.5]


def track_true():
    return True


def track_not_json():
    return object()


def track_not_implemented():
    raise NotImplementedError("in the body it is a failure")


def track_exits():
    os._exit(3)


def track_exits_with_zero():
    os._exit(0)


def track_system_exit():
    raise SystemExit(4)


def track_killed():
    os.kill(os.getpid(), signal.SIGKILL)


def track_too_slow():
    time.sleep(60)


track_too_slow.timeout = 0.6


class SomeCombinations:
    params = [1, 2, 3, 4]

    def setup(self, n):
        if n == 2:
            raise NotImplementedError("skipped")
        if n == 3:
            raise RuntimeError("failed")

    def track_some(self, n):
        return n

    def time_some(self, n):
        pass


class AllFail:
    params = [1, 2]

    def track_none(self, n):
        raise RuntimeError("failed")

    def time_none(self, n):
        raise RuntimeError("failed")


class TornDown:
    def track_good(self):
        return 1

    def teardown(self):
        raise RuntimeError("in the tear-down")
