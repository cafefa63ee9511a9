//! The noise of a series, and the series without its spikes.

use crate::stats::{neighbour_scale, robust_sd};

/// Points of the running median, an odd number.
const WINDOW: usize = 11;

/// A point farther from the running median than so many standard deviations is moved there.
const CLIP: f64 = 3.0;

/// The standard deviation of one point: 1.4826 times the median absolute deviation of the
/// differences of neighbours, over sqrt 2 as a difference holds two points. Where most neighbours
/// are equal, the scale of those that are not.
pub(super) fn noise(series: &[f64]) -> f64 {
    let mut differences: Vec<f64> = series.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let typical = robust_sd(&mut differences).unwrap_or(0.0) / std::f64::consts::SQRT_2;
    if typical > 0.0 {
        typical
    } else {
        neighbour_scale(series).unwrap_or(0.0)
    }
}

/// The series with every point within three `noise` of the running median.
pub(super) fn clipped(series: &[f64], noise: f64) -> Vec<f64> {
    let reach = CLIP * noise;
    running_median(series)
        .into_iter()
        .zip(series)
        .map(|(centre, value)| value.clamp(centre - reach, centre + reach))
        .collect()
}

/// The median of each point and its five neighbours on either side; near an end of as many as there
/// are.
fn running_median(series: &[f64]) -> Vec<f64> {
    let half = WINDOW / 2;
    let mut window: Vec<f64> = Vec::with_capacity(WINDOW + 1);
    let insert = |window: &mut Vec<f64>, value: f64| {
        let place = window.partition_point(|other| *other < value);
        window.insert(place, value);
    };
    for value in series.iter().take(half) {
        insert(&mut window, *value);
    }
    (0..series.len())
        .map(|index| {
            if let Some(value) = series.get(index + half) {
                insert(&mut window, *value);
            }
            if let Some(left) = index.checked_sub(half + 1) {
                let place = window.partition_point(|other| *other < series[left]);
                window.remove(place);
            }
            let middle = window.len() / 2;
            if window.len() % 2 == 1 {
                window[middle]
            } else {
                0.5 * (window[middle - 1] + window[middle])
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::median;

    #[test]
    fn the_running_median_is_the_median_of_each_window() {
        let series: Vec<f64> = (0..40).map(|i| f64::from(i * i * 7 % 23)).collect();
        for (index, centre) in running_median(&series).into_iter().enumerate() {
            let window = &series[index.saturating_sub(5)..(index + 6).min(series.len())];
            assert_eq!(Some(centre), median(&mut window.to_vec()), "{index}");
        }
        assert_eq!(running_median(&[1.0, 3.0]), [2.0, 2.0]);
    }

    #[test]
    fn a_spike_is_clipped_and_a_step_is_not() {
        let mut series = vec![1.0; 30];
        series[15..].fill(2.0);
        series[7] = 9.0;
        let clipped = clipped(&series, 0.1);
        assert!((clipped[7] - 1.3).abs() < 1e-12, "{clipped:?}");
        assert_eq!(clipped[14..16], [1.0, 2.0]);
    }

    #[test]
    fn noise_of_neighbours_that_are_mostly_equal() {
        let mut series = vec![5.0; 40];
        assert!(noise(&series).abs() < 1e-300);
        for index in (0..40).step_by(8) {
            series[index] = 6.0;
        }
        assert!(noise(&series) > 0.1);
    }
}
