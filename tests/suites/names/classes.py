"""Members of classes: inherited, static, class methods, abstract, nested, underscored."""

import abc


class Base:
    def track_of_base(self):
        return type(self).__name__

    def _track_hidden(self):
        raise AssertionError("not a benchmark")

    class Nested:
        def track_nested(self):
            raise AssertionError("not a benchmark")


class Derived(Base):
    def track_own(self):
        return 1

    @staticmethod
    def track_static():
        return 2

    @classmethod
    def track_class_method(cls):
        return 3

    track_lambda = lambda self: 4  # noqa: E731

    @property
    def track_property(self):
        raise AssertionError("not a benchmark")


class Abstract(abc.ABC):
    @abc.abstractmethod
    def width(self):
        """The width."""

    def track_width(self):
        return self.width()


class Concrete(Abstract):
    def width(self):
        return 7


class _Hidden:
    def track_hidden(self):
        raise AssertionError("not a benchmark")


class Renamed:
    def track_first(self):
        return 1

    track_first.benchmark_name = "elsewhere.track_renamed"

    def track_pretty(self):
        return 2

    track_pretty.pretty_name = "A pretty name: \u00e4 | `x`"

    def helper(self):
        return 3

    helper.benchmark_name = "elsewhere.track_helper"

    def track_left_out(self):
        raise AssertionError("skipped at discovery")

    track_left_out.skip_benchmark = True
