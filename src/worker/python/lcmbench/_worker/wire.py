"""JSON without the package `json`, whose import takes regular expressions and enumerations along: its C functions alone, or the package
where they are missing or are not what they were."""

try:
    from _json import encode_basestring_ascii, make_encoder, make_scanner
except ImportError:
    make_encoder = make_scanner = None


class Reading:
    """How `json.loads` reads by default."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}.__getitem__
    memo = {}


# Made once: the fewer things a fork makes anew, the fewer pages it has to copy.
scan = make_scanner and make_scanner(Reading)


def refuse(value):
    """What `json` does with a value that it has no form for."""
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def dumps(value):
    """The text of a value, as `json.dumps` writes it. Raises TypeError, ValueError or RecursionError as that does."""
    return "".join(make_encoder({}, refuse, encode_basestring_ascii, None, ": ", ", ", False, False, True)(value, 0))


def loads(text):
    """The value of a text. Raises ValueError for what is none."""
    if isinstance(text, bytes):
        text = text.decode("utf-8")
    try:
        value, end = scan(text, len(text) - len(text.lstrip()))
    except StopIteration as stop:
        raise ValueError(f"no JSON at character {stop.value}") from None
    if text[end:].strip():
        raise ValueError(f"more than one value in a line, at character {end}")
    return value


def works():
    """Whether the C functions do what this file takes them for; nobody promises that."""
    text = '{"a": [1, -2.5e-07, null, true, "\\u00e9\\n"], "b": {}}'
    try:
        return dumps(loads(text)) == text
    except Exception:
        return False


if make_encoder is None or not works():
    from json import dumps, loads  # noqa: F811
