"""A first benchmark, to be replaced by what matters in this project.

The beginning of a name says what is measured: `time_` the time of a call, `mem_` the size of what is
returned, `peakmem_` the memory of a process, `track_` the number that is returned.
"""


class Sorting:
    params = [1_000, 100_000]
    param_names = ["items"]

    def setup(self, items):
        self.numbers = [(index * 7919) % items for index in range(items)]

    def time_sorted(self, items):
        sorted(self.numbers)
