"""What a fixture declares, checked before anything of it is measured."""

import math

from lcmbench.paths.model import Function, ModelPaths, NoFixture, Parameter, Path
from lcmbench.paths.sentences import Sentence

# Numbers of examples are typed by people.
LARGEST_NUMBER = 10**9


class DeclarationError(Sentence):
    """A fixture declares something that it cannot mean; the message is a sentence."""


def name_of(fixture):
    """The name of a fixture in reports."""
    return str(getattr(fixture, "name", None) or type(fixture).__name__)


def check_all(fixtures, module):
    """Raises DeclarationError for what is no fixture, and for fixtures that cannot be told apart."""
    numbers, names = {}, {}
    for fixture in fixtures:
        if not isinstance(fixture, (ModelPaths, NoFixture)):
            raise DeclarationError(f"{module}: {fixture!r} does not derive from lcmbench.paths.ModelPaths")
        shown, number = name_of(fixture), fixture.number
        if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= LARGEST_NUMBER:
            raise DeclarationError(f"{module}: the fixture {shown} needs a `number` of at least 1")
        if number in numbers:
            raise DeclarationError(f"{module}: the fixtures {numbers[number]} and {shown} have the same number {number}")
        if shown in names:
            raise DeclarationError(f"{module}: the fixtures {names[shown]} and {number} have the same name {shown}")
        numbers[number], names[shown] = shown, number
        words_of(fixture)


def words_of(fixture):
    """What a fixture exercises: a list of words."""
    words = getattr(fixture, "exercises", None) or ()
    if isinstance(words, str):
        return [words]
    if not isinstance(words, (list, tuple, set, frozenset)):
        raise DeclarationError(f"`exercises` of {name_of(fixture)} must be words, not {kind_of(words)}")
    return [str(word) for word in words]


def paths_of(fixture):
    """The paths by label. The reference and the compiled one are among them."""
    paths = declared(fixture, "paths", Path, "label")
    for path in paths.values():
        shown = f"the path `{path.label}` of {name_of(fixture)}"
        # One that cannot be had needs neither.
        for role in () if path.unavailable else ("build", "evaluate"):
            if not callable(getattr(path, role)):
                raise DeclarationError(f"`{role}` of {shown} must be a function, not {kind_of(getattr(path, role))}")
        if path.unavailable is not None and not (isinstance(path.unavailable, str) and path.unavailable):
            raise DeclarationError(f"`unavailable` of {shown} must be a reason or None, not {kind_of(path.unavailable)}")
    for role in ("reference", "compiled"):
        label = getattr(fixture, role)
        if label not in paths:
            raise DeclarationError(f"`{role}` of {name_of(fixture)} is `{label}`, which is none of its paths: {', '.join(paths)}")
    return paths


def parameters_of(fixture):
    """The parameters in the model's order, with values and bounds that make sense."""
    parameters = list(declared(fixture, "parameters", Parameter, "name").values())
    for parameter in parameters:
        shown = f"the parameter `{parameter.name}` of {name_of(fixture)}"
        if not math.isfinite(parameter.value):
            raise DeclarationError(f"the value of {shown} is {parameter.value}")
        if not parameter.low < parameter.high:
            raise DeclarationError(f"the bounds of {shown} are {parameter.low} and {parameter.high}: the first must be below the second")
    return parameters


def functions_of(fixture, member):
    """The functions that `counted` or `planning` names."""
    functions = list(declared(fixture, member, Function, "label").values())
    for function in functions:
        if not hasattr(function.owner, function.name):
            owner = getattr(function.owner, "__name__", kind_of(function.owner))
            raise DeclarationError(f"{member}() of {name_of(fixture)}: {owner} has no `{function.name}`")
    return functions


def notes_of(fixture):
    """Lines for the head of the report."""
    notes = fixture.notes()
    return [notes] if isinstance(notes, str) else [str(note) for note in items_of(fixture, "notes", notes)]


def definition_of(fixture):
    """The text that stands for what is measured."""
    definition = fixture.definition()
    if not isinstance(definition, str):
        raise DeclarationError(f"definition() of {name_of(fixture)} must return a text, not {kind_of(definition)}")
    return definition


def declared(fixture, member, kind, key):
    """What a member function returns, by a text that tells its items apart."""
    found = {}
    for item in items_of(fixture, member, getattr(fixture, member)()):
        where = f"{member}() of {name_of(fixture)}"
        if not isinstance(item, kind):
            raise DeclarationError(f"{where} must return a list of {kind.__name__}, not one that holds {kind_of(item)}")
        text = getattr(item, key)
        if not isinstance(text, str) or not text.strip():
            raise DeclarationError(f"{where}: the {key} of a {kind.__name__} must be a text, not {text!r}")
        if text in found:
            raise DeclarationError(f"{where}: two have the {key} `{text}`")
        found[text] = item
    return found


def items_of(fixture, member, items):
    """A list of what a member function returned."""
    if isinstance(items, (str, bytes)):
        raise DeclarationError(f"{member}() of {name_of(fixture)} must return a list, not {kind_of(items)}")
    try:
        return list(items)
    except TypeError:
        raise DeclarationError(f"{member}() of {name_of(fixture)} must return a list, not {kind_of(items)}") from None


def kind_of(value):
    """A value's type for people."""
    return "None" if value is None else f"{'an' if type(value).__name__[0] in 'aeiou' else 'a'} {type(value).__name__}"
