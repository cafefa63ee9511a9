"""What helpers of a suite have to say about the measurement that goes on: flags and facts that go with its result."""

_flags = []
_facts = {}


def flag(word):
    """Adds a flag to the result, once."""
    if word not in _flags:
        _flags.append(word)


def fact(name, value):
    """Adds a fact to the result."""
    _facts[name] = value


def take():
    """The flags and the facts, which are then forgotten."""
    flags, facts = list(_flags), dict(_facts)
    _flags.clear()
    _facts.clear()
    return flags, facts
