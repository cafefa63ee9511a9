//! Measurements during which something was wrong with the GPU.

use super::build::{Case, Given, history_of, integer, sampled, set};
use crate::compare::Options;
use crate::report::Verdict;

/// Ten samples closely around this time.
fn around(time: f64) -> Given {
    let samples: Vec<f64> = (0..10)
        .map(|at| time * (1.0 + 1e-4 * f64::from(at)))
        .collect();
    sampled(&samples)
}

#[test]
fn a_disturbed_time_is_inconclusive_unless_forced() {
    let case = Case::with_history(&[1.0, 1.001, 0.999, 1.0, 1.001, 0.999, 1.0, 1.001]);
    let (base, head) = (around(1.0), around(2.0));
    assert_eq!(case.row(&base, &head).verdict, Verdict::Slower);
    for flag in [
        "throttled",
        "foreign-process",
        "clock-drift",
        "ecc",
        "gpu-lost",
    ] {
        let disturbed = head.clone().flagged(flag);
        let row = case.row(&base, &disturbed);
        assert_eq!(row.verdict, Verdict::Inconclusive, "{flag}");
        let row = case.row(&around(1.0).flagged(flag), &head);
        assert_eq!(row.verdict, Verdict::Inconclusive, "{flag} on the base");
        let force = Options {
            force: true,
            ..Options::default()
        };
        let forced = case.row_with(&base, &disturbed, &force);
        assert_eq!(forced.verdict, Verdict::Slower, "{flag}");
    }
}

#[test]
fn a_disturbance_says_nothing_against_bytes() {
    let before = [100, 101, 100, 99, 100, 101, 100, 99, 100, 101];
    let case = Case {
        history: history_of(
            before.map(|bytes| set(&[("bench.track_x", &integer(bytes).flagged("throttled"))])),
        ),
        ..Case::track("bytes")
    };
    let disturbed = integer(200).flagged("throttled");
    let row = case.row(&integer(100), &disturbed);
    assert_eq!(row.verdict, Verdict::Slower);
}

#[test]
fn a_disturbed_time_is_no_part_of_the_history() {
    let times = [1.0, 1.001, 0.999, 1.0, 3.0, 1.001, 0.999, 1.0, 4.0, 1.001];
    let history = |flag: Option<&str>| {
        history_of(times.map(|time| {
            let given = around(time);
            let given = match flag {
                Some(flag) if time > 2.0 => given.flagged(flag),
                _ => given,
            };
            set(&[("bench.time_x", &given)])
        }))
    };
    let points = |flag| {
        let case = Case {
            history: history(flag),
            ..Case::default()
        };
        let key = crate::compare::entry::SeriesKey::of("bench.time_x", Some("v1"));
        let mut points = Vec::new();
        case.history.series(key, &mut points);
        points.len()
    };
    assert_eq!(points(None), 10);
    assert_eq!(points(Some("power-capped")), 10);
    assert_eq!(points(Some("throttled")), 8);
}
