"""The worker: imports a suite, lists its benchmarks and runs them, in the Python of the environment.

It talks with its parent as `docs/worker-protocol.md` says, needs the standard library only, and runs on Python 3.9 and newer. Everything
that is not needed by each run is imported where it is used: the start of the worker is part of every measurement's price.
"""
