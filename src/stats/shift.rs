//! An interval for the shift between two samples: the Mann-Whitney test, inverted.

use std::collections::HashMap;

use super::mann_whitney::critical_u;
use super::quantile::{as_float, sorted};
use super::special::erfc;

/// Bounds of second - first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shift {
    pub low: f64,
    pub high: f64,
}

/// Longer samples are thinned to this many evenly spaced order statistics, which keeps the work
/// small and can only widen the interval.
const MOST_SAMPLES: usize = 1000;

/// The test at one level, with what it has worked out for each pair of sample sizes.
#[derive(Debug, Clone)]
pub struct ShiftTest {
    alpha: f64,
    z: f64,
    critical: HashMap<(usize, usize), Option<usize>>,
}

impl ShiftTest {
    /// The test that errs with probability `alpha` (two-sided).
    pub fn new(alpha: f64) -> Self {
        Self {
            alpha,
            z: two_sided_normal_quantile(alpha),
            critical: HashMap::new(),
        }
    }

    /// All shifts that the Mann-Whitney test does not reject: with the differences of all pairs in
    /// order and k the largest U that is rejected, from the k-th smallest to the k-th largest,
    /// counted from zero (Lehmann, Nonparametrics, 2.6). The interval excludes zero exactly when
    /// the test finds a difference. `None` where the samples are too few to reject anything.
    pub fn interval(&mut self, first: &[f64], second: &[f64]) -> Option<Shift> {
        let (first, second) = (thinned(first), thinned(second));
        let sizes = (first.len(), second.len());
        if sizes.0 == 0 || sizes.1 == 0 {
            return None;
        }
        let (alpha, z) = (self.alpha, self.z);
        let critical = (*self
            .critical
            .entry(sizes)
            .or_insert_with(|| critical_u(sizes.0, sizes.1, alpha, z)))?;
        let mut differences: Vec<f64> = first
            .iter()
            .flat_map(|x| second.iter().map(move |y| y - x))
            .collect();
        let last = differences.len() - 1;
        let low = *differences
            .select_nth_unstable_by(critical, f64::total_cmp)
            .1;
        let high = *differences
            .select_nth_unstable_by(last - critical, f64::total_cmp)
            .1;
        Some(Shift { low, high })
    }
}

/// [`ShiftTest::interval`] for a single comparison.
pub fn shift_interval(first: &[f64], second: &[f64], alpha: f64) -> Option<Shift> {
    ShiftTest::new(alpha).interval(first, second)
}

/// The z with erfc(z / sqrt 2) = `alpha`, by bisection.
fn two_sided_normal_quantile(alpha: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if erfc(middle / std::f64::consts::SQRT_2) > alpha {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

fn thinned(samples: &[f64]) -> Vec<f64> {
    if samples.len() <= MOST_SAMPLES {
        return samples.to_vec();
    }
    let ordered = sorted(samples);
    let step = as_float(ordered.len()) / as_float(MOST_SAMPLES);
    (0..MOST_SAMPLES)
        .map(|i| ordered[position((as_float(i) + 0.5) * step).min(ordered.len() - 1)])
        .collect()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "positions lie between zero and the number of samples"
)]
fn position(place: f64) -> usize {
    place as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::mann_whitney;

    #[test]
    fn complete_separation_of_six_and_six() {
        // 2 P(U <= 2) = 8/924 < 0.01 <= 2 P(U <= 3) = 14/924: the third smallest difference.
        let base = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let head = [11.0, 12.0, 13.0, 14.0, 15.0, 16.0];
        let shift = shift_interval(&base, &head, 0.01).unwrap();
        assert_eq!(
            shift,
            Shift {
                low: 6.0,
                high: 14.0
            }
        );
    }

    #[test]
    fn too_few_samples_have_no_interval() {
        assert_eq!(shift_interval(&[1.0, 2.0], &[3.0, 4.0], 0.01), None);
        assert_eq!(shift_interval(&[], &[3.0, 4.0], 0.01), None);
    }

    #[test]
    fn excludes_zero_exactly_when_the_test_rejects() {
        for shift in 0..40 {
            let base: Vec<f64> = (0..12).map(|i| f64::from(i * i % 31)).collect();
            let head: Vec<f64> = (0..10).map(|i| f64::from(i * 7 % 29 + shift)).collect();
            let rejected = mann_whitney(&base, &head).unwrap().p < 0.01;
            let interval = shift_interval(&base, &head, 0.01).unwrap();
            let excludes = interval.low > 0.0 || interval.high < 0.0;
            assert_eq!(rejected, excludes, "{shift} {interval:?}");
        }
    }

    #[test]
    fn large_samples_use_the_normal_approximation() {
        let base: Vec<f64> = (0..3000).map(|i| f64::from(i % 100)).collect();
        let head: Vec<f64> = base.iter().map(|x| x + 50.0).collect();
        let shift = shift_interval(&base, &head, 0.01).unwrap();
        assert!(shift.low > 40.0 && shift.low < 50.0, "{shift:?}");
        assert!(shift.high > 50.0 && shift.high < 60.0, "{shift:?}");
    }
}
