"""The variables of one job, set before it imports or runs anything."""

import os
import sys

# Variables that JAX reads when it is imported, and the option behind each. A server that has imported JAX has read them already.
JAX_OPTIONS = {
    "JAX_COMPILATION_CACHE_DIR": ("jax_compilation_cache_dir", str),
    "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": ("jax_persistent_cache_min_compile_time_secs", float),
    "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": ("jax_persistent_cache_min_entry_size_bytes", int),
}


def set_variables(variables):
    """Sets them in this process, and in JAX where that is loaded."""
    os.environ.update(variables)
    jax = sys.modules.get("jax")
    config = getattr(jax, "config", None)
    if config is None:
        return
    for name, (option, kind) in JAX_OPTIONS.items():
        if name in variables:
            try:
                config.update(option, kind(variables[name]))
            except AttributeError:
                # An older JAX, which does not have the option.
                pass
