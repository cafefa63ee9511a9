"""Where a benchmark's attributes come from: the function, its instance, its module, the first that is not None."""

from types import MethodType


def first(sources, name, default=None):
    """The value of the first source that has the attribute with a value other than None."""
    for source in sources:
        value = getattr(source, name, None)
        if value is not None:
            return value
    return default


def every_hook(sources, name):
    """The hooks of that name of all sources, in their order; upper and lower case do not matter."""
    hooks = (hook(source, name) for source in sources)
    return [found for found in hooks if found is not None]


def hook(source, name):
    """One source's `setup` or `teardown`, however it is spelled; two spellings at once are an error."""
    spellings = [key for key in dir(source) if key.lower() == name]
    if len(spellings) > 1:
        owner = getattr(source, "__name__", None) or type(source).__name__
        raise ValueError(f"{owner} has more than one {name}: {', '.join(spellings)}; keep one of them.")
    return getattr(source, spellings[0], None) if spellings else None


def is_bound(function):
    """Whether a hook is a method that is bound to an instance or class."""
    return isinstance(function, MethodType)
