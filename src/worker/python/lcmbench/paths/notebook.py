"""Calls in the code cells of a notebook (nbformat 4), read without running anything."""

import ast
import json
import re


class NotebookError(Exception):
    """A notebook that cannot be read, or a call in it that cannot be understood; the message is a sentence with file and cell."""


# Cell magics whose cell is Python all the same.
PYTHON_CELL_MAGICS = ("capture", "prun", "time", "timeit")

_SYSTEM_COMMAND = re.compile(r"^(\s*)([%!?].*|.*\?)\s*$")
_ASSIGNED_COMMAND = re.compile(r"^(\s*[\w.,\s]+=\s*)[%!].*$")


class FoundCall:
    """A call: the function's name, its arguments by name, and where it stands."""

    def __init__(self, function, arguments, place):
        self.function = function
        self.arguments = arguments
        self.place = place


def code_cells(path):
    """(number, source) of each code cell; cells of all kinds are numbered from 1."""
    try:
        with open(path, encoding="utf-8") as file:
            notebook = json.load(file)
    except OSError as error:
        raise NotebookError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise NotebookError(f"{path} is no notebook: it is not JSON ({error})") from error
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        version = notebook.get("nbformat") if isinstance(notebook, dict) else None
        reason = f"it is of nbformat {version}, and 4 is needed" if version not in (None, 4) else "it has no list `cells`"
        raise NotebookError(f"{path} is no notebook of nbformat 4: {reason}")
    for number, cell in enumerate(notebook["cells"], 1):
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            yield number, source_of(cell)


def source_of(cell):
    """The text of a cell, which is a string or a list of lines."""
    source = cell.get("source", "")
    if isinstance(source, list):
        return "".join(part for part in source if isinstance(part, str))
    return source if isinstance(source, str) else ""


def calls_in(path, signatures, select):
    """The calls of certain functions in a notebook, in their order.

    `signatures` maps a function's name to the names of its positional arguments. `select(arguments)` gets the arguments that are literals
    and says whether the call counts: True, False, or the name of an argument that it must know and does not have. A call that counts and
    has an argument that is no literal is an error.
    """
    found = []
    for number, source in code_cells(path):
        if not any(name in source for name in signatures):
            continue
        place = f"{path}, cell {number}"
        for call in calls_of(source, signatures, place):
            found += checked(call, place, signatures, select)
    return found


def checked(call, place, signatures, select):
    """The call as a list of one, or of none if it does not count."""
    name = name_of(call.func)
    place = f"{place}, line {call.lineno}"
    arguments, computed = arguments_of(call, signatures[name])
    verdict = select(arguments)
    if verdict is False:
        return []
    if verdict is not True and verdict not in computed and "**" not in computed and "*" not in computed:
        raise NotebookError(f"{place}: the call of {name} has no argument `{verdict}`")
    if computed:
        named = ", ".join(f"`{argument}`" for argument in computed)
        are = "is" if len(computed) == 1 else "are"
        raise NotebookError(
            f"{place}: {named} of the call of {name} {are} computed; only literals can be read: strings, numbers and lists of strings. "
            "Write them out, or list the calls in a calls.json and remove the notebook"
        )
    return [FoundCall(name, arguments, place)]


def calls_of(source, signatures, place):
    """The call nodes of a cell in the order of the text."""
    tree = parse(source)
    if tree is None:
        raise NotebookError(f"{place}: a cell that calls {' or '.join(signatures)} is no Python")
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and name_of(node.func) in signatures]
    return sorted(calls, key=lambda node: (node.end_lineno, node.end_col_offset))


def parse(source):
    """The tree of a cell; None for one that is no Python. IPython's commands are passed over."""
    lines = source.splitlines()
    first = next((index for index, line in enumerate(lines) if line.strip()), None)
    if first is not None and lines[first].lstrip().startswith("%%"):
        magic = re.split(r"\W", lines[first].lstrip()[2:])[0]
        if magic not in PYTHON_CELL_MAGICS:
            return ast.Module(body=[], type_ignores=[])
        lines[first] = ""
    for attempt in (lines, [without_command(line) for line in lines]):
        try:
            return ast.parse("\n".join(attempt))
        except (SyntaxError, ValueError):
            continue
    return None


def without_command(line):
    """A line with IPython's commands (`%matplotlib inline`, `!pip install x`, `name?`, `files = !ls`) replaced by Python of no effect."""
    line = _ASSIGNED_COMMAND.sub(r"\1None", line)
    return _SYSTEM_COMMAND.sub(r"\1pass", line)


def name_of(function):
    """`f` for `f(...)` and for `anything.f(...)`."""
    return getattr(function, "attr", getattr(function, "id", None))


def arguments_of(call, positional):
    """The arguments of a call that are literals, by name, and the names of those that are not."""
    arguments, computed = {}, []
    given = []
    for index, node in enumerate(call.args):
        if isinstance(node, ast.Starred):
            computed.append("*")
        else:
            given.append((positional[index] if index < len(positional) else f"argument {index + 1}", node))
    given += [(keyword.arg or "**", keyword.value) for keyword in call.keywords]
    for name, node in given:
        try:
            arguments[name] = literal(node)
        except ValueError:
            computed.append(name)
    return arguments, computed


def literal(node):
    """The value of a string, a number or a list of strings. Raises ValueError for anything else."""
    if isinstance(node, ast.Constant) and type(node.value) in (str, int, float):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        value = literal(node.operand)
        if isinstance(value, (int, float)):
            return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, (ast.List, ast.Tuple)):
        values = [literal(element) for element in node.elts]
        if all(isinstance(value, str) for value in values):
            return values
    raise ValueError("no literal")
