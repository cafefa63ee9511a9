"""The lines of a function's source, exactly as `inspect.getsourcelines` gives them, at a fraction of its price.

`inspect` takes 8 ms to import and tokenises from each function's first line on. Here a file is parsed once, and the end of a function
follows from its syntax tree. Whatever is not a plain `def` in a plain file is left to `inspect`.
"""

from types import CodeType

# The flag of `compile` that asks for the syntax tree; `ast` has it too, but costs milliseconds to import.
ONLY_TREE = 0x400

# File name to (lines, first line to nodes), or None for a file that is left to `inspect`.
_files = {}


def source_lines(function):
    """The lines of the source of a function, decorators included, and the number of the first. Follows `functools.wraps`. Raises OSError
    where the source is not to be had, and TypeError for what never has one."""
    found = quick_lines(unwrapped(function))
    if found is not None:
        return found
    from inspect import getsourcelines

    return getsourcelines(function)


def quick_lines(function):
    """The lines of a plain function of a plain file, or None."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    if not isinstance(code, CodeType):
        return None
    if code.co_filename not in _files:
        _files[code.co_filename] = read_file(code.co_filename)
    content = _files[code.co_filename]
    if content is None:
        return None
    lines, functions = content
    nodes = functions.get(code.co_firstlineno, ())
    if len(nodes) != 1 or nodes[0].name != code.co_name:
        return None
    last = last_line(nodes[0], lines)
    if last is None:
        return None
    return lines[code.co_firstlineno - 1 : last], code.co_firstlineno


def unwrapped(function):
    """The original of a chain of `functools.wraps`."""
    seen = set()
    while hasattr(function, "__wrapped__") and id(function) not in seen:
        seen.add(id(function))
        function = function.__wrapped__
    return function


def read_file(name):
    """The lines of a file and its functions by their first lines, or None for a file with anything unusual about it."""
    try:
        with open(name, "rb") as file:
            content = file.read()
        if has_encoding(content) or b"\f" in content:
            return None
        text = content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        tree = compile(text, name, "exec", ONLY_TREE, dont_inherit=True)
    except (OSError, SyntaxError, ValueError):
        return None
    lines = [line + "\n" for line in text.split("\n")]
    if lines[-1] == "\n":
        del lines[-1]
    functions = {}
    waiting = list(tree.body)
    while waiting:
        node = waiting.pop()
        kind = type(node).__name__
        if kind in ("FunctionDef", "AsyncFunctionDef"):
            functions.setdefault(first_line(node), []).append(node)
        for field in ("body", "orelse", "handlers", "finalbody", "cases"):
            children = getattr(node, field, None)
            if isinstance(children, list):
                waiting += children
    return lines, functions


def forget_files():
    """Drops what was read."""
    _files.clear()


def has_encoding(content):
    """Whether the first two lines may name an encoding."""
    return any(b"coding" in line for line in content.split(b"\n", 2)[:2])


def first_line(node):
    """The line on which a statement begins, decorators included."""
    return min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])


def last_line(node, lines):
    """The last line of a function: that of its last statement, or of a comment after that which is indented as deep as the body.
    None where that cannot be told."""
    beginning = lines[first_line(node) - 1].lstrip()
    if not beginning.startswith(("@", "def ", "async ")):
        return None
    body = node.body[0]
    last = node.end_lineno
    start = first_line(body)
    if lines[start - 1][: body.col_offset].strip():
        # The body stands on the line of the `def`, and no comment after it belongs to it.
        return last
    if lines[start - 2].rstrip().endswith("\\"):
        return None
    for number in range(last, len(lines)):
        stripped = lines[number].lstrip()
        if stripped and stripped[0] != "#":
            break
        if stripped and len(lines[number]) - len(stripped) >= body.col_offset:
            last = number + 1
    return last
