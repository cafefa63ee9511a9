"""Every attribute of timed benchmarks, in its types."""


class AsInts:
    rounds = 1
    repeat = 3
    number = 4
    sample_time = 0.005
    warmup_time = 0
    min_run_count = 1

    def time_it(self):
        pass


class AsTuple:
    rounds = 1
    repeat = (2, 4, 1.5)
    number = 2
    warmup_time = 0.0

    def time_it(self):
        pass


class OldName:
    processes = 1
    number = 1
    repeat = 2
    warmup_time = 0

    def time_it(self):
        pass


class OldAndNewName:
    processes = 3
    rounds = 1
    number = 1
    repeat = 2
    warmup_time = 0

    def time_it(self):
        pass


def time_plain():
    pass


def timeraw_plain():
    return "pass"
