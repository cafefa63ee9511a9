"""What depends on the installed `asv_runner`: a suite must be measured as that version would measure it."""


class Rules:
    """The differences between versions of `asv_runner`. Without one, the newest rules hold, but `setup` runs once a sample."""

    def __init__(self, version):
        number = release_of(version) if version else None
        newest = number is None
        # Records hold the function's own attributes.
        self.copies_attributes = newest or number >= (0, 3, 2)
        # The environment of a `timeraw_` benchmark is part of its version.
        self.versions_environment = newest or number >= (0, 2, 2)
        # Only functions, no methods, are set up before `setup_cache`.
        self.cache_after_functions_only = newest or number >= (0, 3, 1)
        # What `auto` comes to.
        self.setup_scope = "call" if number is not None and number >= (0, 3) else "sample"


def release_of(version):
    """The leading numbers of a version: `0.3.2rc1` is `(0, 3, 2)`."""
    numbers = []
    for part in version.split("."):
        digits = ""
        for character in part:
            if not character.isdigit():
                break
            digits += character
        if not digits:
            break
        numbers.append(int(digits))
        if digits != part:
            break
    return tuple(numbers)
