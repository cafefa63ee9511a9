//! Medians, intervals and ratios of repeated measurements.

use serde::Serialize;

use crate::stats;

/// A ratio with the bounds of its 99 % interval, where the samples suffice for one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Ratio {
    pub ratio: f64,
    pub interval: Option<(f64, f64)>,
}

/// The median; `None` for no samples.
pub(super) fn median(samples: &[f64]) -> Option<f64> {
    stats::median(&mut samples.to_vec())
}

/// Fewer samples than this leave the interval of a median without bounds (`2^-n < 0.005`).
const FEWEST: usize = 8;

/// The 99 % interval of the median from its order statistics (see [`stats::median_ci_99`]); `None`
/// where the samples are too few for one.
pub(super) fn interval(samples: &[f64]) -> Option<(f64, f64)> {
    if samples.len() < FEWEST {
        return None;
    }
    let bounds = stats::median_ci_99(&stats::sorted(samples))?;
    (bounds.0.is_finite() && bounds.1.is_finite()).then_some(bounds)
}

/// How many times `other` is `own`: the median over the rounds of the ratio of the two blocks of one
/// round, so that what slows the whole machine for a while falls out. Rounds that one of them lacks
/// do not count.
pub(super) fn paired_ratio(other: &[f64], own: &[f64]) -> Option<Ratio> {
    let ratios: Vec<f64> = other
        .iter()
        .zip(own)
        .map(|(other, own)| other / own)
        .filter(|ratio| ratio.is_finite())
        .collect();
    Some(Ratio {
        ratio: median(&ratios)?,
        interval: interval(&ratios),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_taken_within_rounds() {
        // The machine was three times slower in the second half: the ratio is that of each round.
        let other: Vec<f64> = (0..20).map(|i| if i < 10 { 2.0 } else { 6.0 }).collect();
        let own: Vec<f64> = (0..20).map(|i| if i < 10 { 1.0 } else { 3.0 }).collect();
        assert_eq!(
            paired_ratio(&other, &own),
            Some(Ratio {
                ratio: 2.0,
                interval: Some((2.0, 2.0))
            })
        );
        assert_eq!(paired_ratio(&[], &own), None);
    }

    #[test]
    fn few_samples_have_no_interval() {
        assert_eq!(interval(&[1.0]), None);
        assert_eq!(interval(&[1.0; 7]), None);
        assert_eq!(interval(&[1.0; 8]), Some((1.0, 1.0)));
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        let (low, high) = interval(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]).unwrap();
        assert_eq!((low, high), (1.0, 9.0));
    }
}
