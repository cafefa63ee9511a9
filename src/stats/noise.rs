//! Robust scales of noise.

use super::quantile::{as_float, floor_index, mad, median};

/// 1 / Phi^-1(3/4): makes the median absolute deviation of normal noise its standard deviation.
pub const NORMAL_CONSISTENCY: f64 = 1.482_602_218_505_602;

/// Phi^-1(0.95): nine in ten absolute values of standard normal noise lie below it.
const NORMAL_90: f64 = 1.644_853_626_951_472_7;

/// Neighbouring points that say on which level the series is before and after a jump.
const LEVEL_POINTS: usize = 5;
/// Fewer points than this on one side of a jump cannot show a level.
const FEWEST_LEVEL_POINTS: usize = 3;

/// The standard deviation estimated by the median absolute deviation; reorders and overwrites.
/// `None` for no values.
pub fn robust_sd(values: &mut [f64]) -> Option<f64> {
    Some(NORMAL_CONSISTENCY * mad(values)?)
}

/// The standard deviation of one point of a series whose level may have jumped now and then,
/// from the differences of neighbours: `None` for fewer than three points.
///
/// The differences of neighbours have no level, so slow drift does not count. A jump from one
/// lasting level to another is no noise and is left out; a single outlying point is noise and
/// stays. The scale is the larger of two estimates that agree for normal noise: 1.4826 times the
/// median of the absolute differences, and their 90 % quantile over 1.645, which sees the heavy
/// tails that the median cannot. Both are divided by sqrt 2, as a difference holds two points.
pub fn neighbour_scale(series: &[f64]) -> Option<f64> {
    if series.len() < 3 {
        return None;
    }
    let mut sizes: Vec<Size> = series
        .windows(2)
        .map(|pair| Size::of(pair[1] - pair[0]))
        .collect();
    sizes.sort_unstable();
    let centre = quantile(&sizes, 0.5)?;
    remove_jumps(series, 4.0 * NORMAL_CONSISTENCY * centre, &mut sizes);
    let typical = NORMAL_CONSISTENCY * quantile(&sizes, 0.5)?;
    let tail = quantile(&sizes, 0.9)? / NORMAL_90;
    Some(typical.max(tail) / std::f64::consts::SQRT_2)
}

/// The absolute value of a difference, by its bits: for numbers that are not negative their order
/// is the numbers' order, and integers sort several times faster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Size(u64);

impl Size {
    fn of(difference: f64) -> Self {
        Self(difference.abs().to_bits())
    }

    fn value(self) -> f64 {
        f64::from_bits(self.0)
    }
}

/// The quantile of sorted sizes by linear interpolation.
fn quantile(sorted: &[Size], q: f64) -> Option<f64> {
    let position = as_float(sorted.len().checked_sub(1)?) * q;
    let lower = floor_index(position);
    let weight = position - as_float(lower);
    let (low, high) = (sorted[lower], sorted[(lower + 1).min(sorted.len() - 1)]);
    Some((1.0 - weight) * low.value() + weight * high.value())
}

/// Takes the sizes of lasting jumps out of the sorted `sizes`: differences beyond `limit` where
/// the levels on both sides are more than half the difference apart.
fn remove_jumps(series: &[f64], limit: f64, sizes: &mut Vec<Size>) {
    if sizes.last().is_none_or(|largest| largest.value() <= limit) {
        return;
    }
    for (before, pair) in series.windows(2).enumerate() {
        let size = Size::of(pair[1] - pair[0]);
        if size.value() > limit && is_lasting(series, before, size.value()) {
            let place = sizes.partition_point(|other| *other < size);
            sizes.remove(place);
        }
    }
}

fn is_lasting(series: &[f64], before: usize, size: f64) -> bool {
    let left = &series[(before + 1).saturating_sub(LEVEL_POINTS)..=before];
    let right = &series[before + 1..series.len().min(before + 1 + LEVEL_POINTS)];
    if left.len().min(right.len()) < FEWEST_LEVEL_POINTS {
        return false;
    }
    let level = |points: &[f64]| median(&mut points.to_vec());
    match (level(left), level(right)) {
        (Some(left), Some(right)) => (right - left).abs() > size / 2.0,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A zigzag of amplitude 1 whose differences are all 2: both scales are known.
    fn zigzag(length: u32) -> Vec<f64> {
        (0..length).map(|i| f64::from(i % 2) * 2.0).collect()
    }

    #[test]
    fn scale_of_a_zigzag() {
        let scale = neighbour_scale(&zigzag(40)).unwrap();
        let expected = NORMAL_CONSISTENCY * 2.0 / std::f64::consts::SQRT_2;
        assert!((scale - expected).abs() < 1e-12, "{scale}");
    }

    #[test]
    fn lasting_jumps_do_not_count() {
        let mut series = zigzag(40);
        for value in &mut series[13..] {
            *value += 1000.0;
        }
        for value in &mut series[27..] {
            *value -= 300.0;
        }
        assert_eq!(neighbour_scale(&series), neighbour_scale(&zigzag(40)));
    }

    #[test]
    fn outlying_points_count_once_they_are_frequent() {
        let mut series = zigzag(40);
        series[20] += 100.0;
        assert_eq!(neighbour_scale(&series), neighbour_scale(&zigzag(40)));
        series[10] += 100.0;
        series[30] += 100.0;
        assert!(neighbour_scale(&series).unwrap() > 10.0 * neighbour_scale(&zigzag(40)).unwrap());
    }

    #[test]
    fn constant_series_has_no_noise() {
        assert_eq!(neighbour_scale(&[5.0; 20]), Some(0.0));
        let mut series = vec![5.0; 20];
        series[12..].fill(9.0);
        assert_eq!(neighbour_scale(&series), Some(0.0));
    }

    #[test]
    fn too_short_a_series_has_no_scale() {
        assert_eq!(neighbour_scale(&[1.0, 2.0]), None);
        assert_eq!(robust_sd(&mut []), None);
    }
}
