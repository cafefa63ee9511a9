"""The leaves of a tree of outputs, with a path each."""

import dataclasses


def leaves(tree, path=""):
    """Yields (path, leaf) in an order that depends on the tree's structure alone."""
    if tree is None:
        return
    if isinstance(tree, dict):
        for key in sorted(tree, key=str):
            yield from leaves(tree[key], f"{path}[{key!r}]")
    elif hasattr(tree, "_fields") and isinstance(tree, tuple):
        for name in tree._fields:
            yield from leaves(getattr(tree, name), f"{path}.{name}")
    elif isinstance(tree, (list, tuple)):
        for number, item in enumerate(tree):
            yield from leaves(item, f"{path}[{number}]")
    elif dataclasses.is_dataclass(tree) and not isinstance(tree, type):
        for field in dataclasses.fields(tree):
            yield from leaves(getattr(tree, field.name), f"{path}.{field.name}")
    else:
        yield path or ".", tree
