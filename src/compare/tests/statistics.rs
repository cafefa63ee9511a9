//! Verdicts by history, by the prior, by processes, samples and intervals.

use super::build::{Case, history, history_of, index, number, sampled, set};
use crate::compare::Options;
use crate::config::Better;
use crate::report::{Estimator, Strength, Verdict};

/// A series around one with neighbours `2 noise` apart: its scale is known.
fn zigzag(points: usize, noise: f64) -> Vec<f64> {
    (0..points)
        .map(|i| {
            if i % 2 == 0 {
                noise.exp()
            } else {
                (-noise).exp()
            }
        })
        .collect()
}

#[test]
fn history_decides_from_ten_points_on() {
    // Differences of 0.004: s = 1.4826 * 0.004 / sqrt 2, t(0.995, 30) = 2.750.
    let case = Case::with_history(&zigzag(40, 0.002));
    let row = case.row(&number(1.0), &number(1.05));
    assert_eq!(row.verdict, Verdict::Slower);
    let confidence = row.confidence.unwrap();
    assert_eq!(
        (confidence.strength, confidence.history),
        (Strength::Firm, 40)
    );
    let half = 2.749_995_7 * 1.482_602_2 * 0.004;
    assert!((confidence.low - (1.05_f64.ln() - half).exp()).abs() < 1e-6);
    assert!((confidence.high - (1.05_f64.ln() + half).exp()).abs() < 1e-6);
    // Smaller than the smallest effect, so that is the resolution.
    assert!((confidence.resolution - 0.02).abs() < 1e-9);
    assert_eq!(
        row.reason,
        "5 % higher, 99 % interval +3.3 % to +6.7 % (by the noise of 40 earlier commits)"
    );
    assert_eq!(
        case.row(&number(1.05), &number(1.0)).verdict,
        Verdict::Faster
    );
    assert_eq!(
        case.row(&number(1.0), &number(1.001)).verdict,
        Verdict::Same
    );
    // Different from none, but less than the smallest effect, and perhaps more.
    let row = case.row(&number(1.0), &number(1.019));
    assert_eq!(row.verdict, Verdict::Inconclusive);
    assert!(
        row.reason.contains("less than the smallest effect of 2 %"),
        "{}",
        row.reason
    );
    // Large enough, but within the noise.
    let noisy = Case::with_history(&zigzag(40, 0.02));
    let row = noisy.row(&number(1.0), &number(1.1));
    assert_eq!(row.verdict, Verdict::Inconclusive);
    assert!(row.confidence.unwrap().resolution > 0.1);
    assert!(
        row.reason.contains("too wide for a verdict"),
        "{}",
        row.reason
    );
}

#[test]
fn the_direction_decides_between_slower_and_faster() {
    let mut case = Case::with_history(&zigzag(40, 0.002));
    case.limits.better_by_benchmark = vec![("bench.*".to_owned(), Better::Higher)];
    assert_eq!(
        case.row(&number(1.0), &number(1.05)).verdict,
        Verdict::Faster
    );
    assert_eq!(
        case.row(&number(1.05), &number(1.0)).verdict,
        Verdict::Slower
    );
}

#[test]
fn the_smallest_effect_is_configurable() {
    let mut case = Case::with_history(&zigzag(40, 0.0002));
    assert_eq!(case.row(&number(1.0), &number(1.01)).verdict, Verdict::Same);
    case.limits.minimum_effect_by_benchmark = vec![("bench.time_x".to_owned(), 0.005)];
    assert_eq!(
        case.row(&number(1.0), &number(1.01)).verdict,
        Verdict::Slower
    );
}

#[test]
fn fewer_than_ten_points_rest_on_the_other_benchmarks_and_are_weak() {
    let (young, quiet) = (zigzag(9, 0.002), zigzag(40, 0.004));
    let names = [
        "bench.time_x",
        "bench.time_a",
        "bench.time_b",
        "bench.time_c",
    ];
    let series: Vec<(&str, &[f64])> = names
        .iter()
        .map(|&name| {
            (
                name,
                if name == names[0] {
                    &young[..]
                } else {
                    &quiet[..]
                },
            )
        })
        .collect();
    let case = Case {
        history: history(&series),
        index: index(&names.map(|name| (name, "time", "seconds"))),
        ..Case::default()
    };
    let (base, head) = (number(1.0), number(1.2));
    let base = set(&names.map(|name| (name, &base)));
    // HEAD ran one benchmark only: the others are known from the base.
    let head = set(&[(names[0], &head)]);
    let row = &case.compare(Some(&base), &head, &Options::default()).rows[0];
    assert_eq!(row.verdict, Verdict::Slower);
    let confidence = row.confidence.unwrap();
    assert_eq!(
        (confidence.strength, confidence.history),
        (Strength::Weak, 9)
    );
    // 1.5 times the others' scale, with the threshold of ten points: t(0.995, 8) = 3.355.
    let half = 3.355_387 * 1.5 * 1.482_602_2 * 0.008;
    assert!((confidence.high.ln() - 1.2_f64.ln() - half).abs() < 1e-6);
    assert!(
        row.reason.contains("weak: 9 earlier commits"),
        "{}",
        row.reason
    );
}

#[test]
fn the_prior_needs_three_benchmarks_of_the_same_kind() {
    let quiet = zigzag(40, 0.004);
    let names = ["bench.peakmem_a", "bench.peakmem_b", "bench.peakmem_c"];
    let series: Vec<(&str, &[f64])> = names.iter().map(|&name| (name, &quiet[..])).collect();
    let case = Case {
        history: history(&series),
        ..Case::default()
    };
    let one = number(1.0);
    let mut given = names.map(|name| (name, &one)).to_vec();
    given.push(("bench.time_x", &one));
    let base = set(&given);
    let slow = number(2.0);
    let head = set(&[("bench.time_x", &slow)]);
    let row = &case.compare(Some(&base), &head, &Options::default()).rows[0];
    assert_eq!((row.verdict, row.confidence), (Verdict::Inconclusive, None));
}

#[test]
fn another_version_is_another_series() {
    let mut case = Case::with_history(&zigzag(40, 0.002));
    let (base, head) = (
        number(1.0).version(Some("v2")),
        number(1.05).version(Some("v2")),
    );
    assert_eq!(case.row(&base, &head).verdict, Verdict::Inconclusive);
    // A history that does not know its versions matches.
    let sets = zigzag(40, 0.002)
        .into_iter()
        .map(|value| set(&[("bench.time_x", &number(value).version(None))]));
    case.history = history_of(sets);
    assert_eq!(case.row(&base, &head).verdict, Verdict::Slower);
}

/// Samples of six processes around `value`, the first of each a third above the rest, with the
/// processes spread by `spread`.
fn six(value: f64, spread: f64) -> super::build::Given {
    let samples: Vec<f64> = (0..6)
        .flat_map(|process| {
            let level = value * (1.0 + spread * f64::from(process));
            [level * 1.33, level * 1.01, level, level * 1.02]
        })
        .collect();
    sampled(&samples).processes(&[4; 6])
}

#[test]
fn the_floor_is_used_where_every_side_has_six_processes() {
    let mut case = Case::default();
    let row = case.row(&six(1.0, 0.001), &six(1.1, 0.001));
    assert_eq!(row.estimator, Estimator::Floor);
    assert!((row.ratio.unwrap() - 1.1).abs() < 1e-12);
    assert_eq!(row.verdict, Verdict::Slower);
    let confidence = row.confidence.unwrap();
    assert_eq!(confidence.strength, Strength::Weak);
    assert!(
        row.reason
            .ends_with("(weak: too little history, by the spread between processes)")
    );
    // In one sitting there is no drift to miss.
    let together = Options {
        same_session: true,
        ..Options::default()
    };
    let row = case.row_with(&six(1.0, 0.001), &six(1.1, 0.001), &together);
    assert_eq!(row.confidence.unwrap().strength, Strength::Firm);
    // One side with fewer processes, or one point of the history, brings the medians back.
    let row = case.row(&six(1.0, 0.001), &sampled(&[1.1; 12]).processes(&[4; 3]));
    assert_eq!(row.estimator, Estimator::Median);
    let old = |count: usize| {
        (0..count).map(|i| {
            set(&[(
                "bench.time_x",
                &six(if i % 2 == 0 { 1.0 } else { 1.003 }, 0.0),
            )])
        })
    };
    case.history = history_of(old(20));
    let row = case.row(&six(1.0, 0.001), &six(1.1, 0.001));
    assert_eq!(
        (row.estimator, row.verdict),
        (Estimator::Floor, Verdict::Slower)
    );
    case.history = history_of(old(20).chain([set(&[("bench.time_x", &number(1.0))])]));
    let row = case.row(&six(1.0, 0.001), &six(1.1, 0.001));
    assert_eq!(row.estimator, Estimator::Median);
    assert_eq!(
        row.ratio,
        Some(row.head.as_f64().unwrap() / row.base.as_f64().unwrap())
    );
}

#[test]
fn the_floor_is_not_the_good_end_where_higher_is_better() {
    let mut case = Case::default();
    case.limits.better_by_benchmark = vec![("bench.*".to_owned(), Better::Higher)];
    let row = case.row(&six(1.0, 0.001), &six(1.1, 0.001));
    assert_eq!(
        (row.estimator, row.verdict),
        (Estimator::Median, Verdict::Faster)
    );
}

#[test]
fn the_spread_of_processes_widens_the_interval() {
    let case = Case::with_history(&zigzag(40, 0.002));
    let narrow = case.row(&number(1.0), &number(1.05)).confidence.unwrap();
    let wide = case
        .row(&six(1.0, 0.02), &six(1.05, 0.02))
        .confidence
        .unwrap();
    assert!(wide.high / wide.low > 1.02 * narrow.high / narrow.low);
}

#[test]
fn without_history_the_samples_decide_weakly() {
    let case = Case::default();
    let samples = |level: f64| -> Vec<f64> {
        (0..10)
            .map(|i| level * (1.0 + 0.002 * f64::from(i)))
            .collect()
    };
    let row = case.row(&sampled(&samples(1.0)), &sampled(&samples(1.1)));
    assert_eq!(row.verdict, Verdict::Slower);
    let confidence = row.confidence.unwrap();
    assert_eq!(
        (confidence.strength, confidence.history),
        (Strength::Weak, 0)
    );
    assert!((confidence.level - 0.998).abs() < 1e-12);
    assert!(
        row.reason
            .ends_with("(weak: too little history, by the samples alone)"),
        "{}",
        row.reason
    );
    let row = case.row(&sampled(&samples(1.0)), &sampled(&samples(1.005)));
    assert_eq!(row.verdict, Verdict::Same);
}

#[test]
fn without_samples_the_stored_intervals_decide_weakly() {
    let case = Case::default();
    let base = number(1.0).interval(0.99, 1.01);
    let row = case.row(&base, &number(1.1).interval(1.09, 1.11));
    assert_eq!(row.verdict, Verdict::Slower);
    let confidence = row.confidence.unwrap();
    assert!((confidence.low - 1.09 / 1.01).abs() < 1e-12);
    assert!((confidence.high - 1.11 / 0.99).abs() < 1e-12);
    // Both bounds are less than two per cent from the estimate.
    assert!((confidence.resolution - 0.02).abs() < 1e-12);
    // An open interval is no evidence for anything.
    let open = number(1.1).interval(f64::NEG_INFINITY, f64::INFINITY);
    let row = case.row(&base, &open);
    assert_eq!(row.verdict, Verdict::Inconclusive);
    assert!(row.confidence.unwrap().high.is_infinite());
    assert_eq!(case.row(&base, &open.repeat(1)).confidence, None);
}

#[test]
fn the_remark_counts_weak_rows() {
    let case = Case::default();
    let base = set(&[("bench.time_x", &number(1.0).interval(0.99, 1.01))]);
    let comparison = case.compare(Some(&base), &base.clone(), &Options::default());
    assert_eq!(
        comparison.remarks,
        [
            "There are no earlier results of this machine and environment before the base; from 10 \
             points of a benchmark on its verdict is firm. Of 1 rows 1 rest on weak evidence and 0 \
             on none."
        ]
    );
}
