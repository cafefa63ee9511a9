"""Which names count, and as what."""


def time_function():
    pass


def TimeFunction():
    pass


def Time_function():
    pass


def timeit():
    raise AssertionError("not a benchmark")


def Timefoo():
    raise AssertionError("not a benchmark")


def my_track_x():
    raise AssertionError("not a benchmark")


def track_():
    raise AssertionError("not a benchmark")


def TrackSomething():
    return 3


def track_something():
    return 4


def timeraw_something():
    return "pass"


def TimerawSomething():
    return "pass"


def PeakMemSomething():
    return [0] * 10


def peakmem_something():
    return [0] * 10


def MemSomething():
    return [0] * 10


def mem_something():
    return [0] * 10


track_lambda = lambda: 5  # noqa: E731

track_number = 6
