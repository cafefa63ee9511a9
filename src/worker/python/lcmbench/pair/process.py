"""The life of one process of a pair: requests in, evidence out (`docs/paired.md`)."""

import os
import sys

from lcmbench._worker.errors import describe
from lcmbench._worker.imported import place_of_package
from lcmbench._worker.interpreter import facts, installed_packages
from lcmbench._worker.protocol import Channel
from lcmbench._worker.server import settle_process
from lcmbench.pair.measure import measure
from lcmbench.pair.scenarios import REGISTERED, ScenarioError


class Refused(Exception):
    """A request that cannot be done; the message is a sentence for the user."""


def serve(control, events):
    """Answers requests until there are no more."""
    settle_process()
    channel = Channel(control, events)
    process = Process()
    try:
        for request in channel.requests():
            if request.get("request") == "quit":
                return
            channel.send(**process.answer(request))
    except BrokenPipeError:
        # The parent is gone, and with it everybody who could want an answer.
        return


class Process:
    """What the process knows. Every request gets exactly one event `answer`, `refused` or `failed`."""

    def __init__(self):
        self._settings = {}

    def answer(self, request):
        """The event that answers one request."""
        handler = getattr(self, f"_do_{request.get('request')}", None)
        try:
            if handler is None:
                raise Refused(f"there is no request `{request.get('request')}`")
            return {"event": "answer", **handler(request)}
        except (Refused, ScenarioError) as error:
            return {"event": "refused", "message": str(error)}
        except (Exception, SystemExit) as error:
            described = describe(error)
            reason = f"{described['type']}: {described['message']}" if described["message"] else described["type"]
            return {"event": "failed", "reason": reason, "error": described}

    def _do_configure(self, request):
        """Puts the checkout first on the module path, and says who answers and what would be imported."""
        self._settings = request
        sys.path[:0] = [folder for folder in request["path"] if os.path.isdir(folder)]
        packages = installed_packages()
        package = request["package"]
        return {
            **facts(packages),
            "package_file": place_of_package(package) if package else None,
            "jax": packages.get("jax"),
            "jaxlib": packages.get("jaxlib"),
        }

    def _do_list(self, request):
        return {"scenarios": [found.entry(request["precision"]) for found in self._scenarios()]}

    def _do_backend(self, request):
        """Whether JAX finds devices of a backend."""
        import jax

        try:
            devices = jax.devices(request["backend"])
        except RuntimeError as error:
            raise Refused(str(error).splitlines()[0]) from None
        return {"devices": [str(device) for device in devices]}

    def _do_measure(self, request):
        named = [found for found in self._scenarios() if found.name == request["scenario"]]
        if not named:
            raise Refused(f"there is no scenario `{request['scenario']}`")
        return measure(named[0], request)

    def _scenarios(self):
        if not REGISTERED:
            for file in self._settings["scenarios"]:
                load_file(file)
            if not REGISTERED:
                raise Refused(f"{', '.join(self._settings['scenarios'])} declares no scenario")
        return REGISTERED


def load_file(file):
    """Runs a file of scenarios as a module. Modules beside it can be imported, but come after everything else."""
    from importlib.util import module_from_spec, spec_from_file_location

    folder, name = os.path.split(file)
    if folder not in sys.path:
        sys.path.append(folder)
    name = f"lcmbench_scenarios_{os.path.splitext(name)[0]}"
    spec = spec_from_file_location(name, file)
    if spec is None or not os.path.isfile(file):
        raise Refused(f"{file} is no file of Python")
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
