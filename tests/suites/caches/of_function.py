"""A cache of a single function."""


def make():
    return 7


def track_single(cache):
    return cache


track_single.setup_cache = make


def track_without():
    return 1
