"""Parameters: axes, their names, the strings that stand for values, and the order of combinations."""

from lcmbench._worker.expected import WrongAttribute, as_list


class Parameters:
    """The axes of one benchmark. A combination's index counts through the axes with the last one fastest."""

    def __init__(self, values, names):
        self.axes = as_axes(values)
        self.names = as_names(names, len(self.axes))

    def strings(self):
        """For each axis the strings that stand for its values in records and results."""
        return [number_duplicates([clean_repr(value) for value in axis]) for axis in self.axes]

    def count(self):
        """How many combinations there are."""
        total = 1
        for axis in self.axes:
            total *= len(axis)
        return total

    def combination(self, index):
        """The values of one combination."""
        if not 0 <= index < self.count():
            raise ValueError(f"There is no parameter combination {index}; the benchmark has {self.count()}.")
        values = []
        for axis in reversed(self.axes):
            index, place = divmod(index, len(axis))
            values.append(axis[place])
        return tuple(reversed(values))

    def indices_of(self, combinations):
        """The indices of the combinations that occur in a collection of tuples of values."""
        if not combinations or not self.axes:
            return []
        from itertools import product

        wanted = quick_to_search(as_tuples(combinations))
        return [index for index, values in enumerate(product(*self.axes)) if values in wanted]


def as_tuples(combinations):
    """What `skip_params` holds. Raises WrongAttribute."""
    try:
        return [tuple(combination) for combination in combinations]
    except TypeError:
        raise WrongAttribute("skip_params", combinations, "a list with one tuple of values for each combination") from None


def quick_to_search(combinations):
    """The same combinations as a set where all values can be hashed (a suite may have thousands), else as they are."""
    try:
        return set(combinations)
    except TypeError:
        return combinations


def as_axes(values):
    """A list of axes from what suites write: a list of values is one axis, a list that begins with a list or tuple is one axis each."""
    wanted = "a list of values, or a list with one list of values for each axis"
    values = as_list("params", values, wanted) if values is not None else []
    if not values:
        return []
    if not isinstance(values[0], (list, tuple)):
        return [values]
    return [as_list(f"params[{position}]", axis, "a list of values, as the first axis is") for position, axis in enumerate(values)]


def as_names(names, count):
    """As many names as there are axes: cut, or padded with `param1`, `param2`, ... by position."""
    names = [str(name) for name in as_list("param_names", names or [], "a list of names")[:count]]
    return names + [f"param{position + 1}" for position in range(len(names), count)]


def clean_repr(value):
    """`repr` of a value, without its address when that is the default form `<... at 0x...>`."""
    text = repr(value)
    address = f" at {hex(id(value))}>"
    if text.startswith("<") and text.endswith(address):
        return text[: -len(address)] + ">"
    return text


def number_duplicates(strings):
    """Appends ` (0)`, ` (1)`, ... to every string that occurs more than once."""
    totals = {}
    for text in strings:
        totals[text] = totals.get(text, 0) + 1
    if len(totals) == len(strings):
        return strings
    seen = {}
    numbered = []
    for text in strings:
        if totals[text] > 1:
            place = seen.get(text, 0)
            seen[text] = place + 1
            text = f"{text} ({place})"
        numbered.append(text)
    return numbered
