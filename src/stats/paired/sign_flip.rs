//! The test for a number of pairs that was fixed beforehand.

use crate::stats::quantile::{as_float, median};

use super::coin::Random;

/// Up to so many pairs all patterns of signs are tried.
const EXACT_UP_TO: usize = 14;
/// Random patterns beyond that.
const FLIPS: usize = 10_000;

/// Two-sided p of the sign-flip test on T = |sum of clip(d / m, -1, 1)| with m the median of |d|, which
/// flips do not change: exact because the order inside each pair was random. All 2^n patterns up to
/// 14 pairs, else 10,000 random ones from `seed`, with p = (1 + at least as large) / (1 + tried). 1
/// where nothing differs.
pub fn sign_flip(differences: &[f64], seed: u64) -> f64 {
    let scale = median(&mut differences.iter().map(|d| d.abs()).collect::<Vec<_>>());
    let Some(scale) = scale else {
        return 1.0;
    };
    let sizes: Vec<f64> = differences.iter().map(|d| clipped(*d, scale)).collect();
    let observed = sizes.iter().sum::<f64>().abs();
    // Sums of the same terms in another order may differ by rounding.
    let reached = |sum: f64| sum.abs() >= observed - 1e-12 * as_float(sizes.len());
    if sizes.len() <= EXACT_UP_TO {
        let patterns = 1_usize << sizes.len();
        let count = (0..patterns)
            .filter(|pattern| reached(flipped(&sizes, |at| pattern >> at & 1 == 1)))
            .count();
        return as_float(count) / as_float(patterns);
    }
    let mut random = Random::new(seed);
    let count = (0..FLIPS)
        .filter(|_| reached(flipped(&sizes, |_| random.bits() >> 63 == 1)))
        .count();
    as_float(1 + count) / as_float(1 + FLIPS)
}

/// d / scale within -1 and 1; the sign alone where there is no scale.
pub(super) fn clipped(d: f64, scale: f64) -> f64 {
    if d == 0.0 {
        0.0
    } else if scale > 0.0 {
        (d / scale).clamp(-1.0, 1.0)
    } else {
        d.signum()
    }
}

fn flipped(sizes: &[f64], mut flip: impl FnMut(usize) -> bool) -> f64 {
    let term = |(at, size): (usize, &f64)| if flip(at) { -size } else { *size };
    sizes.iter().enumerate().map(term).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_p_is_two_patterns() {
        for n in [8_i32, 10, 14] {
            let differences = vec![0.02; usize::try_from(n).unwrap()];
            assert!((sign_flip(&differences, 1) - 2.0_f64.powi(1 - n)).abs() < 1e-15);
        }
    }

    #[test]
    fn nothing_differs() {
        assert!((sign_flip(&[], 1) - 1.0).abs() < 1e-15);
        assert!((sign_flip(&[0.0; 9], 1) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn many_pairs_are_flipped_at_random_from_the_seed() {
        let differences: Vec<f64> = (0..20).map(|i| f64::from(i % 5 - 1) * 0.01).collect();
        let first = sign_flip(&differences, 5);
        assert!((first - sign_flip(&differences, 5)).abs() < 1e-15);
        assert!(first > 0.0 && first < 0.1, "{first}");
    }
}
