"""The channel to the parent: requests in, events out, one JSON object a line."""

import os

from lcmbench._worker.wire import dumps, loads


# Bytes that are read at once: enough for a usual request, since a large buffer has a fork touch memory that it does not need, and of one that
# has more.
USUAL = 960
MORE = 65536


class Channel:
    """Reads requests and writes events. Only the process that owns it may write."""

    def __init__(self, control, events):
        self._control = control
        self._events = events
        self._unread = b""
        self._owner = os.getpid()
        for descriptor in (control, events):
            os.set_inheritable(descriptor, False)

    @property
    def control(self):
        """The descriptor of the requests, to watch for its end."""
        return self._control

    def requests(self):
        """Yields requests until the stream ends. Reads no further than it must, so that nothing of a later request hides in a buffer."""
        while (line := self.next_line()) is not None:
            yield loads(line)

    def next_line(self):
        """The next request as it was written, or None when the stream has ended."""
        while True:
            line, newline, rest = self._unread.partition(b"\n")
            if newline:
                self._unread = rest
                if line.strip():
                    return line
                continue
            chunk = os.read(self._control, MORE if self._unread else USUAL)
            if not chunk:
                return None
            self._unread += chunk

    @property
    def unread(self):
        """What has been read of the requests that come next."""
        return self._unread

    def put_back(self, text):
        """Puts bytes before what is still to be read."""
        self._unread = text + self._unread

    def hand_over(self):
        """Called in a fork: this process writes from now on."""
        self._owner = os.getpid()

    def leave_requests(self):
        """Called in a fork: the requests are left to the server."""
        self._unread = b""
        os.close(self._control)

    def send(self, event, **fields):
        """Writes one event."""
        self.write(encode({"event": event, **fields}))

    def write(self, text):
        """Writes the bytes of one event. A process that the suite has forked off, and that comes back into the worker's code, ends here
        without a word."""
        if os.getpid() != self._owner:
            os._exit(0)
        line = b"\n%b\n" % text
        written = os.write(self._events, line)
        while written < len(line):
            written += os.write(self._events, line[written:])


def encode(fields):
    """The bytes of one event: ASCII. Raises what `json` raises for a value that it cannot write."""
    text = dumps(fields)
    if "\\ud" in text:
        text = dumps(without_lone_surrogates(fields))
    return text.encode("ascii")


def without_lone_surrogates(value):
    """The same value with each lone surrogate spelled out as the characters of its escape."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {without_lone_surrogates(key): without_lone_surrogates(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_lone_surrogates(item) for item in value]
    return value
