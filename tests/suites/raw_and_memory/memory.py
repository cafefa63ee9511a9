"""Sizes of objects and peaks of processes."""


class Sizes:
    params = [10, 1000]

    def mem_list(self, n):
        return [0] * n

    def mem_ints(self, n):
        return list(range(n))

    def peakmem_list(self, n):
        return [0] * n


def mem_empty():
    return {}
