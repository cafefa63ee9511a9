"""Decorators for suites in environments without `asv_runner`: what `asv_runner.benchmarks.mark` offers, under the same names.

Where that package wraps a function, this does too: the price of the wrapper is part of the time that it measures.
"""

import functools
from types import FunctionType

_BENCHMARK_ATTRS = frozenset(
    "env goal_time max_time min_run_count number param_names params pretty_name processes repeat rounds sample_time setup_cache_timeout "
    "skip_benchmark skip_params timeout timer version warmup_time".split()
)


class SkipNotImplemented(NotImplementedError):
    """Raised by a benchmark that does not apply here."""

    def __init__(self, message=""):
        self.message = message
        super().__init__(message)


def _wrapped(function, **attributes):
    """A wrapper of a function that carries attributes."""

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    for name, value in attributes.items():
        setattr(wrapper, name, value)
    return wrapper


def skip_benchmark(func):
    """Leaves a benchmark out."""
    return _wrapped(func, skip_benchmark=True)


def skip_benchmark_if(condition):
    """Leaves a benchmark out if the condition holds."""
    return lambda func: _wrapped(func, skip_benchmark=True) if condition else _wrapped(func)


def skip_for_params(skip_params_list):
    """Skips the listed combinations of parameters."""
    return lambda func: _wrapped(func, skip_params=skip_params_list)


def skip_params_if(skip_params_list, condition):
    """Skips the listed combinations of parameters if the condition holds."""
    return lambda func: _wrapped(func, skip_params=skip_params_list) if condition else _wrapped(func)


def _set_params(target, param_dict):
    axes = list(param_dict.values())
    target.params = axes if len(axes) > 1 else axes[0]
    target.param_names = list(param_dict)
    return target


def parameterize(param_dict):
    """Sets the parameters of a function or class: names and their values."""
    return lambda target: _set_params(target, param_dict)


def parameterize_class_with(param_dict):
    """Sets the parameters of all benchmarks of a class."""

    def decorate(cls):
        _need(isinstance(cls, type), "parameterize_class_with", "classes")
        return _set_params(cls, param_dict)

    return decorate


def parameterize_func_with(param_dict):
    """Sets the parameters of a function."""

    def decorate(func):
        _need(isinstance(func, FunctionType), "parameterize_func_with", "functions")
        return _set_params(func, param_dict)

    return decorate


def timeout_class_at(seconds):
    """Sets the time-out of all benchmarks of a class."""

    def decorate(cls):
        _need(isinstance(cls, type), "timeout_class_at", "classes")
        cls.timeout = seconds
        return cls

    return decorate


def timeout_func_at(seconds):
    """Sets the time-out of a function."""

    def decorate(func):
        _need(isinstance(func, FunctionType), "timeout_func_at", "functions")
        return _wrapped(func, timeout=seconds)

    return decorate


def timeout_at(seconds):
    """Sets the time-out of a function or of all benchmarks of a class."""
    return lambda target: (timeout_class_at if isinstance(target, type) else timeout_func_at)(seconds)(target)


def benchmark(**attrs):
    """Sets any of the attributes that steer a benchmark on a function or class."""
    unknown = sorted(set(attrs) - _BENCHMARK_ATTRS)
    if unknown:
        known = ", ".join(sorted(_BENCHMARK_ATTRS))
        raise TypeError(f"benchmark() knows no attribute {', '.join(unknown)}. It knows: {known}.")

    def decorate(target):
        if not isinstance(target, type):
            return _wrapped(target, **attrs)
        for name, value in attrs.items():
            setattr(target, name, value)
        return target

    return decorate


def _need(fits, name, kind):
    if not fits:
        raise TypeError(f"The decorator {name} is for {kind} only.")
