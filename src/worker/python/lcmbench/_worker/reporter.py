"""The events of one job, one report for each of its benchmarks."""

from lcmbench._worker import remarks
from lcmbench._worker.errors import describe


class Reporter:
    """Tells the parent what came of a job's benchmarks."""

    def __init__(self, channel, job_id):
        self._channel = channel
        self._id = job_id
        self._waiting = []

    def expect(self, names):
        """The benchmarks that are still to be reported."""
        self._waiting = list(names)

    def started(self, pid):
        # Spelled out, as `exited` is: a fork that makes less has fewer pages to copy.
        self._channel.write(b'{"event": "started", "id": %d, "pid": %d}' % (self._id, pid))

    def cached(self):
        self._waiting = []
        self._send("cached")

    def skipped(self, name, reason):
        self._done(name)
        self._send("skipped", benchmark=name, reason=reason)

    def failed(self, name, kind, error):
        self._done(name)
        described = describe(error) if isinstance(error, BaseException) else error
        self._send("failed", benchmark=name, kind=kind, error=described)

    def fail_rest(self, error):
        """Reports the same error for whatever has no report yet."""
        if not self._waiting:
            raise error
        for name in list(self._waiting):
            self.failed(name, "exception", error)

    def result(self, name, value, flags, profile):
        """Reports a value; one that is None, or has no JSON form, is a failure."""
        if value is None:
            self.failed(name, "no-value", {"type": "", "message": "the benchmark returned nothing", "traceback": ""})
            return
        more, facts = remarks.take()
        fields = {"benchmark": name, "flags": [*flags, *(flag for flag in more if flag not in flags)]}
        if facts:
            fields["facts"] = facts
        if profile is not None:
            fields["profile"] = profile
        try:
            if is_timing(value):
                samples, number = timing_of(value)
                self._send("result", **fields, samples=samples, number=number)
            else:
                self._send("result", **fields, value=value)
        except (TypeError, ValueError, OverflowError, RecursionError) as error:
            self.failed(name, "unserializable", {"type": type(error).__name__, "message": str(error), "traceback": ""})
        else:
            self._done(name)

    def _done(self, name):
        if name in self._waiting:
            self._waiting.remove(name)

    def _send(self, event, **fields):
        self._channel.send(event, id=self._id, **fields)


def is_timing(value):
    """Whether a value counts as timings: any dict with `samples` and `number` does, from whatever kind of benchmark."""
    return isinstance(value, dict) and "samples" in value and "number" in value


def timing_of(value):
    """The samples and the number of such a dict. Raises TypeError where they are not numbers."""
    samples, number = value["samples"], value["number"]
    if not isinstance(samples, (list, tuple)) or not all(isinstance(sample, (int, float)) for sample in samples):
        raise TypeError("`samples` of a timing result must be a list of numbers")
    if not isinstance(number, (int, float)) or number != int(number):
        raise TypeError("`number` of a timing result must be a whole number")
    return [float(sample) for sample in samples], int(number)
