"""Several benchmarks of one class after one set-up: a model that compiles for two minutes compiles once."""

from lcmbench._worker.benchmark import Skip


def run_shared(job, benchmarks, cache, reporter):
    """Sets up module and instance once, runs every benchmark, tears down once. Each is reported as soon as it is done; one that fails
    does not keep the others from running. Nothing is set up again between samples, whatever the job's setup scope."""
    wanted = [benchmark for benchmark in benchmarks if chosen(job, benchmark, cache, reporter)]
    if not wanted:
        return
    leader = wanted[0]
    try:
        leader.set_up_common()
    except Skip as skip:
        for benchmark in wanted:
            reporter.skipped(benchmark.name, str(skip))
        leader.tear_down_common()
        return
    try:
        for benchmark in wanted:
            run_one(job, benchmark, reporter)
    finally:
        leader.tear_down_common()


def chosen(job, benchmark, cache, reporter):
    """Sets a benchmark's arguments; reports it and says no where the suite skips the combination."""
    try:
        benchmark.choose(job.combination, cache)
    except Skip as skip:
        reporter.skipped(benchmark.name, str(skip))
        return False
    except Exception as error:
        reporter.failed(benchmark.name, "exception", error)
        return False
    return True


def run_one(job, benchmark, reporter):
    """Measures one benchmark between its own setup and teardown."""
    from lcmbench._worker.job import run_and_profile

    timing = job.timing(benchmark, "process")
    try:
        benchmark.set_up_own()
        try:
            value, profile = run_and_profile(job, benchmark, timing)
        finally:
            benchmark.tear_down_own()
    except Skip as skip:
        reporter.skipped(benchmark.name, str(skip))
    except BaseException as error:
        reporter.failed(benchmark.name, "exception", error)
    else:
        reporter.result(benchmark.name, value, timing.flags, profile)
