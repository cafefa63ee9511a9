"""What a fixture declares and cannot mean is said in a sentence."""

import unittest

import package  # noqa: F401
from lcmbench.paths import Function, ModelPaths, NoFixture, Parameter, Path
from lcmbench.paths import declarations
from lcmbench.paths.declarations import DeclarationError


class Line(ModelPaths):
    number = 1
    name = "line"

    def paths(self):
        return [Path("compiled", list, len), Path("interpreter", list, len)]

    def parameters(self):
        return [Parameter("a", 1.0, 0.0, 2.0)]


def returning(**members):
    """A fixture whose members return these values."""
    return type("Line", (Line,), {name: (lambda value: lambda self: value)(value) for name, value in members.items()})()


class Declarations(unittest.TestCase):
    def said(self, check, *arguments):
        with self.assertRaises(DeclarationError) as raised:
            check(*arguments)
        return str(raised.exception)

    def test_what_is_right_is_taken(self):
        self.assertEqual(list(declarations.paths_of(Line())), ["compiled", "interpreter"])
        self.assertEqual([parameter.name for parameter in declarations.parameters_of(Line())], ["a"])
        self.assertEqual(declarations.functions_of(Line(), "counted"), [])
        gone = [*Line().paths(), Path("remote", None, None, unavailable="not installed")]
        self.assertEqual(list(declarations.paths_of(returning(paths=gone))), ["compiled", "interpreter", "remote"])
        self.assertEqual(declarations.notes_of(returning(notes="one line")), ["one line"])
        self.assertEqual(declarations.notes_of(returning(notes=["a", 2])), ["a", "2"])
        declarations.check_all([Line(), NoFixture(2, "two", "is not meant")], "module")

    def test_paths(self):
        def said(*paths):
            return self.said(declarations.paths_of, returning(paths=list(paths)))

        fine, other = Path("compiled", list, len), Path("interpreter", list, len)
        self.assertEqual(self.said(declarations.paths_of, returning(paths=5)), "paths() of line must return a list, not an int")
        self.assertEqual(said(fine, other, "x"), "paths() of line must return a list of Path, not one that holds a str")
        self.assertEqual(said(fine, other, fine), "paths() of line: two have the label `compiled`")
        self.assertEqual(said(Path(None, list, len)), "paths() of line: the label of a Path must be a text, not None")
        self.assertEqual(said(Path("compiled", None, len)), "`build` of the path `compiled` of line must be a function, not None")
        self.assertEqual(said(Path("compiled", list, 3)), "`evaluate` of the path `compiled` of line must be a function, not an int")
        unavailable = Path("interpreter", list, len, unavailable=lambda: "no")
        self.assertEqual(said(fine, unavailable), "`unavailable` of the path `interpreter` of line must be a reason or None, not a function")
        self.assertEqual(said(fine), "`reference` of line is `interpreter`, which is none of its paths: compiled")

    def test_parameters(self):
        def said(*parameters):
            return self.said(declarations.parameters_of, returning(parameters=list(parameters)))

        self.assertEqual(said("a"), "parameters() of line must return a list of Parameter, not one that holds a str")
        self.assertEqual(said(Parameter("a", 1.0), Parameter("a", 2.0)), "parameters() of line: two have the name `a`")
        self.assertEqual(said(Parameter("a", float("nan"))), "the value of the parameter `a` of line is nan")
        bounds = said(Parameter("a", 1.0, 5.0, 0.0))
        self.assertEqual(bounds, "the bounds of the parameter `a` of line are 5.0 and 0.0: the first must be below the second")

    def test_functions_and_texts(self):
        def said(value):
            return self.said(declarations.functions_of, returning(counted=value), "counted")

        self.assertEqual(said("abc"), "counted() of line must return a list, not a str")
        self.assertEqual(said([Function("x", unittest, "no_such")]), "counted() of line: unittest has no `no_such`")
        same = [Function("x", unittest, "main"), Function("x", unittest, "skip")]
        self.assertEqual(said(same), "counted() of line: two have the label `x`")
        definition = self.said(declarations.definition_of, returning(definition=5))
        self.assertEqual(definition, "definition() of line must return a text, not an int")

    def test_fixtures_that_cannot_be_told_apart(self):
        def numbered(number, **attributes):
            return type("Other", (Line,), {"number": number, **attributes})()

        def said(*fixtures):
            return self.said(declarations.check_all, fixtures, "module")

        self.assertEqual(said(Line(), numbered(1, name="b")), "module: the fixtures line and b have the same number 1")
        self.assertEqual(said(Line(), numbered(2)), "module: the fixtures 1 and 2 have the same name line")
        for number in (None, 0, -1, True, "1", 1.0, 10**12):
            self.assertEqual(said(numbered(number)), "module: the fixture line needs a `number` of at least 1")
        self.assertEqual(said(numbered(3, exercises=5)), "`exercises` of line must be words, not an int")
        self.assertEqual(declarations.words_of(numbered(3, exercises=None)), [])


if __name__ == "__main__":
    unittest.main()
