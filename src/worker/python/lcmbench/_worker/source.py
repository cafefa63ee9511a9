"""The text of a benchmark and the version that follows from it, to the byte as asv has them."""

from types import MethodType

from lcmbench._worker.blocks import forget_files, source_lines, unwrapped

try:
    from _sha2 import sha256
except ImportError:
    try:
        from _sha256 import sha256
    except ImportError:
        # The detour through OpenSSL costs milliseconds, so it comes last.
        from hashlib import sha256

# Snippets by the function that they belong to: a module's setup occurs in every one of its benchmarks.
_snippets = {}


def code_of(functions):
    """The snippets of several functions joined by blank lines; methods stand below a line with the class that defines them."""
    snippets = []
    last_class = None
    for function in functions:
        if function is None:
            continue
        snippet = snippet_of(function)
        if snippet is None:
            continue
        class_name = defining_class(function)
        if class_name is not None:
            snippet = "    " + snippet.replace("\n", "\n    ")
            if class_name != last_class:
                snippet = f"class {class_name}:\n{snippet}"
        snippets.append(snippet)
        last_class = class_name
    return "\n\n".join(snippets).rstrip()


def version_of(code):
    """The version of a benchmark that states none."""
    return sha256(code.encode("utf-8")).hexdigest()


def snippet_of(function):
    """The dedented source of one function, decorators included; None for what has no source."""
    pretty = getattr(function, "pretty_source", None)
    if pretty is not None:
        import textwrap

        return textwrap.dedent(pretty).lstrip()
    plain = getattr(function, "__func__", function)
    try:
        return _snippets[plain]
    except (KeyError, TypeError):
        pass
    try:
        lines, _ = source_lines(function)
    except TypeError:
        return None
    snippet = "\n".join(dedent([line.rstrip() for line in lines]))
    try:
        _snippets[plain] = snippet
    except TypeError:
        pass
    return snippet


def dedent(lines):
    """Takes the whitespace that all lines begin with off them; the lines have no trailing whitespace."""
    margin = None
    for line in lines:
        if line:
            indent = line[: len(line) - len(line.lstrip(" \t"))]
            margin = indent if margin is None else common_start(margin, indent)
    width = len(margin or "")
    return [line[width:] for line in lines]


def common_start(one, other):
    """What two strings have in common from their beginning."""
    length = 0
    for a, b in zip(one, other):
        if a != b:
            break
        length += 1
    return one[:length]


def defining_class(function):
    """The class that a bound method was defined in; None for anything that is not bound, or is not defined in a class."""
    if not isinstance(function, MethodType):
        return None
    names = getattr(function, "__qualname__", "").split(".")
    return names[-2] if len(names) > 1 else None


def place_of(function, module):
    """The file and line where a function's source begins, decorators included; the start of its module where that is not known."""
    module_file = getattr(module, "__file__", None) or ""
    try:
        code = unwrapped(function).__code__
    except AttributeError:
        return {"file": module_file, "line": 1}
    return {"file": code.co_filename, "line": code.co_firstlineno}


def forget_sources():
    """Drops the sources that discovery has read, before they become part of every fork."""
    _snippets.clear()
    forget_files()
