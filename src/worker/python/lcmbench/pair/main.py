"""Starts one process of a pair: `main.py <control descriptor> <events descriptor>`.

This file alone must parse on every Python, so that one that is too old can say which it is.
"""

import os
import sys


def say_too_old(events):
    """Refuses whatever is going to be asked."""
    message = "it is Python %d.%d.%d; lcmbench needs 3.9 or newer" % tuple(sys.version_info[:3])
    os.write(events, ('\n{"event": "refused", "message": "%s"}\n' % message).encode("ascii"))


def main():
    control, events = int(sys.argv[1]), int(sys.argv[2])
    if sys.version_info < (3, 9):
        say_too_old(events)
        return
    here = os.path.dirname(os.path.realpath(__file__))
    if sys.path and sys.path[0] and os.path.realpath(sys.path[0]) == here:
        del sys.path[0]
    folder = os.path.dirname(os.path.dirname(here))
    sys.path.insert(0, folder)
    from lcmbench.pair.process import serve

    sys.path.remove(folder)
    serve(control, events)


if __name__ == "__main__":
    main()
