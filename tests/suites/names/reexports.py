"""Imported names count as benchmarks here too; a function keeps its own name."""

from . import prefixes
from .classes import Derived
from .classes import Concrete as RenamedClass
from .prefixes import track_something
from .prefixes import TrackSomething as track_alias

__all__ = ["Derived", "RenamedClass", "prefixes", "track_alias", "track_something"]
