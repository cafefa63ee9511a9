//! One number for a whole process.

use crate::stats::quantile::{quantile_of_sorted, sorted};

/// Which low (or high) quantile of a process' samples stands for it. It is fixed before anything is
/// measured.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Estimator {
    /// The smallest sample: for times on a host that others use too.
    #[default]
    Minimum,
    /// A quantile between 0 and 1: 0.1 for quiet hosts and device times, 0.95 for tails.
    Quantile(f64),
}

/// The logarithm of the quantile of a process' samples (positive numbers). `None` without samples, or
/// where the quantile is not a positive number.
pub fn log_low(samples: &[f64], estimator: Estimator) -> Option<f64> {
    let ordered = sorted(samples);
    let value = match estimator {
        Estimator::Minimum => *ordered.first()?,
        Estimator::Quantile(q) => quantile_of_sorted(&ordered, q)?,
    };
    (value > 0.0 && value.is_finite()).then(|| value.ln())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_floor_is_the_smallest_sample() {
        let samples = [3.0, 1.0, 2.0];
        assert_eq!(log_low(&samples, Estimator::Minimum), Some(0.0));
        assert_eq!(
            log_low(&samples, Estimator::Quantile(0.5)),
            Some(2.0_f64.ln())
        );
    }

    #[test]
    fn nothing_and_no_positive_number_have_no_logarithm() {
        assert_eq!(log_low(&[], Estimator::Minimum), None);
        assert_eq!(log_low(&[0.0, 1.0], Estimator::Minimum), None);
        assert_eq!(log_low(&[f64::INFINITY], Estimator::Minimum), None);
        assert_eq!(log_low(&[f64::NAN], Estimator::Minimum), None);
    }
}
