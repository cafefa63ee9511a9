"""The peak of device memory of one benchmark, taken in a fresh process."""

import json
import os
import pickle
import subprocess
import sys
import tempfile

from lcmbench._gpu.environment import allocator_mode, peak_environment
from lcmbench._gpu.notapplicable import NotApplicable
from lcmbench._worker import remarks


class PeakError(RuntimeError):
    """The peak could not be taken; the message has the end of what the process printed."""


def peak_gpu_bytes(module, cls, *values, preallocate=True):
    """The most device memory that one cold run of a benchmark has in use, in bytes; of several devices the one with most.

    A fresh process imports `module` (of the suite, or importable from the project's folder), makes an instance of the class `cls`, calls its
    `setup_for_gpu_measurement`, or without one its `setup`, and then `execute_for_measurement` once, each with `values`. The peak covers both.
    Raises NotApplicable where JAX has no GPU, and PeakError where the process fails.
    """
    with tempfile.TemporaryDirectory(prefix="lcmbench-peak-") as folder:
        environment = peak_environment(os.environ, preallocate, folder)
        answer, printed, status = ask(environment, [module, cls, values])
    if answer is None:
        raise PeakError(f"the process that measures the peak of {module}.{cls} ended with status {status} and told none:\n{printed}")
    if "error" in answer:
        raise PeakError(f"the peak of {module}.{cls} cannot be taken: {answer['error']}\n{printed}")
    if "not_applicable" in answer:
        raise NotApplicable(f"not applicable: {answer['not_applicable']}")
    remarks.fact("allocator", allocator_mode(environment))
    return answer["peak"]


def ask(environment, work):
    """Runs the process and returns its answer (or None), the end of what it printed, and its status. The answer has a descriptor of its own,
    since suites print what they like."""
    here = os.path.dirname(os.path.abspath(__file__))
    reading, writing = os.pipe()
    try:
        with os.fdopen(reading, "rb") as answers:
            child = subprocess.Popen(
                [sys.executable, os.path.join(here, "peak_main.py"), str(writing)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=environment,
                pass_fds=[writing],
            )
            os.close(writing)
            writing = None
            printed, _ = child.communicate(pickle.dumps({"work": work, **places()}))
            line = answers.read()
    finally:
        if writing is not None:
            os.close(writing)
    text = printed.decode("utf-8", "replace")[-4000:]
    try:
        return json.loads(line), text, child.returncode
    except ValueError:
        return None, text, child.returncode


def places():
    """Where the fresh process finds what this one finds."""
    from lcmbench._worker.imports import installed_folders

    package, suite, project = installed_folders()
    return {"package": package, "suite": suite, "project": project}
