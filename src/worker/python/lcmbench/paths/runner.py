"""The life of the process that evaluates and fits: requests in, work, events out (`docs/paths.md`)."""

import os
import sys

from lcmbench._worker.errors import describe
from lcmbench._worker.imported import place_of_package
from lcmbench._worker.interpreter import facts, installed_packages
from lcmbench._worker.protocol import Channel
from lcmbench._worker.server import settle_process
from lcmbench.paths.bench import Bench, PathFailure
from lcmbench.paths.fixtures import entry_of, find_fixtures
from lcmbench.paths.model import NoFixture, Unavailable
from lcmbench.paths.run import SameStart
from lcmbench.paths.sentences import Sentence


class Refused(Sentence):
    """A request that cannot be done; the message is a sentence for the user."""


def serve(control, events):
    """Answers requests until there are no more."""
    settle_process()
    # Each fit on JAX is to pay for its own compilation.
    os.environ["JAX_ENABLE_COMPILATION_CACHE"] = "false"
    channel = Channel(control, events)
    runner = Runner(channel)
    try:
        for request in channel.requests():
            if not runner.answer(request):
                return
    except BrokenPipeError:
        # The parent is gone, and with it everybody who could want an answer.
        return


class Runner:
    """What the process knows. Every request gets exactly one event `answer`, `refused`, `failed` or `skipped`."""

    def __init__(self, channel):
        self._channel = channel
        self._fixtures = None
        self._settings = {}
        self._bench = None
        self._suite_call = None

    def answer(self, request):
        """Answers one request; returns whether there may be more."""
        kind = request.get("request")
        if kind == "quit":
            return False
        handler = getattr(self, f"_do_{kind}", None)
        try:
            if handler is None:
                raise Refused(f"there is no request `{kind}`")
            fields = handler(request)
        except Sentence as error:
            self._channel.send("refused", message=str(error))
        except (Unavailable, SameStart) as error:
            self._channel.send("skipped", reason=str(error))
        except PathFailure as error:
            self._channel.send("failed", reason=str(error), error=None)
        except (Exception, SystemExit) as error:
            self._channel.send("failed", reason=sentence_of(error), error=describe(error))
        else:
            self._channel.send("answer", **fields)
        return True

    def _do_configure(self, request):
        self._settings = request
        packages = installed_packages()
        package = request["package"]
        return {**facts(packages), "py_spy": find_py_spy(), "package_file": place_of_package(package) if package else None}

    def _do_list(self, request):
        return {"fixtures": [entry_of(fixture) for fixture in self._all()]}

    def _do_load(self, request):
        number = request["number"]
        fixture = self._fixture(number)
        if getattr(fixture, "error", None):
            raise Refused(fixture.error)
        self._bench = Bench(fixture)
        return self._bench.load()

    def _do_build(self, request):
        return self._loaded().build(request["path"])

    def _do_warm(self, request):
        return self._loaded().warm(request["path"], request["calls"])

    def _do_block(self, request):
        return self._loaded().block(request["path"], request["calls"])

    def _do_loop(self, request):
        return self._loaded().loop(request["path"], request["calls"])

    def _do_trace(self, request):
        allow_tracing()
        return {"pid": os.getpid()}

    def _do_compare(self, request):
        return self._loaded().compare(request["path"], request["against"])

    def _do_fit(self, request):
        return self._loaded().fit(request["path"], request["watch"], request["start"], request["known"])

    def _do_hello(self, request):
        return {}

    def _do_prepare(self, request):
        from lcmbench.paths.suite_call import SuiteCall

        os.chdir(request["cwd"])
        fields = ("benchmark_dir", "benchmark", "combination", "setup_scope", "device_sync")
        self._suite_call = SuiteCall(*(request[field] for field in fields))
        return {"warm_ups": self._suite_call.warm_up()}

    def _do_repeat(self, request):
        calls, seconds = self._prepared().repeat(request["calls"], request["seconds"])
        return {"calls": calls, "seconds": seconds}

    def _do_release(self, request):
        self._prepared().release()
        return {}

    def _prepared(self):
        if self._suite_call is None:
            raise Refused("`prepare` must come first")
        return self._suite_call

    def _loaded(self):
        if self._bench is None:
            raise Refused("`load` must come first")
        return self._bench

    def _all(self):
        if self._fixtures is None:
            settings = self._settings
            self._fixtures = find_fixtures(settings["directory"], settings["fixture"], settings["examples"])
        return self._fixtures

    def _fixture(self, number):
        """The fixture of a number. An unknown number is refused with the list of those there are."""
        found = [fixture for fixture in self._all() if fixture.number == number]
        if not found:
            raise Refused(f"there is no example {number}; there are:\n{listed(self._all())}")
        if len(found) > 1:
            raise Refused(f"several examples have the number {number}:\n{listed(found)}")
        if isinstance(found[0], NoFixture):
            usable = [fixture for fixture in self._all() if not isinstance(fixture, NoFixture)]
            raise Refused(f"example {number}, {found[0].name}, cannot be measured: {found[0].reason}; there are:\n{listed(usable)}")
        return found[0]


def listed(fixtures):
    """One line for each fixture."""
    lines = []
    for entry in map(entry_of, fixtures):
        about = entry["reason"] or ", ".join(entry["exercises"])
        lines.append(f"  {entry['number']:2}  {entry['name']}" + (f" ({about})" if about else ""))
    return "\n".join(lines)


def sentence_of(error):
    """The last line of a traceback: class and message."""
    described = describe(error)
    return f"{described['type']}: {described['message']}" if described["message"] else described["type"]


def allow_tracing():
    """Lets any process of this user look into this one, where the kernel (Yama) keeps that for its ancestors otherwise."""
    import ctypes

    set_ptracer, any_process = 0x59616D61, ctypes.c_ulong(-1)
    try:
        ctypes.CDLL(None).prctl(set_ptracer, any_process, 0, 0, 0)
    except (OSError, AttributeError):
        # Whether it is allowed all the same, the profiler will find out.
        pass


def find_py_spy():
    """The path of py-spy beside the interpreter or on PATH, or None."""
    import shutil

    beside = os.path.dirname(sys.executable)
    return shutil.which("py-spy", path=os.pathsep.join([beside, os.environ.get("PATH", os.defpath)]))
