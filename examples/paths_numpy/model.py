"""An expression over a grid, evaluated in three ways, and a small least-squares fit."""

import ast

import numpy

# The functions that an expression may call, by the name that it calls them with.
FUNCTIONS = ("exp", "sin", "sqrt")

OPERATORS = {
    ast.Add: numpy.add,
    ast.Sub: numpy.subtract,
    ast.Mult: numpy.multiply,
    ast.Div: numpy.divide,
    ast.Pow: numpy.power,
}


class Expression:
    """A model `text` in `energy`, `time` and named parameters, on a grid of times and energies."""

    def __init__(self, text, names, energy, time):
        self.text = text
        self.names = list(names)
        self.energy = numpy.asarray(energy, dtype=float)[None, :]
        self.time = numpy.asarray(time, dtype=float)[:, None]
        self.tree = parse(text)

    @property
    def shape(self):
        return self.time.shape[0], self.energy.shape[1]


def parse(text):
    """The tree of an expression."""
    return ast.parse(text, mode="eval").body


def interpret(expression, values):
    """Walks the tree anew for each evaluation."""
    known = dict(zip(expression.names, values), energy=expression.energy, time=expression.time)
    return numpy.broadcast_to(walk(expression.tree, known), expression.shape)


def walk(node, known):
    """The value of a node."""
    if isinstance(node, ast.Constant):
        return float(node.value)
    if isinstance(node, ast.Name):
        return known[node.id]
    if isinstance(node, ast.UnaryOp):
        return -walk(node.operand, known)
    if isinstance(node, ast.BinOp):
        return OPERATORS[type(node.op)](walk(node.left, known), walk(node.right, known))
    return getattr(numpy, node.func.id)(*(walk(argument, known) for argument in node.args))


def compile_numpy(expression):
    """A program of the expression, with everything in it that does not depend on the parameters computed once."""
    constants = {}
    body = fold(expression.tree, expression, constants)
    source = ast.Expression(ast.Lambda(arguments(expression.names), body))
    scope = {name: getattr(numpy, name) for name in FUNCTIONS}
    scope.update(constants)
    return eval(compile(ast.fix_missing_locations(source), "<expression>", "eval"), scope)


def fold(node, expression, constants):
    """The node with its constant parts replaced by names of arrays."""
    names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)} - set(FUNCTIONS)
    if names and not names & set(expression.names):
        name = f"constant_{len(constants)}"
        constants[name] = walk(node, {"energy": expression.energy, "time": expression.time})
        return ast.Name(name, ast.Load())
    if isinstance(node, ast.BinOp):
        return ast.BinOp(fold(node.left, expression, constants), node.op, fold(node.right, expression, constants))
    if isinstance(node, ast.UnaryOp):
        return ast.UnaryOp(node.op, fold(node.operand, expression, constants))
    if isinstance(node, ast.Call):
        return ast.Call(node.func, [fold(argument, expression, constants) for argument in node.args], [])
    return node


def arguments(names):
    """The arguments of a lambda."""
    return ast.arguments(posonlyargs=[], args=[ast.arg(name) for name in names], kwonlyargs=[], kw_defaults=[], defaults=[])


def run_compiled(expression, program, values):
    """One evaluation of a compiled program."""
    return numpy.broadcast_to(program(*values), expression.shape)


def compile_jax(expression):
    """The expression as a function that JAX compiles at its first call."""
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    scope = {name: getattr(jnp, name) for name in FUNCTIONS}
    source = compile(ast.Expression(expression.tree), "<expression>", "eval")
    energy, time, shape, names = expression.energy, expression.time, expression.shape, expression.names

    def evaluate(values):
        known = dict(zip(names, values), energy=energy, time=time)
        return jnp.broadcast_to(eval(source, scope, known), shape)

    return jax.jit(evaluate)


def residuals(evaluate, values, data):
    """What a fit makes small."""
    return (data - numpy.asarray(evaluate(values))).ravel()


def fit(evaluate, start, data, iterations=50):
    """Levenberg and Marquardt's damped least squares with differences for derivatives: (values, reduced chi-square)."""
    values = numpy.array(start, dtype=float)
    damping, best = 1e-3, residuals(evaluate, values, data)
    for _ in range(iterations):
        steps = 1e-6 * numpy.maximum(numpy.abs(values), 1e-3)
        slopes = [
            (residuals(evaluate, values + step * unit, data) - best) / step for step, unit in zip(steps, numpy.eye(len(values)))
        ]
        jacobian = numpy.array(slopes).T
        normal = jacobian.T @ jacobian
        change = numpy.linalg.solve(normal + damping * numpy.diag(numpy.diag(normal) + 1e-12), -jacobian.T @ best)
        trial = residuals(evaluate, values + change, data)
        if trial @ trial < best @ best:
            gained = 1 - (trial @ trial) / (best @ best)
            values, best, damping = values + change, trial, damping / 3
            if gained < 1e-12:
                break
        elif damping > 1e9:
            break
        else:
            damping *= 4
    return values, best @ best / (best.size - len(values))
