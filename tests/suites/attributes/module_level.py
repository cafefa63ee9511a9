"""Attributes of the module apply to everything in it; nearer ones win."""

timeout = 21.5
unit = "parsecs"
number = 3
repeat = (1, 2, 5.0)
rounds = 1
version = "module's version"


def track_of_module():
    return 1


def track_own_unit():
    return 2


track_own_unit.unit = "own"
track_own_unit.version = 12
track_own_unit.type = "distance"
track_own_unit.timeout = 7


def time_of_module():
    pass


class InClass:
    unit = "of the class"
    timeout = 3
    version = "2"

    def track_in_class(self):
        return 3

    def track_function_wins(self):
        return 4

    track_function_wins.unit = "of the function"
    track_function_wins.version = "3"
    track_function_wins.my_note = "copied by newer runners"
    track_function_wins.my_list = [1, "two", {"three": 3.0}]
    track_function_wins.my_none = None
    track_function_wins._hidden = "left out"
