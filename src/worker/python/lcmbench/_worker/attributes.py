"""Where a benchmark's attributes come from: the function, its instance, its module, the first that is not None."""

from types import FunctionType, MethodType, ModuleType


def first(sources, name, default=None):
    """The value of the first source that has the attribute with a value other than None."""
    for source in sources:
        # A module without the attribute would make up an exception to say so.
        if type(source) is ModuleType and "__getattr__" not in source.__dict__:
            value = source.__dict__.get(name)
        else:
            value = getattr(source, name, None)
        if value is not None:
            return value
    return default


def hooks_of(source):
    """A source's `setup` and `teardown` under these names, however they are spelled; two spellings of one are an error."""
    found = {}
    for key in spellings_in(source):
        name = key.lower()
        if name in found:
            owner = getattr(source, "__name__", None) or type(source).__name__
            raise ValueError(f"{owner} has more than one {name}; keep one of them.")
        found[name] = getattr(source, key, None)
    return {name: value for name, value in found.items() if value is not None}


def spellings_in(source):
    """Which of the names that `dir` would list are `setup` or `teardown`. What modules and classes have is kept: a fork that looks
    through them anew pays for a copy of every page that it touches."""
    kind = type(source)
    if kind is FunctionType:
        return spellings(source.__dict__)
    if kind is MethodType:
        return spellings(getattr(source.__func__, "__dict__", ()))
    if kind is ModuleType:
        return kept_spellings(source, vars(source))
    if kind.__dir__ is not object.__dir__:
        return spellings(dir(source))
    return {*spellings(getattr(source, "__dict__", ())), *kept_spellings(kind, dir(kind))}


def spellings(names):
    """The names that are `setup` or `teardown` but for upper and lower case."""
    return [name for name in names if len(name) in (5, 8) and name.lower() in ("setup", "teardown")]


_kept = {}


def kept_spellings(owner, names):
    """The same for the names of a module or class, looked up once."""
    if owner not in _kept:
        _kept[owner] = spellings(names)
    return _kept[owner]


def is_bound(function):
    """Whether a hook is a method that is bound to an instance or class."""
    return isinstance(function, MethodType)
