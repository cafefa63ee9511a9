"""Parameter values whose strings need care."""

import enum


class Plain:
    pass


class WithRepr:
    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


class Colour(enum.Enum):
    RED = 1
    BLUE = "b"


def a_function():
    pass


class Strings:
    params = [
        "",
        "plain",
        "it's",
        'say "hi"',
        "comma, (paren)",
        "back\\slash",
        "new\nline",
        "tab\t",
        "\u00e4\u00f6\u00fc \u2192 \U0001f600",
        "\u0000",
        "x" * 300,
        "|`<@#1",
    ]

    def track_length(self, text):
        return len(text)


class Objects:
    params = [
        None,
        True,
        1.0,
        1e-7,
        float("inf"),
        1 + 2j,
        b"bytes",
        (1, 2),
        [1, [2]],
        {"a": 1},
        int,
        Plain,
        Colour.RED,
        Colour.BLUE,
        WithRepr("<strange at 0x12>"),
        range(0, 3),
        2**70,
    ]

    def track_type(self, value):
        return len(type(value).__name__)


class Addresses:
    """Addresses in default representations differ between processes, so they are cut."""

    params = [a_function, Plain(), Plain(), object()]

    def track_one(self, value):
        return 1


class Duplicates:
    params = [[1, 2, 2, 2], ["a", "a"]]

    def track_one(self, number, letter):
        return 1
