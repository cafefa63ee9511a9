"""The profile of one call."""


def profile_call(call):
    """Profiles a call; base64 of the compressed bytes of a `pstats` file."""
    import base64
    import cProfile
    import marshal
    import zlib

    profiler = cProfile.Profile()
    profiler.runcall(call)
    profiler.create_stats()
    return base64.b64encode(zlib.compress(marshal.dumps(profiler.stats))).decode("ascii")
