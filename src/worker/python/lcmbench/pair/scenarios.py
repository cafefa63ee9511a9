"""Scenarios: named workloads that are measured on an exact base and an exact head."""

import inspect

BACKENDS = ("cpu", "gpu")


class ScenarioError(Exception):
    """A declaration or a workload that cannot be measured; the message is a sentence for its author."""


class Workload:
    """What a builder returns.

    * `run`: called without arguments, this is what is timed; JAX arrays in what it returns are waited for.
    * `outputs`: a tree (dicts, lists, tuples, dataclasses, NamedTuples) of arrays, or a function that returns one; by default what
      `run` returns.
    * `cores`: the compiled programs by name: anything with `as_text()` and `memory_analysis()`, as `jax.jit(f).lower(x).compile()` is.
    * `declarations`: how each named target says that it is executed, a plain dict each.
    """

    def __init__(self, run, outputs=None, cores=None, declarations=None):
        self.run = run
        self.outputs = outputs
        self.cores = dict(cores or {})
        self.declarations = dict(declarations or {})


class Scenario:
    """A named workload and what is demanded of it."""

    def __init__(self, name, build, backends, cpu_devices, expects, tolerance, forbid_collectives):
        self.name = name
        self.build = build
        self.backends = tuple(backends)
        self.cpu_devices = cpu_devices
        self.expects = dict(expects or {})
        self.tolerance = tolerance
        self.forbid_collectives = bool(forbid_collectives)
        self.check()

    def check(self):
        """Refuses what nobody could measure."""
        allowed = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
        if not self.name or set(self.name) - allowed or self.name.startswith("."):
            raise ScenarioError(f"`{self.name}` is no name of a scenario: letters, digits, `-`, `_` and `.` are")
        unknown = [backend for backend in self.backends if backend not in BACKENDS]
        if unknown or not self.backends:
            raise ScenarioError(f"scenario `{self.name}`: backends are `cpu` and `gpu`, not {self.backends!r}")
        if self.cpu_devices is not None and (not isinstance(self.cpu_devices, int) or self.cpu_devices < 1):
            raise ScenarioError(f"scenario `{self.name}`: cpu_devices is a number of devices, not {self.cpu_devices!r}")
        for precision in (32, 64):
            self.limits(precision)

    def limits(self, precision):
        """The tolerances at one precision: a dict of `absolute`, `relative` and `ulp`; exact where none are stated."""
        stated = self.tolerance or {}
        if set(stated) & {32, 64}:
            stated = stated.get(precision, {})
        unknown = set(stated) - {"absolute", "relative", "ulp"}
        if unknown:
            raise ScenarioError(f"scenario `{self.name}`: a tolerance has `absolute`, `relative` and `ulp`, not {sorted(map(str, unknown))}")
        return {name: float(stated.get(name, 0.0)) for name in ("absolute", "relative", "ulp")}

    def entry(self, precision):
        """What the parent needs to know of it."""
        return {
            "name": self.name,
            "backends": list(self.backends),
            "cpu_devices": self.cpu_devices,
            "expects": self.expects,
            "tolerance": self.limits(precision),
            "forbid_collectives": self.forbid_collectives,
        }


# In the order of their declaration.
REGISTERED = []


def scenario(name, *, backends=BACKENDS, cpu_devices=None, expects=None, tolerance=None, forbid_collectives=False):
    """Declares a scenario. The decorated function takes `precision` (32 or 64) and `seed` and returns a `Workload`.

    With `cpu_devices` the scenario always runs on exactly that many CPU devices, whatever backend is asked for; they exist before JAX is
    imported. `expects` holds, for each named target, the declaration of its execution that head must have. `tolerance` has `absolute`,
    `relative` and `ulp`, or holds such a dict for each of the precisions 32 and 64. With `forbid_collectives` no compiled core of head may
    communicate.
    """

    def register(build):
        if inspect.isgeneratorfunction(build):
            raise ScenarioError(f"scenario `{name}`: its builder is a generator; it must return a Workload")
        found = Scenario(name, build, backends, cpu_devices, expects, tolerance, forbid_collectives)
        if any(other.name == name for other in REGISTERED):
            raise ScenarioError(f"there are two scenarios `{name}`")
        REGISTERED.append(found)
        return build

    return register
