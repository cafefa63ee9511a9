"""How long JAX compiles, and how often, from its own events."""

from lcmbench._gpu.notapplicable import NotApplicable
from lcmbench._gpu.warm import synchronize
from lcmbench._worker.device import compile_totals, listen


def compile_seconds(execute):
    """Seconds that JAX's compiler works while `execute` runs. A program that comes from a cache counts with what it took to load."""
    return measured(execute)[1]


def compile_count(execute):
    """How many programs JAX has compiled, or loaded from a cache, while `execute` runs."""
    return measured(execute)[0]


def measured(execute):
    """Number and seconds of the compilations during one call."""
    try:
        import jax  # noqa: F401
    except ImportError:
        raise NotApplicable("not applicable: JAX is not installed") from None
    if not listen():
        raise NotApplicable("not applicable: this JAX does not tell what it compiles")
    count, seconds = compile_totals()
    synchronize(execute())
    count_after, seconds_after = compile_totals()
    return count_after - count, seconds_after - seconds
