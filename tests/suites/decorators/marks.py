"""All of `asv_runner.benchmarks.mark`."""

from asv_runner.benchmarks.mark import (
    SkipNotImplemented,
    parameterize,
    skip_benchmark,
    skip_benchmark_if,
    skip_for_params,
    skip_params_if,
    timeout_at,
)


@skip_benchmark
def track_skipped():
    raise AssertionError("skipped at discovery")


@skip_benchmark
class Skipped:
    def track_skipped(self):
        return 1


@skip_benchmark_if(True)
def track_skipped_if():
    raise AssertionError("skipped at discovery")


@skip_benchmark_if(False)
def track_kept():
    return 1


class ForParams:
    params = [[1, 2], ["a", "b"]]

    @skip_for_params([(1, "b"), (2, "a")])
    def track_some(self, number, letter):
        return number

    @skip_params_if([(1, "a")], True)
    def track_if(self, number, letter):
        return number

    @skip_params_if([(1, "a")], False)
    def track_if_not(self, number, letter):
        return number

    @skip_for_params([(1, "a"), (1, "b"), (2, "a"), (2, "b")])
    def track_none(self, number, letter):
        raise AssertionError("all are skipped")

    def track_raises(self, number, letter):
        if number == 2:
            raise SkipNotImplemented("not for two")
        return number


@parameterize({"n": [10, 20]})
def track_one_axis(n):
    return n


class Parameterized:
    @parameterize({"n": [1, 2], "letter": ["a", "b"]})
    def track_two_axes(self, n, letter):
        return n

    @timeout_at(12)
    def track_timeout(self):
        return 1
