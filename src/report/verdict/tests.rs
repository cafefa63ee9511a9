use super::*;
use crate::report::row::{Alert, Cell, Confidence};
use crate::report::testing::{changed, comparison, row};

fn seen(resolution: f64, strength: Strength) -> Confidence {
    Confidence {
        low: 0.9,
        high: 1.1,
        level: 0.99,
        resolution,
        strength,
        history: 12,
    }
}

fn with(mut rows: Vec<Row>, resolutions: &[f64]) -> Vec<Row> {
    for (row, resolution) in rows.iter_mut().zip(resolutions) {
        row.confidence = Some(seen(*resolution, Strength::Firm));
    }
    rows
}

fn said(rows: Vec<Row>) -> String {
    sentence(&comparison(rows), |row| row.benchmark.clone())
}

fn verdicts(verdict: Verdict, count: usize) -> Vec<Row> {
    (0..count)
        .map(|index| {
            changed(
                &format!("{}.time_{index}", verdict.key()),
                1.0,
                1.0,
                verdict,
            )
        })
        .collect()
}

#[test]
fn what_got_slower_comes_first_with_its_ratio() {
    let mut rows = vec![changed("m.time_slow", 1.0, 1.13, Verdict::Slower)];
    rows.extend(verdicts(Verdict::Same, 11));
    let rows = with(rows, &[0.018; 12]);
    assert_eq!(
        said(rows),
        "1 of 12 benchmarks got slower: m.time_slow (1.13); 11 stayed the same; could have seen \
         1.8 %."
    );
}

#[test]
fn several_kinds_are_each_counted() {
    let mut rows = vec![
        changed("m.time_a", 1.0, 1.13, Verdict::Slower),
        changed("m.time_b", 1.0, 1.5, Verdict::Slower),
        changed("m.time_c", 1.0, 0.5, Verdict::Faster),
        changed("m.time_d", 1.0, 1.01, Verdict::Same),
        changed("m.time_e", 1.0, 1.2, Verdict::Inconclusive),
        Row {
            head: Cell::Failed { reason: None },
            ratio: None,
            verdict: Verdict::Failed,
            ..row("m.time_f")
        },
    ];
    rows[1].alert = Some(Alert { limit: 1.1 });
    rows[4].alert = Some(Alert { limit: 1.1 });
    let rows = with(rows, &[0.01, 0.02, 0.03, 0.06]);
    assert_eq!(
        said(rows),
        "2 of 6 benchmarks got slower: m.time_b (1.50) and m.time_a (1.13); 1 got faster: m.time_c \
         (0.50); 1 stayed the same; 1 is inconclusive; 1 failed: m.time_f; 2 ratios are beyond \
         their limit; could have seen 2.5 % (the median of 1 % to 6 %) in 4 of 6."
    );
}

#[test]
fn many_names_are_counted() {
    let rows = verdicts(Verdict::Slower, 5);
    assert_eq!(
        said(rows),
        "5 of 5 benchmarks got slower: slower.time_0 (1.00), slower.time_1 (1.00), slower.time_2 \
         (1.00) and 2 more; how small a change could have been seen is unknown, for want of \
         statistics."
    );
}

#[test]
fn combinations_are_results() {
    let mut rows = verdicts(Verdict::Same, 2);
    rows[1].benchmark = rows[0].benchmark.clone();
    let rows = with(rows, &[0.02, 0.02]);
    assert_eq!(
        said(rows),
        "2 of 2 results stayed the same; could have seen 2 %."
    );
}

#[test]
fn weak_statistics_are_said_to_be_weak() {
    let mut rows = verdicts(Verdict::Same, 2);
    rows[0].confidence = Some(seen(0.05, Strength::Weak));
    rows[1].confidence = Some(seen(0.05, Strength::Weak));
    assert_eq!(
        said(rows.clone()),
        "2 of 2 benchmarks stayed the same; could have seen 5 % (weak: too little history or too \
         few processes)."
    );
    rows[1].confidence = Some(seen(0.05, Strength::Firm));
    assert!(said(rows).ends_with("(some of it weak: too little history or too few processes)."));
}

#[test]
fn without_a_single_verdict_it_says_so() {
    assert_eq!(
        said(verdicts(Verdict::Inconclusive, 3)),
        "No verdict: 3 of 3 benchmarks are inconclusive; how small a change could have been seen \
         is unknown, for want of statistics."
    );
    assert!(said(verdicts(Verdict::New, 1)).starts_with("No verdict: 1 of 1 benchmark is new;"));
}

#[test]
fn nothing_measured_is_never_good() {
    assert_eq!(
        said(Vec::new()),
        "Nothing was measured: no benchmark has a result on HEAD, so nothing can be said about its \
         speed."
    );
    assert_eq!(worst(&[]), Verdict::NotMeasured);
    let mut rows = verdicts(Verdict::Skipped, 2);
    rows.push(Row {
        verdict: Verdict::Failed,
        ..row("m.time_x")
    });
    for row in &mut rows {
        row.head = Cell::Failed { reason: None };
    }
    assert_eq!(
        said(rows),
        "Nothing was measured: of 3 benchmarks, 1 failed, 2 were skipped, so nothing can be said \
         about the speed of HEAD."
    );
}

#[test]
fn without_a_baseline_no_comparison_is_claimed() {
    let mut rows = verdicts(Verdict::New, 3);
    rows[2].head = Cell::Failed { reason: None };
    rows[2].verdict = Verdict::Failed;
    let comparison = Comparison {
        base: None,
        ..comparison(rows)
    };
    assert_eq!(
        sentence(&comparison, |row| row.benchmark.clone()),
        "No comparison was possible, since there is no result to compare with; 2 benchmarks were \
         measured on HEAD; 1 failed."
    );
    let empty = Comparison {
        rows: Vec::new(),
        ..comparison
    };
    assert_eq!(
        sentence(&empty, |row| row.benchmark.clone()),
        "No comparison was possible, since there is no result to compare with; nothing was \
         measured on HEAD."
    );
}

#[test]
fn the_worst_verdict_wins() {
    let rows = |verdicts: &[Verdict]| -> Vec<Row> {
        verdicts
            .iter()
            .map(|verdict| changed("m.time_x", 1.0, 1.0, *verdict))
            .collect()
    };
    assert_eq!(
        worst(&rows(&[Verdict::Same, Verdict::Faster])),
        Verdict::Same
    );
    assert_eq!(
        worst(&rows(&[Verdict::Inconclusive, Verdict::Slower])),
        Verdict::Slower
    );
    assert_eq!(
        worst(&rows(&[Verdict::Slower, Verdict::Failed])),
        Verdict::Failed
    );
    assert_eq!(
        worst(&rows(&[Verdict::Same, Verdict::NotMeasured])),
        Verdict::NotMeasured
    );
    let severities: HashSet<u8> = Verdict::ALL.iter().map(|v| v.severity()).collect();
    assert_eq!(severities.len(), Verdict::ALL.len());
}

#[test]
fn resolutions_that_are_not_finite_do_not_count() {
    let rows = with(verdicts(Verdict::Same, 3), &[f64::INFINITY, 0.01, 0.03]);
    let resolution = Summary::of(&rows).resolution.unwrap();
    assert_eq!((resolution.smallest, resolution.largest), (0.01, 0.03));
    assert!((resolution.median - 0.02).abs() < 1e-12);
    assert_eq!(resolution.rows, 2);
}
