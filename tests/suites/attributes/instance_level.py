"""Attributes made in `__init__`."""


class Made:
    def __init__(self):
        self.params = [[1, 2]]
        self.param_names = ["made"]
        self.unit = "units"

    def track_made(self, n):
        return n
