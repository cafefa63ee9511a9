//! asv's decision table, row by row.

use super::build::{Case, Given, failed, integer, missing, number, other, sampled, skipped};
use crate::compare::Options;
use crate::config::Better;
use crate::report::Mark;

fn mark_of(base: &Given, head: &Given) -> (Mark, bool) {
    let row = Case::default().row(base, head);
    (row.mark, row.uncertain)
}

#[track_caller]
#[expect(
    clippy::needless_pass_by_value,
    reason = "the table below reads better without ampersands"
)]
fn expect(base: Given, head: Given, mark: Mark, uncertain: bool) {
    assert_eq!(
        mark_of(&base, &head),
        (mark, uncertain),
        "{base:?} {head:?}"
    );
}

#[test]
fn rule_1_versions_that_differ_come_first() {
    let other_version = |given: Given| given.version(Some("v2"));
    expect(
        number(1.0),
        other_version(number(9.0)),
        Mark::Incomparable,
        false,
    );
    expect(
        number(1.0),
        other_version(failed()),
        Mark::Incomparable,
        false,
    );
    expect(
        failed(),
        other_version(number(1.0)),
        Mark::Incomparable,
        false,
    );
    // An unknown version matches any.
    expect(number(1.0), number(9.0).version(None), Mark::Worse, false);
    expect(number(1.0).version(None), number(9.0), Mark::Worse, false);
}

#[test]
fn rule_2_what_fails_now_is_broken() {
    expect(number(1.0), failed(), Mark::Broken, false);
    expect(other("text"), failed(), Mark::Broken, false);
    // asv marks these too, although nothing worked before.
    expect(skipped(), failed(), Mark::Blank, false);
}

#[test]
fn rule_3_what_failed_before_is_fixed() {
    expect(failed(), number(1.0), Mark::Fixed, false);
    expect(failed(), other("text"), Mark::Fixed, false);
    expect(failed(), skipped(), Mark::Blank, false);
}

#[test]
fn rules_4_and_5_failed_on_both_sides_or_not_there() {
    expect(failed(), failed(), Mark::Blank, false);
    expect(number(1.0), skipped(), Mark::Blank, false);
    expect(skipped(), number(1.0), Mark::Blank, false);
    expect(missing(), number(1.0), Mark::Blank, false);
    expect(number(f64::NAN), number(1.0), Mark::Blank, false);
}

#[test]
fn rules_6_and_7_beyond_the_factor() {
    expect(number(1.0), number(0.9), Mark::Better, false);
    expect(number(1.0), number(0.91), Mark::Blank, false);
    expect(number(1.0), number(1.11), Mark::Worse, false);
    expect(number(1.0), number(1.1), Mark::Blank, false);
    let wide = Options {
        factor: 2.0,
        ..Options::default()
    };
    let row = Case::default().row_with(&number(1.0), &number(1.9), &wide);
    assert_eq!(row.mark, Mark::Blank);
}

#[test]
fn intervals_decide_where_both_sides_have_statistics() {
    let base = || number(1.0).interval(0.9, 1.2);
    expect(base(), number(1.5).interval(1.3, 1.6), Mark::Worse, false);
    expect(base(), number(1.5).interval(1.1, 1.6), Mark::Blank, true);
    // Touching intervals overlap.
    expect(base(), number(1.5).interval(1.2, 1.6), Mark::Blank, true);
    expect(number(1.5).interval(1.1, 1.6), base(), Mark::Blank, true);
    // One side without statistics, or with a single sample: the ratio alone decides.
    expect(base(), number(1.5), Mark::Worse, false);
    expect(
        base(),
        number(1.5).interval(0.0, 9.0).repeat(1),
        Mark::Worse,
        false,
    );
    let without = Options {
        use_stats: false,
        ..Options::default()
    };
    let row = Case::default().row_with(&base(), &number(1.5).interval(1.1, 1.6), &without);
    assert_eq!((row.mark, row.uncertain), (Mark::Worse, false));
}

#[test]
fn samples_decide_where_there_are_enough() {
    let samples = |start: f64| -> Vec<f64> { (0..10).map(|i| start + f64::from(i)).collect() };
    let base = sampled(&samples(10.0));
    // Complete separation: p = 1.1e-5.
    expect(base.clone(), sampled(&samples(20.0)), Mark::Worse, false);
    expect(sampled(&samples(20.0)), base.clone(), Mark::Better, false);
    expect(base.clone(), sampled(&samples(12.0)), Mark::Blank, true);
    // The test wins over intervals that do not overlap.
    let near = sampled(&samples(12.0)).interval(100.0, 200.0);
    expect(base, near, Mark::Blank, true);
    // Two and two samples can never reject at 0.002, so the intervals decide.
    let few = |value: f64| sampled(&[value, value * 1.01]).interval(value, value * 1.01);
    expect(few(1.0), few(2.0), Mark::Worse, false);
}

#[test]
fn zero_negative_and_infinite_values() {
    expect(number(0.0), number(1.0), Mark::Worse, false);
    expect(number(1.0), number(0.0), Mark::Better, false);
    expect(integer(0), integer(0), Mark::Blank, false);
    expect(number(1.0), number(f64::INFINITY), Mark::Worse, false);
    expect(number(f64::INFINITY), number(1.0), Mark::Better, false);
    expect(
        number(f64::INFINITY),
        number(f64::INFINITY),
        Mark::Blank,
        false,
    );
    expect(number(-2.0), number(-1.0), Mark::Worse, false);
    expect(number(-1.0), number(-2.0), Mark::Better, false);
    // asv calls equal negative values an improvement.
    expect(number(-1.0), number(-1.0), Mark::Blank, false);
    expect(number(-1.0), number(1.0), Mark::Worse, false);
}

#[test]
fn values_that_are_no_numbers_have_no_mark() {
    expect(other("a"), other("b"), Mark::Blank, false);
    expect(other("a"), number(1.0), Mark::Blank, false);
}

#[test]
fn higher_may_be_better() {
    let mut case = Case::default();
    case.limits.better_by_benchmark = vec![("bench.*".to_owned(), Better::Higher)];
    assert_eq!(case.row(&number(1.0), &number(2.0)).mark, Mark::Better);
    assert_eq!(case.row(&number(2.0), &number(1.0)).mark, Mark::Worse);
    assert_eq!(case.row(&number(1.0), &number(0.95)).mark, Mark::Blank);
}
