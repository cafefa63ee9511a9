"""Source texts that are easy to get wrong in the version's hash."""

import functools


def plain_decorator(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)

    return wrapper


def decorator_without_wraps(function):
    def track_wrapper(*args):
        return function(*args)

    return track_wrapper


@plain_decorator
def track_decorated():
    return 1


@decorator_without_wraps
def track_replaced():
    return 1


@functools.lru_cache(maxsize=None)
def track_cached():
    return 1


def track_with_everything(
    first=1,
    second="two",  # a comment
):
    """A docstring

    with a blank line.
    """

    # A comment.
    text = """
unindented text
        and indented text   
    """

    return len(text)


def track_unicode():
    # Gr\u00fc\u00dfe: the next line is not ASCII.
    return len("äöü → 😀")


def track_one_line(): return 1  # noqa: E704


class Outer:
    class Inner:
        def track_never(self):
            return 1

    def setup(self):
        self.x = 1

    def track_with_setup(self):

        return self.x

    @plain_decorator
    def track_decorated_method(self):
        return 1

    @staticmethod
    def track_static():
        return 1

    @classmethod
    def track_class(cls):
        return 1

    def track_pretty_source(self):
        return 1

    track_pretty_source.pretty_source = """
        what is shown
            instead
    """


class Child(Outer):
    def setup(self):
        super().setup()
        self.x = 2

    def track_own(self):
        return self.x


class WithCache:
    def setup_cache(self):
        return 1

    def setup(self, cache):
        pass

    def track_cached(self, cache):
        return cache

    def teardown(self, cache):
        pass


def of_module():
    pass


def track_function_setup():
    return 1


track_function_setup.setup = of_module