"""Facts about the interpreter and what is installed in its environment, without importing any of it."""

import os
import sys


def facts(packages):
    """The part of `hello` that describes the interpreter."""
    return {
        "python": ".".join(map(str, sys.version_info[:3])),
        "implementation": sys.implementation.name,
        "executable": sys.executable,
        "prefix": sys.prefix,
        "pid": os.getpid(),
        "asv_runner": packages.get("asv-runner"),
        "packages": packages,
    }


def installed_packages(path=None):
    """Normalised name to version of every installed distribution, read off the names of the metadata folders. The first on the module
    path wins."""
    found = {}
    for folder in sys.path if path is None else path:
        try:
            entries = sorted(os.listdir(folder or "."))
        except OSError:
            continue
        for entry in entries:
            name, version = distribution_of(folder, entry)
            if name and name not in found:
                found[name] = version
    return found


def distribution_of(folder, entry):
    """The normalised name and the version that a metadata folder stands for; (None, None) for any other file."""
    stem, dot, kind = entry.rpartition(".")
    if not dot or kind not in ("dist-info", "egg-info"):
        return None, None
    name, _, rest = stem.partition("-")
    if name.startswith("~"):
        # What an interrupted uninstallation left behind.
        return None, None
    version = rest.partition("-")[0] if kind == "egg-info" else rest
    return normalised(name), version or stated_version(os.path.join(folder, entry))


def stated_version(folder):
    """The version in the metadata of a development install, whose folder has no version in its name."""
    for name in ("PKG-INFO", "METADATA"):
        try:
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as metadata:
                for line in metadata:
                    if line.startswith("Version:"):
                        return line.partition(":")[2].strip()
        except OSError:
            continue
    return ""


def normalised(name):
    """A distribution's name in the form of PEP 503."""
    parts = name.lower().replace("_", "-").replace(".", "-").split("-")
    return "-".join(part for part in parts if part)
