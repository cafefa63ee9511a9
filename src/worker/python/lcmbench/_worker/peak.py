"""The most memory that this process ever had in use."""

import sys


def peak_bytes():
    """High-water mark of resident memory in bytes. On Linux of this program alone: `ru_maxrss` outlives an exec, so that it would hold
    the peak of whatever process started this one."""
    peak = linux_peak()
    if peak is not None:
        return peak
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def linux_peak():
    """`VmHWM` of the kernel's status file, or None where there is none."""
    try:
        with open("/proc/self/status", "rb") as status:
            for line in status:
                if line.startswith(b"VmHWM:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return None
