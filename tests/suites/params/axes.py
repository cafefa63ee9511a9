"""Axes of parameters in every form."""


class OneAxis:
    params = [1, 2, 3]

    def track_it(self, n):
        return n * 10


class TwoAxes:
    params = ([1, 2], ["a", "b", "c"])
    param_names = ["number", "letter"]

    def setup(self, number, letter):
        self.text = letter * number

    def track_length(self, number, letter):
        return len(self.text)

    def track_float(self, number, letter):
        return number / 3.0

    def time_it(self, number, letter):
        pass


class AxisOfRanges:
    """Only lists and tuples are axes: these are two values of one axis."""

    params = [range(3), range(2)]
    param_names = ("only one",)

    def track_length(self, values):
        return len(values)


class Tuples:
    params = ((1, 2), (3, 4))

    def track_sum(self, a, b):
        return a + b


class WrappedRange:
    params = range(2)

    def track_it(self, a):
        return a


class TooManyNames:
    params = [1, 2]
    param_names = ["one", "two", 3]

    def track_it(self, n):
        return n


class NamesOfNumbers:
    params = [[1], [2]]
    param_names = [10, 2.5]

    def track_it(self, a, b):
        return a + b


class EmptyList:
    params = []

    def track_it(self):
        return 1


class EmptyAxis:
    params = [[1, 2], []]

    def track_it(self, a, b):
        return 1


class ThreeAxes:
    params = [[0, 1], [0, 1], [0, 1]]

    def track_position(self, a, b, c):
        return 4 * a + 2 * b + c
