//! Changes of made-up series.

use std::sync::Arc;

use super::*;
use crate::history::series::Border;
use crate::history::testing::commits;

/// A fixed zigzag of one per cent.
fn noisy(level: f64, index: u32) -> f64 {
    level * (1.0 + 0.005 * (f64::from(index * index * 7 % 13) / 6.0 - 1.0))
}

fn series(
    benchmark: &str,
    places: impl IntoIterator<Item = u32>,
    level: impl Fn(u32) -> f64,
) -> Series {
    let mut series = Series {
        benchmark: benchmark.into(),
        ..Series::default()
    };
    for place in places {
        series.push(place, noisy(level(place), place));
    }
    series
}

fn found(line: Line, rules: NormaliseRules) -> Vec<Change> {
    let set = SeriesSet {
        commits: commits(100),
        lines: vec![line],
        ..SeriesSet::default()
    };
    let criteria = Criteria {
        minimum_effect: &|benchmark| if benchmark == "b.loose" { 0.5 } else { 0.02 },
        rules,
    };
    changes(&set, &criteria)
}

fn line(series: Vec<Series>) -> Line {
    Line {
        series,
        ..Line::default()
    }
}

fn step(place: u32) -> f64 {
    if place < 50 { 1.0 } else { 1.25 }
}

#[test]
fn a_step_has_levels_a_commit_and_a_probability() {
    let all = found(
        line(vec![series("b.x", 0..100, step)]),
        NormaliseRules::default(),
    );
    assert_eq!(all.len(), 1);
    let change = &all[0];
    assert_eq!((change.likely, change.commits.clone()), (50, 50..51));
    assert!((change.before - 1.0).abs() < 0.01, "{change:?}");
    assert!((change.after - 1.25).abs() < 0.01, "{change:?}");
    assert!(change.p < 0.001);
    assert_eq!(change.versions, None);
}

#[test]
fn where_commits_were_skipped_a_range_is_named() {
    let places = (0..100).filter(|place| place % 5 == 0);
    let all = found(
        line(vec![series("b.x", places, step)]),
        NormaliseRules::default(),
    );
    assert_eq!(all.len(), 1);
    assert_eq!((all[0].likely, all[0].commits.clone()), (50, 46..51));
}

#[test]
fn nothing_is_compared_across_a_border() {
    let mut line = line(vec![series("b.x", 0..100, step)]);
    line.borders.push(Border {
        place: 50,
        what: "driver",
        before: "1".to_owned(),
        after: "2".to_owned(),
    });
    assert_eq!(found(line, NormaliseRules::default()), []);
}

#[test]
fn a_changed_benchmark_is_said_or_a_border() {
    let mut series = series("b.x", 0..100, step);
    series.note_version(0, "one");
    series.note_version(50, "two");
    let all = found(line(vec![series.clone()]), NormaliseRules::default());
    let versions = Some(("one".to_owned(), "two".to_owned()));
    assert_eq!(all[0].versions, versions);
    let rules = NormaliseRules {
        versions: false,
        ..NormaliseRules::default()
    };
    assert_eq!(found(line(vec![series]), rules), []);
}

#[test]
fn a_benchmark_s_own_smallest_effect_counts() {
    let all = found(
        line(vec![
            series("b.loose", 0..100, step),
            series("b.x", 0..100, step),
        ]),
        NormaliseRules::default(),
    );
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].series, 1);
}

#[test]
fn values_that_are_not_positive_have_changes_too() {
    let mut signed = Series {
        benchmark: Arc::from("b.x"),
        ..Series::default()
    };
    for place in 0..60 {
        signed.push(place, if place < 30 { -2.0 } else { 0.0 });
    }
    let all = found(line(vec![signed]), NormaliseRules::default());
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].likely, 30);
    assert!((all[0].before + 2.0).abs() < 1e-12 && all[0].after.abs() < 1e-12);
}

#[test]
fn an_empty_history_has_no_changes() {
    assert_eq!(found(Line::default(), NormaliseRules::default()), []);
    assert_eq!(
        found(line(vec![Series::default()]), NormaliseRules::default()),
        []
    );
}
