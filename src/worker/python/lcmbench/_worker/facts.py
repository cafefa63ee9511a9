"""What the import of the suite left behind: the last event of discovery."""

import sys

from lcmbench._worker.forksafety import unsafe_reason
from lcmbench._worker.imported import foreign_packages, place_of_package, strays
from lcmbench._worker.jaximports import jax_imports
from lcmbench._worker.walk import suite_modules


def facts_of_import(suite, package):
    """The fields of `discovered`; `package` is the name of the package that is measured, if one was named."""
    reason = unsafe_reason()
    modules = suite_modules(suite)
    package_file = place_of_package(package) if package else None
    return {
        "fork_safe": reason is None,
        "fork_reason": reason or "the import of the suite left nothing that a fork would break",
        "jax_imports": jax_imports(modules),
        "loaded_jax": "jax" in sys.modules,
        "modules": modules,
        "imported": foreign_packages(suite),
        "package_file": package_file,
        "package_strays": strays(package, package_file),
    }
