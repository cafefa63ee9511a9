"""What a suite may state as attributes of a benchmark, and one clear error for everything else.

Whatever asv gets along with is let through as it is: records and results stay the same."""


class WrongAttribute(TypeError):
    """An attribute is nothing that can be used. The message names it, its value and what is expected."""

    # Python prints the name alone, then.
    __module__ = "builtins"

    def __init__(self, name, value, wanted):
        super().__init__(f"`{name}` is {shown(value)}; it must be {wanted}")


def shown(value):
    """A value and its type in few words."""
    try:
        text = repr(value)
    except Exception:
        text = "something that cannot be shown"
    if len(text) > 80:
        text = text[:77] + "..."
    return f"{text} ({type(value).__name__})"


def real(value):
    """A number as a float; None for what is none, NaN and text included."""
    if isinstance(value, (str, bytes, bytearray)):
        return None
    try:
        number = float(value)
    except Exception:
        return None
    return number if number == number else None


def whole(name, value, wanted="a whole number, 0 or more"):
    """The value as `int` makes it, as asv does. Raises WrongAttribute."""
    try:
        number = int(value)
    except Exception:
        raise WrongAttribute(name, value, wanted) from None
    if number < 0:
        raise WrongAttribute(name, value, wanted)
    return number


def check_seconds(name, value, wanted="a number of seconds, 0 or more", least=0.0):
    """Lets a number of seconds through, and None. Raises WrongAttribute."""
    if value is not None:
        number = real(value)
        if number is None or number < least:
            raise WrongAttribute(name, value, wanted)


def check_timeout(name, value):
    """Lets a number of seconds above 0 through, and None. With 0 every process would be ended before it can begin, as it is by asv.
    Raises WrongAttribute."""
    wanted = "a number of seconds above 0"
    check_seconds(name, value, wanted)
    if value is not None and real(value) == 0:
        raise WrongAttribute(name, value, wanted)


def check_repeat(value):
    """Lets through what `repeat` may be."""
    wanted = "a whole number, 0 or more, or (least, most, seconds)"
    if isinstance(value, (tuple, list)):
        numbers = [real(part) for part in value]
        if len(numbers) != 3 or None in numbers or min(numbers) < 0:
            raise WrongAttribute("repeat", value, wanted)
    else:
        whole("repeat", value, wanted)


def check_callable(name, value):
    """Lets through what can be called, and None."""
    if value is not None and not callable(value):
        raise WrongAttribute(name, value, "a function")


def as_list(name, value, wanted):
    """The members of something that can be gone through. Raises WrongAttribute."""
    try:
        return list(value)
    except TypeError:
        raise WrongAttribute(name, value, wanted) from None


def check_timed(attribute):
    """Checks what says how a `time_` benchmark is sampled; `attribute(name, default)` looks it up."""
    whole("number", attribute("number", 0))
    check_repeat(attribute("repeat", 0))
    check_seconds("sample_time", attribute("sample_time"))
    check_seconds("warmup_time", attribute("warmup_time"), "a number of seconds, below 0 for the usual time", float("-inf"))
    if real(attribute("min_run_count", 2)) is None:
        raise WrongAttribute("min_run_count", attribute("min_run_count"), "a whole number")
    check_callable("timer", attribute("timer"))
