"""Starts the worker: `main.py <control descriptor> <events descriptor>`.

This file alone must parse on every Python, so that one that is too old can say which it is.
"""

import sys


def say_too_old(events):
    """Answers with the bare version, which is all that the parent needs for its message."""
    import os

    version = "%d.%d.%d" % tuple(sys.version_info[:3])
    os.write(events, ('\n{"event": "hello", "python": "%s"}\n' % version).encode("ascii"))


def package_folder():
    """The folder that holds the package `lcmbench`; takes the folder of this script off the module path."""
    import os

    here = os.path.dirname(os.path.realpath(__file__))
    if sys.path and sys.path[0] and os.path.realpath(sys.path[0]) == here:
        del sys.path[0]
    return os.path.dirname(os.path.dirname(here))


def main():
    control, events = int(sys.argv[1]), int(sys.argv[2])
    if sys.version_info < (3, 9):
        say_too_old(events)
        return
    folder = package_folder()
    sys.path.insert(0, folder)
    # Whatever PYTHONDONTWRITEBYTECODE says of the project's folders: this one is ours alone, and to compile it afresh for every process
    # would cost each some 20 ms.
    unwanted, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    from lcmbench._worker.server import serve

    sys.dont_write_bytecode = unwanted
    sys.path.remove(folder)
    serve(folder, control, events)


if __name__ == "__main__":
    main()
