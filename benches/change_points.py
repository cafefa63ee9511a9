"""Other detectors on the series that come as JSON on standard input.

Prints {"name": {"points": [[...], ...], "seconds": processor seconds}, ...} for those that are
installed: asv's step detection, and Apache Otava with its own defaults and with stricter ones.
"""

import json
import sys
import time


def timed(detect, series):
    detect(series[0])
    before = time.process_time()
    points = [detect(one) for one in series]
    return {"points": points, "seconds": time.process_time() - before}


def by_asv():
    from asv.step_detect import detect_steps

    def detect(series):
        return [step[0] for step in detect_steps(series)][1:]

    return detect


def by_otava(max_pvalue, min_magnitude):
    from otava.analysis import compute_change_points

    def detect(series):
        points, _ = compute_change_points(
            list(series), window_len=50, max_pvalue=max_pvalue, min_magnitude=min_magnitude
        )
        return [int(point.index) for point in points]

    return detect


def main():
    series = json.load(sys.stdin)
    answers = {}
    detectors = {
        "asv": by_asv,
        "Otava (p 0.001)": lambda: by_otava(0.001, 0.0),
        "Otava (p 0.0001, 2 %)": lambda: by_otava(0.0001, 0.02),
    }
    for name, make in detectors.items():
        try:
            detect = make()
        except ImportError as error:
            print(f"skipped: {name} ({error})", file=sys.stderr)
            continue
        answers[name] = timed(detect, series)
    json.dump(answers, sys.stdout)


main()
