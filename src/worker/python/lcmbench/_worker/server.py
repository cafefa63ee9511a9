"""The worker's life: requests in, work, events out."""

import gc
import os
import sys

# Not `signal`, whose enumerations cost milliseconds.
import _signal as signal

from lcmbench._worker import lifeline
from lcmbench._worker.errors import describe
from lcmbench._worker.fork import own_group
from lcmbench._worker.imports import clean_module_path, install_finders
from lcmbench._worker.interpreter import facts, installed_packages
from lcmbench._worker.job import Job, run_job
from lcmbench._worker.protocol import Channel
from lcmbench._worker.reporter import Reporter
from lcmbench._worker.rules import Rules
from lcmbench._worker.suite import Suite
from lcmbench._worker.walk import SuiteError, module_below


def serve(package_folder, control, events):
    """Answers requests until there are no more, or until one of them ends the process."""
    settle_process()
    channel = Channel(control, events)
    worker = Worker(package_folder, channel)
    try:
        for request in channel.requests():
            if not worker.answer(request):
                return
    except BrokenPipeError:
        # The parent is gone, and with it everybody who could want an answer.
        return


def settle_process():
    """Own process group, no signals blocked or ignored that the parent happened to block or ignore, a traceback on a crash."""
    import faulthandler

    own_group(0)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD, signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv[1:] = []
    try:
        faulthandler.enable()
    except (RuntimeError, AttributeError, ValueError, OSError):
        # Standard error is closed.
        pass


class Worker:
    """What one worker knows. `answer` returns whether it goes on."""

    def __init__(self, package_folder, channel):
        self._package_folder = package_folder
        self._channel = channel
        self._suite = None
        self.package = None
        # Where the discovery found it.
        self.package_file = None
        # What is checked out, for the modules of the package.
        self.checkout = None
        self._rules = None
        self._forks = None
        self.setup_scope = None
        self.device_sync = False

    def answer(self, request):
        kind = request.get("request")
        if kind == "quit":
            return False
        if kind == "configure":
            self._configure(request)
        elif self._suite is None:
            self._refuse("`configure` must come first.")
        elif kind == "discover":
            self._discover()
        elif kind == "fork":
            self._fork(request["job"])
        elif kind == "run":
            lifeline.hold_to_parent(self._channel.control)
            self._run(request["job"])
            return False
        else:
            self._refuse(f"There is no request `{kind}`.")
        return True

    def _refuse(self, message, job=None):
        self._channel.send("suite_error", message=message, id=job)

    def _configure(self, request):
        clean_module_path()
        packages = installed_packages()
        self._rules = rules = Rules(packages.get("asv-runner"))
        scope = request.get("setup_scope") or "auto"
        self.setup_scope = rules.setup_scope if scope == "auto" else scope
        self.device_sync = bool(request.get("device_sync"))
        self.package = request.get("package")
        self.package_file = request.get("package_file")
        self.checkout = request.get("checkout")
        pin(request.get("cpu_affinity"))
        folder = os.path.abspath(request["benchmark_dir"])
        install_finders(self._package_folder, folder)
        self._suite = Suite(folder, rules)
        self._packages = packages
        self._channel.send("hello", **facts(packages), setup_scope=self.setup_scope)

    def _discover(self):
        try:
            self._suite.add_plugins(self._packages, self._broken)
            self._suite.discover(self._found, self._broken)
        except SuiteError as error:
            self._refuse(str(error))
            return
        from lcmbench._worker.facts import facts_of_import

        found = facts_of_import(self._suite.name, self.package)
        self.package_file = found["package_file"]
        self._channel.send("discovered", **found)
        self._suite.preload()
        from lcmbench._worker.forks import Forks
        from lcmbench._worker.rehearsal import settle

        settle(self._understudy, self._rules)
        self._forks = Forks(self._channel, self._run, lifeline.Lifeline())
        # What is here now is shared with every child; the collector need not look at it again.
        gc.freeze()

    def _found(self, fields):
        self._channel.send("benchmark", **fields)

    def _broken(self, module, name, error):
        self._channel.send("module_error", module=module_below(module), object=name, error=describe(error))

    def _understudy(self, channel, suite):
        """A worker like this one, with another channel and another suite, for a rehearsal."""
        other = Worker(self._package_folder, channel)
        other._suite = suite
        other.setup_scope = self.setup_scope
        return other

    def _fork(self, job):
        if self._forks is None:
            self._refuse("`fork` comes after `discover`.", job["id"])
            return
        try:
            self._forks.answer(job)
        except OSError as error:
            self._refuse(f"No process can be forked: {error}.", job["id"])

    def _run(self, fields):
        reporter = Reporter(self._channel, fields["id"])
        reporter.started(os.getpid())
        if fields.get("environment"):
            from lcmbench._worker.variables import set_variables

            set_variables(fields["environment"])
        if not self._suite.discovered:
            self._suite.add_plugins(self._packages, ignore)
        run_job(Job(fields, self), self._suite, reporter)


def ignore(module, name, error):
    """A plug-in that cannot be imported is said at discovery; a single benchmark may do without it."""


def pin(processors):
    """Keeps this process, and what it starts, on the given processors. As in asv, failing to is no error."""
    if not processors:
        return
    try:
        os.sched_setaffinity(0, processors)
    except (AttributeError, OSError, ValueError) as error:
        print(f"lcmbench: cannot set the CPU affinity to {processors}: {error}", file=sys.stderr)
