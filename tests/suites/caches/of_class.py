"""Caches of classes; a longer time-out; nothing returned; files left in the folder."""

import os


class Longer:
    def setup_cache(self):
        return [1, 2, 3]

    setup_cache.timeout = 33.0

    params = [1, 2]

    def track_sum(self, cache, n):
        return sum(cache) * n


class Nothing:
    def setup_cache(self):
        with open("left-behind.txt", "w") as file:
            file.write("text")

    def track_file(self):
        return os.path.getsize("left-behind.txt")

    def time_nothing(self):
        pass


class Inherited(Longer):
    def track_other(self, cache, n):
        return len(cache) * n


class Fails:
    def setup_cache(self):
        raise RuntimeError("no cache today")

    def track_never(self, cache):
        return 1

    def time_never(self, cache):
        pass
