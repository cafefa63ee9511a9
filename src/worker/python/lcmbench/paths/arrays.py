"""The output of a path as an array: its shape, whether it is finite, how far it is from another. Uses NumPy where the project brings it."""

import math
import sys


class NotAnArray(Exception):
    """The output of a path holds something that is no number."""


def array_of(value):
    """An independent copy of an output: a NumPy array of floats, or a `Flat` where there is no NumPy."""
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return Flat(value)
    try:
        array = numpy.array(value, copy=True)
    except Exception as error:
        raise NotAnArray(f"the output, a {type(value).__name__}, is no array: {error}") from error
    if array.dtype.kind not in "biufc":
        raise NotAnArray(f"the output, a {type(value).__name__}, is no array of numbers")
    return array if array.dtype.kind == "c" else array.astype(float)


class Flat:
    """Nested lists of numbers as one list and a shape."""

    def __init__(self, value):
        self.shape = shape_of_lists(value)
        self.values = list(numbers_in(value))

    @property
    def size(self):
        return len(self.values)


def shape_of_lists(value):
    """The lengths of nested lists; a number has none."""
    if isinstance(value, (int, float)):
        return ()
    try:
        items = None if isinstance(value, (str, bytes)) else list(value)
    except TypeError:
        items = None
    if items is None:
        raise NotAnArray(f"the output holds a {type(value).__name__}, which is no number")
    shapes = {shape_of_lists(item) for item in items}
    if len(shapes) > 1:
        raise NotAnArray("the output is a ragged list")
    return (len(items),) + (shapes.pop() if shapes else ())


def numbers_in(value):
    """The numbers of nested lists in their order."""
    if isinstance(value, (int, float)):
        yield float(value)
        return
    for item in value:
        yield from numbers_in(item)


def not_finite(array):
    """How many values of an array are NaN or infinite."""
    if isinstance(array, Flat):
        return sum(not math.isfinite(value) for value in array.values)
    numpy = sys.modules["numpy"]
    return int(array.size - numpy.count_nonzero(numpy.isfinite(array)))


def largest_difference(one, other):
    """The largest absolute difference of two arrays of one shape."""
    if isinstance(one, Flat) or isinstance(other, Flat):
        pairs = zip(one.values, other.values)
        return max((abs(a - b) for a, b in pairs), default=0.0)
    numpy = sys.modules["numpy"]
    return float(numpy.max(numpy.abs(one - other))) if one.size else 0.0


def shape_of(array):
    """The shape as a list."""
    return [int(length) for length in array.shape]


def times(shape):
    """A shape for people: `212 × 1131`."""
    return " × ".join(str(length) for length in shape) if shape else "a single number"
