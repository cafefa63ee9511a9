"""Parameters of functions."""


def track_function(n):
    return n


track_function.params = [5, 6]
track_function.param_names = ["n"]


def track_skips(a, b):
    return a + b


track_skips.params = [[1, 2], [3, 4]]


def skip_one(a, b):
    if (a, b) == (2, 3):
        raise NotImplementedError("not for this one")


track_skips.setup = skip_one
