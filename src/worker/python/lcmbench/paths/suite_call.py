"""One benchmark of a suite, set up to be called again and again under a profiler."""

import os
import pickle
import time
from itertools import repeat

from lcmbench._worker.benchmark import Skip
from lcmbench._worker.device import arrays_in, wait
from lcmbench._worker.imports import clean_module_path, install_finders
from lcmbench._worker.interpreter import installed_packages
from lcmbench._worker.job import says_skip
from lcmbench._worker.kinds import Time
from lcmbench._worker.rules import Rules
from lcmbench._worker.suite import Suite
from lcmbench.paths.model import Unavailable
from lcmbench.paths.sentences import Sentence

PACKAGE_FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

# Seconds of calls before the loop, if these suffice for more than the one that there always is.
WARM_UP = 0.1

# Calls between two looks at the clock take at least so many seconds, once it is known how long one takes.
BLOCK = 0.02


class NoSuchCall(Sentence):
    """The benchmark cannot be called by itself; the message is a sentence."""


class SuiteCall:
    """A benchmark with one combination of its parameters. Its setup has run once this is made."""

    def __init__(self, benchmark_dir, name, combination, setup_scope, device_sync):
        clean_module_path()
        folder = os.path.abspath(benchmark_dir)
        install_finders(PACKAGE_FOLDER, folder)
        packages = installed_packages()
        rules = Rules(packages.get("asv-runner"))
        suite = Suite(folder, rules)
        suite.add_plugins(packages, lambda module, name, error: None)
        self._benchmark = benchmark = suite.find(name)
        if not benchmark.can_profile:
            raise NoSuchCall(f"{name} runs code in an interpreter of its own, which cannot be looked into from here")
        scope = rules.setup_scope if setup_scope == "auto" else setup_scope
        # As in a run: a timing may have its setup before each call, all else is set up once.
        self._renews = scope == "call" and isinstance(benchmark, Time) and bool(benchmark.setups)
        self._waits = device_sync
        cache = None
        if benchmark.setup_cache is not None:
            # What a run gets has been through a file.
            cache = pickle.loads(pickle.dumps(benchmark.make_cache()))
            self._benchmark = benchmark = suite.find(name)
        try:
            benchmark.choose(combination, cache)
            self._set_up()
        except Skip as skip:
            raise Unavailable(str(skip)) from skip
        self._fresh = True
        self._call = benchmark.call

    def warm_up(self):
        """Calls it at least once; returns how often. Looks at whether there is anything to wait for."""
        begun, calls = time.perf_counter(), 0
        while calls == 0 or time.perf_counter() - begun < WARM_UP:
            self._renew()
            try:
                output = self._benchmark.call()
            except Exception as error:
                if says_skip(error):
                    raise Unavailable(str(error) or repr(error)) from error
                raise
            if self._waits:
                wait(output)
            calls += 1
        if self._waits and arrays_in(output):
            self._call = lambda: wait(self._benchmark.call())
        return calls

    def repeat(self, calls, seconds):
        """So many calls, or as many as fit into so many seconds, but at least one: (calls, seconds that they took)."""
        begun, done, block = time.perf_counter(), 0, 1
        while True:
            started = time.perf_counter()
            number = block if calls is None else min(block, calls - done)
            self._run(number)
            done += number
            now = time.perf_counter()
            if done == calls or (calls is None and now - begun >= seconds):
                return done, now - begun
            if now - started < BLOCK:
                block *= 2

    def _set_up(self):
        """A setup that says that it does not apply here is torn down, one that fails is not: as in a run."""
        try:
            self._benchmark.set_up()
        except Skip:
            self._benchmark.tear_down()
            raise

    def release(self):
        """Tears it down."""
        self._benchmark.tear_down()

    def _run(self, calls):
        call = self._call
        if not self._renews:
            for _ in repeat(None, calls):
                call()
            return
        for _ in repeat(None, calls):
            self._renew()
            call()

    def _renew(self):
        """Tears down and sets up again before all calls but the first, where each has a setup of its own."""
        if self._renews and not self._fresh:
            self._benchmark.renew()
        self._fresh = False
