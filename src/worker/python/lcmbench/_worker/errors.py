"""Exceptions as the parent prints them: class, message, traceback without the worker's own frames."""

import os

# Longest text of one field: an exception may carry a whole data set in its message.
LIMIT = 100_000

_OWN_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def describe(error):
    """The error object of the protocol."""
    return {"type": type(error).__name__, "message": shorten(message_of(error)), "traceback": shorten(traceback_of(error))}


def message_of(error):
    """`str(error)`, or what can be said when that raises."""
    try:
        return str(error)
    except Exception as inner:
        return f"<the message cannot be shown: {type(inner).__name__}>"


def traceback_of(error):
    """The traceback as Python prints it, from the suite's first frame on."""
    import traceback

    try:
        report = traceback.TracebackException(type(error), error, error.__traceback__)
        drop_own_frames(report)
        return "".join(report.format())
    except Exception as inner:
        return f"<the traceback cannot be shown: {type(inner).__name__}>"


def drop_own_frames(report):
    """Takes the frames before the suite's first one off a report and off those that it names as causes."""
    seen = set()
    waiting = [report]
    while waiting:
        report = waiting.pop()
        if report is None or id(report) in seen:
            continue
        seen.add(id(report))
        while report.stack and is_own(report.stack[0].filename):
            del report.stack[0]
        waiting += [report.__cause__, report.__context__]


def is_own(filename):
    """Whether a frame's file belongs to this package or to what it calls the suite through."""
    return (
        filename.startswith((_OWN_FOLDER, "<frozen importlib", "<timeit-src>"))
        or filename.endswith((os.sep + "timeit.py", os.sep + "cProfile.py"))
        or os.path.join("importlib", "__init__.py") in filename
    )


def shorten(text):
    """Cuts the middle out of a text that is longer than any reader wants."""
    if len(text) <= LIMIT:
        return text
    half = LIMIT // 2
    return f"{text[:half]}\n... {len(text) - 2 * half} characters left out ...\n{text[-half:]}"
