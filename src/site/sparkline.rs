//! Small pictures of whole series, as paths of SVG.

use std::fmt::Write;

use crate::history::Series;
use crate::stats::as_float;

use super::commits::Timeline;

/// Size of the picture in its own units.
pub(super) const WIDTH: f64 = 132.0;
pub(super) const HEIGHT: f64 = 28.0;

/// Space above and below the lines.
const MARGIN: f64 = 3.0;

/// So many points are drawn at most; each is the median of its neighbours.
const POINTS: usize = 44;

/// Values of one picture differ at least by this share of their size, so that noise stays small.
const SMALLEST_SPAN: f64 = 0.06;

/// The paths of several series in one picture, each relative to its own median. A gap is a gap, a lone point a dot.
pub(super) fn paths(series: &[&Series], timeline: &Timeline) -> Vec<String> {
    let mut thinned: Vec<Vec<(usize, f64)>> =
        series.iter().map(|series| thin(series, timeline)).collect();
    if series.len() > 1 {
        for points in &mut thinned {
            relative(points);
        }
    }
    let all = || thinned.iter().flatten().map(|(_, value)| *value);
    let logarithmic = all().all(|value| value > 0.0);
    let scaled = |value: f64| if logarithmic { value.ln() } else { value };
    let low = all().map(scaled).fold(f64::INFINITY, f64::min);
    let high = all().map(scaled).fold(f64::NEG_INFINITY, f64::max);
    if !(high - low).is_finite() {
        return vec![String::new(); series.len()];
    }
    let least = if logarithmic {
        SMALLEST_SPAN
    } else {
        SMALLEST_SPAN * low.abs().max(high.abs())
    };
    let span = (high - low).max(least).max(f64::MIN_POSITIVE);
    let bottom = f64::midpoint(low, high) - span / 2.0;
    let last = (buckets(timeline) - 1).max(1);
    thinned
        .iter()
        .map(|points| {
            let points = points.iter().map(|(bucket, value)| {
                let x = as_float(*bucket) / as_float(last) * WIDTH;
                let share = (scaled(*value) - bottom) / span;
                let y = HEIGHT - MARGIN - share * (HEIGHT - 2.0 * MARGIN);
                (*bucket, x.round(), (y * 10.0).round() / 10.0)
            });
            path(points)
        })
        .collect()
}

/// Divides by the own median: where sizes differ a hundredfold a change is seen in all of them.
fn relative(points: &mut [(usize, f64)]) {
    let mut values: Vec<f64> = points.iter().map(|(_, value)| *value).collect();
    match crate::stats::median(&mut values) {
        Some(median) if median > 0.0 => {
            for (_, value) in points {
                *value /= median;
            }
        }
        _ => {}
    }
}

fn buckets(timeline: &Timeline) -> usize {
    timeline.len().clamp(1, POINTS)
}

/// The medians of the numbers in each bucket of neighbouring commits.
fn thin(series: &Series, timeline: &Timeline) -> Vec<(usize, f64)> {
    let (count, length) = (buckets(timeline), timeline.len().max(1));
    let mut thinned: Vec<(usize, f64)> = Vec::new();
    let mut held: Vec<f64> = Vec::new();
    let mut close = |bucket: usize, held: &mut Vec<f64>| {
        if let Some(median) = crate::stats::median(held) {
            thinned.push((bucket, median));
        }
        held.clear();
    };
    let mut current = 0;
    for (place, value) in series.places.iter().zip(&series.values) {
        let bucket = timeline.position(*place).min(length - 1) * count / length;
        if bucket != current {
            close(current, &mut held);
            current = bucket;
        }
        held.push(*value);
    }
    close(current, &mut held);
    thinned
}

fn path(points: impl Iterator<Item = (usize, f64, f64)>) -> String {
    let mut out = String::new();
    let mut last: Option<(usize, bool)> = None;
    for (bucket, x, y) in points {
        let follows = last.is_some_and(|(last, _)| last + 1 == bucket);
        if !follows {
            close_dot(last, &mut out);
        }
        let command = if follows { 'L' } else { 'M' };
        // Writing to a string cannot fail.
        write!(out, "{command}{x} {y}").ok();
        last = Some((bucket, !follows));
    }
    close_dot(last, &mut out);
    out
}

/// A path of one point shows nothing unless it has a line of no length.
fn close_dot(last: Option<(usize, bool)>, out: &mut String) {
    if let Some((_, true)) = last {
        out.push_str("h0");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::testing;

    fn drawn(points: &[(u32, f64)], commits: u32) -> Vec<String> {
        let set = testing::set(commits, &[("m.time_x", &[], points)]);
        let timeline = Timeline::new(&set);
        paths(&[&set.lines[0].series[0]], &timeline)
    }

    #[test]
    fn the_newest_value_is_on_the_right_and_larger_is_higher() {
        let path = drawn(&[(0, 1.0), (1, 2.0), (2, 4.0)], 3);
        assert_eq!(path, ["M0 25L66 14L132 3"]);
    }

    #[test]
    fn gaps_are_gaps_and_lone_points_are_dots() {
        let path = drawn(&[(0, 1.0), (2, 2.0), (3, 2.0)], 4);
        assert_eq!(path, ["M0 25h0M88 3L132 3"]);
    }

    #[test]
    fn noise_stays_small() {
        let path = drawn(&[(0, 1.0), (1, 1.001)], 2);
        assert_eq!(path, ["M0 14.2L132 13.8"]);
    }

    #[test]
    fn long_histories_are_thinned() {
        let points: Vec<(u32, f64)> = (0..5000).map(|place| (place, f64::from(place))).collect();
        let path = drawn(&points, 5000);
        assert_eq!(path[0].matches('L').count(), POINTS - 1);
        assert!(drawn(&[], 3)[0].is_empty());
    }
}
