"""Benchmarks that return what is no plain number."""


def track_nan():
    return float("nan")


def track_infinity():
    return float("inf")


def track_text():
    return "a | b"


def track_dict():
    return {"a": [1, None]}


def track_nothing():
    pass


def track_huge():
    return 10**30
