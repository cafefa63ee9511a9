"""A stand-in for the worker: speaks the protocol, and misbehaves as the name of the benchmark says.

Called as `fake.py <mode> <main.py> <control> <events>`.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import time

mode, control, events = sys.argv[1], int(sys.argv[3]), int(sys.argv[4])
for descriptor in (control, events):
    os.set_inheritable(descriptor, False)


def say(event, **fields):
    os.write(events, ("\n%s\n" % json.dumps(dict(event=event, **fields))).encode())


def work(job, forked):
    number = job["id"]

    def result(value):
        say("result", id=number, benchmark=job["benchmarks"][0], value=value, flags=[])

    def die(signal_number):
        os.kill(os.getpid(), signal_number)

    what = job["benchmarks"][0]
    say("started", id=number, pid=os.getpid())
    if what == "ok":
        result(1)
    elif what == "where":
        result([os.getcwd(), os.listdir(".")])
    elif what == "environment":
        result(dict(os.environ))
    elif what == "fork_crash":
        if forked:
            die(signal.SIGSEGV)
        result("spawned")
    elif what == "crash":
        die(signal.SIGSEGV)
    elif what == "late_crash":
        result(1)
        die(signal.SIGSEGV)
    elif what == "kill_server":
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)
    elif what == "last_words":
        # The server is gone by the next job.
        subprocess.Popen(["sh", "-c", "sleep 0.1; kill -9 %d" % os.getppid()])
        result(1)
    elif what == "half_a_line":
        os.write(events, b'\n{"event": "result", "id": 1, "val')
        os._exit(3)
    elif what == "other_job":
        say("result", id=number + 1, benchmark="other", value=1, flags=[])
        say("exited", id=number - 1, pid=1, status=0, max_rss=0)
        result(2)
    elif what == "silent":
        pass
    elif what == "hang":
        print("hanging", flush=True)
        time.sleep(60)
    else:
        raise SystemExit("unknown benchmark")


if mode == "mute":
    time.sleep(60)
elif mode == "babble":
    print("no worker here")
    sys.exit(4)

name = {"request": None}
stream = os.fdopen(control)
while True:
    line = stream.readline()
    if not line:
        break
    request = json.loads(line)
    name = request["request"]
    if name == "configure":
        version = "3.8.1" if mode == "old" else "3.12.0"
        say("hello", python=version, setup_scope="sample")
    elif name == "discover":
        if mode == "broken":
            say("suite_error", message="no __init__.py", id=None)
            continue
        if mode == "die_importing":
            os._exit(5)
        say("benchmark", record={"name": "ok"})
        safe = mode != "unsafe"
        say("discovered", fork_safe=safe, fork_reason="one thread" if safe else "two threads")
    elif name == "fork":
        job = request["job"]
        if job["benchmarks"] == ["refuse"]:
            say("suite_error", message="too many processes", id=job["id"])
            continue
        if job["benchmarks"] == ["before_start"] and not os.path.exists(job["attributes"]["flag"]):
            open(job["attributes"]["flag"], "w").close()
            os._exit(6)
        if job["benchmarks"] == ["before_start"]:
            job["benchmarks"] = ["ok"]
        child = os.fork()
        if not child:
            os.setpgid(0, 0)
            os.chdir(job["cwd"])
            work(job, True)
            os._exit(0)
        pid, status, usage = os.wait4(child, 0)
        say("exited", id=job["id"], pid=pid, status=status, max_rss=usage.ru_maxrss * 1024)
    elif name == "run":
        os.chdir(request["job"]["cwd"])
        work(request["job"], False)
        break
