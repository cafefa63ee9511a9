//! The search on series whose steps are known.

use super::*;

/// A fixed zigzag of amplitude one with no level of its own.
fn zigzag(index: u32) -> f64 {
    f64::from(index * index * 7 % 13) / 6.0 - 1.0
}

fn series(length: u32, levels: &[(u32, f64)]) -> Vec<f64> {
    (0..length)
        .map(|index| {
            let level: f64 = levels
                .iter()
                .filter(|(from, _)| index >= *from)
                .map(|(_, step)| step)
                .sum();
            level + 0.01 * zigzag(index)
        })
        .collect()
}

fn places(series: &[f64]) -> Vec<usize> {
    change_points(series, 0.02)
        .iter()
        .map(|point| point.at)
        .collect()
}

#[test]
fn steps_are_found_where_they_are() {
    let series = series(200, &[(60, 0.10), (140, -0.06)]);
    let points = change_points(&series, 0.02);
    assert_eq!(
        points.iter().map(|point| point.at).collect::<Vec<_>>(),
        [60, 140]
    );
    let levels = levels(&series, &points);
    assert!((levels[1] - levels[0] - 0.10).abs() < 0.01, "{levels:?}");
    assert!((levels[2] - levels[1] + 0.06).abs() < 0.01, "{levels:?}");
    for point in points {
        assert!(point.p < 1e-4, "{point:?}");
        assert!(point.earliest <= point.at && point.at <= point.latest);
        assert!(point.latest - point.earliest <= 2, "{point:?}");
    }
}

#[test]
fn a_small_step_leaves_its_place_open() {
    let series = series(200, &[(100, 0.012)]);
    let points = change_points(&series, 0.0);
    assert_eq!(points.len(), 1, "{points:?}");
    assert!(
        points[0].earliest < 100 && points[0].latest >= 100,
        "{points:?}"
    );
    assert!(change_points(&series, 0.02).is_empty());
}

#[test]
fn spikes_and_short_excursions_are_no_steps() {
    let mut series = series(120, &[]);
    series[30] += 1.0;
    series[31] += 1.0;
    series[70..74].iter_mut().for_each(|value| *value += 0.5);
    assert_eq!(places(&series), Vec::<usize>::new());
}

#[test]
fn the_newest_five_points_show_a_step_and_four_do_not() {
    let series = series(105, &[(100, 0.2)]);
    assert_eq!(places(&series), [100]);
    assert_eq!(places(&series[..104]), Vec::<usize>::new());
}

#[test]
fn exact_values_have_steps_without_noise() {
    let mut series = vec![7.0; 40];
    series[20..].fill(7.5);
    assert_eq!(places(&series), [20]);
    assert_eq!(places(&[7.0; 40]), Vec::<usize>::new());
    series[33] = 9.0;
    assert_eq!(places(&series), [20]);
}

#[test]
fn what_is_too_short_or_no_number_has_no_steps() {
    assert!(change_points(&[], 0.02).is_empty());
    assert!(change_points(&[1.0; 9], 0.02).is_empty());
    let mut series = series(50, &[(25, 1.0)]);
    assert_eq!(places(&series), [25]);
    series[3] = f64::NAN;
    assert!(change_points(&series, 0.02).is_empty());
    series[3] = f64::INFINITY;
    assert!(change_points(&series, 0.02).is_empty());
}

#[test]
fn units_do_not_matter() {
    let series = series(200, &[(60, 0.10), (140, -0.06)]);
    let scaled: Vec<f64> = series.iter().map(|value| 1e9 * value + 1e6).collect();
    let found = |series: &[f64], minimum| {
        let points = change_points(series, minimum);
        points
            .iter()
            .map(|point| (point.at, point.earliest, point.latest))
            .collect::<Vec<_>>()
    };
    assert_eq!(found(&series, 0.02), found(&scaled, 2e7));
}
