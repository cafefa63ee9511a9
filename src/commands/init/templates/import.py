"""What it costs to start."""


def timeraw_import():
    """The import of the package in a fresh Python."""
    return "import PACKAGE"
