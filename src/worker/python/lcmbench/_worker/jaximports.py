"""Where the modules of a suite import JAX while they are imported themselves."""


def jax_imports(modules):
    """`{module, file, line}` for each import of JAX that runs at import. `modules` maps dotted names below the suite to files."""
    found = []
    for name, file in modules.items():
        if not file.endswith(".py"):
            continue
        try:
            with open(file, "rb") as source:
                text = source.read()
        except OSError:
            continue
        if b"jax" in text:
            found += [{"module": name, "file": file, "line": line} for line in lines_in(text)]
    return found


def lines_in(text):
    """The lines of one file that import JAX at module level; nothing where the file cannot be parsed."""
    import ast

    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return []
    lines = []
    waiting = list(tree.body)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if names_jax(node, ast):
            lines.append(node.lineno)
        if isinstance(node, ast.If) and never_holds(node.test, ast):
            waiting += node.orelse
            continue
        waiting += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr)]
    return sorted(lines)


def names_jax(node, ast):
    """Whether a statement imports JAX or something in it."""
    if isinstance(node, ast.Import):
        return any(alias.name.partition(".")[0] == "jax" for alias in node.names)
    return isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").partition(".")[0] == "jax"


def never_holds(test, ast):
    """Whether a condition is false at import: `TYPE_CHECKING`, or that the file is run as a program."""
    if isinstance(test, ast.Compare):
        return isinstance(test.left, ast.Name) and test.left.id == "__name__"
    return getattr(test, "id", getattr(test, "attr", None)) == "TYPE_CHECKING"
