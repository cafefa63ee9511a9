"""Benchmarks in the package itself."""


def track_in_the_package():
    return 1


def _track_hidden():
    return 2
