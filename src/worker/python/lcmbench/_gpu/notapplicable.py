"""What a helper raises where a measurement makes no sense."""


class SkipNotImplemented(NotImplementedError):
    """The benchmark does not apply here: it counts as skipped, not as failed. Known by its name, as asv's own is."""


class NotApplicable(SkipNotImplemented):
    """There is nothing to measure here, such as the memory of a GPU on a processor."""
