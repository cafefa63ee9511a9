"""How often set-up, body and tear-down run; numbers are fixed, so counts are the same each time."""

rounds = 1
warmup_time = 0


class Plain:
    number = 5
    repeat = 3

    def time_it(self):
        pass


class WithSetup:
    number = 4
    repeat = 2

    def setup(self):
        self.items = list(range(10))

    def time_it(self):
        self.items.pop()

    def teardown(self):
        self.items = None


class ChosenInSetup:
    """Attributes of the sampling are read after the set-up."""

    params = [1, 2]
    repeat = 2

    def setup(self, n):
        self.number = 3 * n

    def time_it(self, n):
        pass


class TwoRounds:
    rounds = 2
    number = 2
    repeat = 3

    def time_it(self):
        pass


class OwnTimer:
    number = 2
    repeat = 2

    @staticmethod
    def timer():
        OwnTimer.now += 0.25
        return OwnTimer.now

    now = 0.0

    def time_quarter(self):
        pass


def track_samples():
    """A result with samples and a number is treated as timed."""
    return {"samples": [3.0, 1.0, 2.0], "number": 7}


def track_samples_many():
    return {"samples": [0.5 * i for i in range(12)], "number": 1}
