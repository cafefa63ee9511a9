"""The starts of the variability report: initial values scaled by a ladder of fixed factors. No random numbers."""

import math

RUNGS = (0.6, 0.8, 1.25, 1.6)

# Bounds on both sides are kept by this share of the span between them.
MARGIN = 0.01

# A value of zero cannot be scaled; it moves by this share of the span.
STEP_FROM_ZERO = 0.1


def factor(index, run):
    """The factor of the free parameter `index` (from 0) in run `run` (from 1). Each four runs take the next power of the ladder, so that
    no start is run twice."""
    return RUNGS[(index + run - 1) % len(RUNGS)] ** ((run - 1) // len(RUNGS) + 1)


def start_value(parameter, index, run):
    """The initial value of one free parameter in one run.

    Within two finite bounds the value is clipped with a margin. One that would leave one-sided bounds stays as it is, and so does a zero
    without two finite bounds.
    """
    value, low, high = parameter.value, parameter.low, parameter.high
    bounded = math.isfinite(low) and math.isfinite(high)
    if value == 0.0:
        if not bounded:
            return value
        moved = STEP_FROM_ZERO * (high - low)
    else:
        moved = value * factor(index, run)
    if bounded:
        margin = MARGIN * (high - low)
        return min(max(moved, low + margin), high - margin)
    return moved if low < moved < high else value


def start_values(parameters, run):
    """The initial values of all free parameters by name; run 0 is the reference, from the parameters' own values."""
    free = [parameter for parameter in parameters if parameter.free]
    if run == 0:
        return {parameter.name: parameter.value for parameter in free}
    return {parameter.name: start_value(parameter, index, run) for index, parameter in enumerate(free)}
